// A link that comes with a solution is a challenge: the level comes first, the solution is behind a
// tap.

import { texts } from "../texts";
import * as film from "./film";
import * as play from "./play";

const { challenge: words } = texts;

export function Challenge() {
  const [level, given] = [play.level.value, play.challenge.value];
  if (level === null || given === null || film.film.value !== null || play.solved.value) return null;
  const { moves, record } = given;
  const watch = () => {
    if (play.board.value === null) void film.open(level, moves).then(film.run);
    else play.lay(moves);
  };
  return (
    <div class="notice challenge" role="status">
      <p>{record === null ? words.given : words.solved(record.count, record.shortest)}</p>
      <button onClick={watch}>{words.watch}</button>
      <button onClick={() => (play.challenge.value = null)}>{texts.close}</button>
    </div>
  );
}
