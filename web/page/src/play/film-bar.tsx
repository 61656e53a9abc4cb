// The controls of a film: slider, steps, speed; and the way into the game.

import { Labelled } from "../frame/labelled";
import * as film from "./film";
import * as play from "./play";
import { share } from "../keep/share";
import { texts } from "../texts";

const { solve: words } = texts;

export function FilmBar() {
  const now = film.film.value;
  if (now === null) return null;
  const { at, steps, level, moves } = now;
  const go = (to: number) => {
    film.pause();
    void film.goTo(to);
  };
  const take = () => {
    film.close();
    void play.playFrom(steps.slice(0, at).join(""));
  };
  return (
    <div class="film" data-own-keys>
      <input
        type="range"
        min={0}
        max={steps.length}
        value={at}
        aria-label={words.film}
        onInput={(event) => go(Number(event.currentTarget.value))}
      />
      <div class="row">
        <button aria-label={words.first} onClick={() => go(0)}>
          |◀
        </button>
        <button aria-label={words.back} onClick={() => go(at - 1)}>
          ◀
        </button>
        <button class="main" onClick={() => (film.isRunning.value ? film.pause() : film.run())}>
          {film.isRunning.value ? words.pause : words.play}
        </button>
        <button aria-label={words.on} onClick={() => go(at + 1)}>
          ▶
        </button>
        <span class="steps">{`${at} / ${steps.length}`}</span>
        <label>
          {words.speed}
          <input
            type="range"
            min={1}
            max={30}
            value={film.speed.value}
            onInput={(event) => (film.speed.value = Number(event.currentTarget.value))}
          />
        </label>
      </div>
      <div class="row">
        <button onClick={take}>{words.take}</button>
        <Labelled words={words.share} onClick={() => void share(level, moves)} />
        <button onClick={film.close}>{texts.close}</button>
      </div>
    </div>
  );
}
