// One line above the board: which game, which level, and what is to be done.

import { nameOfFamily } from "../families";
import { share } from "../keep/share";
import * as reading from "../levels/reading";
import { scriptOf } from "../levels/script";
import * as play from "../play/play";
import * as state from "../state";
import { texts } from "../texts";
import { Icon } from "./icons";

/** The place of the level in its collection. */
function Place() {
  const within = play.series.value;
  if (within === null || within.total < 2) return null;
  const name = reading.collection.value?.name;
  const words = texts.level.place(within.at + 1, within.total);
  return (
    <span class="place" title={name}>
      {words}
    </span>
  );
}

function Rules({ puzzle }: { puzzle: string }) {
  const words = texts.families[puzzle as keyof typeof texts.families];
  const script = puzzle === "puzzlescript" ? scriptOf(play.level.value?.text ?? "") : null;
  if (!words) return null;
  return (
    <details class="rules">
      <summary aria-label={texts.rules}>{texts.rulesSign}</summary>
      <div class="rules-text">
        {script?.homepage && <p>{script.homepage}</p>}
        <p>
          <b>{words.aim}</b>
        </p>
        <p>{words.rules}</p>
        <p class="how">{texts.play.fingers}</p>
      </div>
    </details>
  );
}

export function Header() {
  const level = play.level.value;
  const family = level && texts.families[level.puzzle as keyof typeof texts.families];
  const script = level?.puzzle === "puzzlescript" ? scriptOf(level.text) : null;
  return (
    <header>
      <h1 class="unseen">{texts.title}</h1>
      <button
        class="family"
        aria-expanded={state.tab.value === "level"}
        aria-label={level ? texts.level.choose(nameOfFamily(level.puzzle)) : texts.level.begin}
        onClick={() => state.show("level")}
      >
        {level ? nameOfFamily(level.puzzle) : texts.title} <span aria-hidden="true">▾</span>
      </button>
      <div class="about">
        {level && <h2 class="title">{level.title ?? script?.title ?? texts.level.untitled}</h2>}
        {level && <Place />}
        {script?.author && <span class="author">{texts.level.by(script.author)}</span>}
        <p class="aim">{script ? texts.play.scriptAim : family?.aim}</p>
      </div>
      {level && <Rules puzzle={level.puzzle} />}
      {level && (
        <button
          class="share"
          aria-label={texts.play.share}
          onClick={() => void share(level, play.made.value)}
        >
          <Icon name="share" />
        </button>
      )}
    </header>
  );
}
