// A game as a player makes it: the steps, how far they are made, and what came before a restart.

/** Steps from the start, each in the family's notation, of which the first `at` are made. */
export interface Attempt {
  readonly steps: readonly string[];
  readonly at: number;
  /**
   * Where undo does not stop: within what was made in one go, by a drag or a walk. Numbers of steps
   * made, in rising order.
   */
  readonly inner?: readonly number[];
}

/** Attempts at a level, one after the other; a restart begins another one, and can be undone. */
export interface Game {
  readonly attempts: readonly Attempt[];
  readonly now: number;
}

/** Attempts that are kept: more than anyone goes back through. */
const MOST = 20;

const NOTHING: Attempt = { steps: [], at: 0 };

export function begun(steps: readonly string[] = [], at = steps.length): Game {
  return { attempts: [{ steps, at: Math.max(0, Math.min(at, steps.length)) }], now: 0 };
}

/** The steps of a move string, each with what belongs to it (the number of a teleporter, say). */
export function stepsOf(moves: string): string[] {
  return moves.match(/[^\s\d]\d*/g) ?? [];
}

export function attempt(game: Game): Attempt {
  return game.attempts[game.now] ?? NOTHING;
}

/** The steps that are made. */
export function made(game: Game): readonly string[] {
  const { steps, at } = attempt(game);
  return steps.slice(0, at);
}

function changed(game: Game, next: Attempt, attempts = game.attempts): Game {
  return { ...game, attempts: attempts.map((old, index) => (index === game.now ? next : old)) };
}

/**
 * Makes steps after those that are made; what had been undone is forgotten. Those that are made in one
 * go are undone in one go.
 */
export function advance(game: Game, more: readonly string[], isOne = false): Game {
  const [steps, { at, inner = [] }] = [[...made(game), ...more], attempt(game)];
  const within = isOne ? more.slice(1).map((_, index) => at + index + 1) : [];
  const stops = [...inner.filter((one) => one < at), ...within];
  const next = { steps, at: steps.length, ...(stops.length > 0 && { inner: stops }) };
  return changed(game, next, game.attempts.slice(0, game.now + 1));
}

/** The next number of steps, going back or forth, at which undo stops. */
function stop({ inner = [], at }: Attempt, by: 1 | -1): number {
  let to = at + by;
  while (inner.includes(to)) to += by;
  return to;
}

/** Goes to another point of the attempt. */
export function goTo(game: Game, at: number): Game {
  const { steps } = attempt(game);
  return changed(game, { ...attempt(game), at: Math.max(0, Math.min(at, steps.length)) });
}

/** Begins anew; undoing goes back to what was made before. */
export function restart(game: Game): Game {
  if (attempt(game).at === 0) return game;
  const attempts = [...game.attempts.slice(0, game.now + 1), NOTHING].slice(-MOST);
  return { attempts, now: attempts.length - 1 };
}

/** Whether an attempt is only the beginning of another one. */
function begins(one: Attempt, other: Attempt): boolean {
  return one.steps.every((step, index) => step === other.steps[index]);
}

/**
 * A game after earlier attempts at the same level, which undoing leads back to. Those that it has
 * itself, or goes on with, are not there twice.
 */
export function after(earlier: Game, game: Game): Game {
  const others = earlier.attempts.filter((one) => !game.attempts.some((mine) => begins(one, mine)));
  const attempts = [...others, ...game.attempts].slice(-MOST);
  return { attempts, now: attempts.length - game.attempts.length + game.now };
}

export function canUndo(game: Game): boolean {
  return attempt(game).at > 0 || game.now > 0;
}

export function canRedo(game: Game): boolean {
  const { steps, at } = attempt(game);
  return at < steps.length || game.now + 1 < game.attempts.length;
}

export function undo(game: Game): Game {
  const { at } = attempt(game);
  if (at > 0) return goTo(game, stop(attempt(game), -1));
  return game.now > 0 ? { ...game, now: game.now - 1 } : game;
}

export function redo(game: Game): Game {
  const { steps, at } = attempt(game);
  if (at < steps.length) return goTo(game, stop(attempt(game), 1));
  return game.now + 1 < game.attempts.length ? { ...game, now: game.now + 1 } : game;
}

/** A game as data, in few letters. */
export function dataOf({ attempts, now }: Game): unknown {
  return { attempts: attempts.map(({ steps, at, inner = [] }) => [steps.join(""), at, inner]), now };
}

/** A game that was kept as data; `null` where it is none. */
export function gameFrom(value: unknown): Game | null {
  const { attempts, now } = (value ?? {}) as Partial<Record<keyof Game, unknown>>;
  if (!Array.isArray(attempts) || typeof now !== "number" || !(now in attempts)) return null;
  const read = attempts.map((one: unknown): Attempt | null => {
    const [moves, at, inner] = Array.isArray(one) ? (one as unknown[]) : [];
    if (typeof moves !== "string" || typeof at !== "number") return null;
    const steps = stepsOf(moves);
    if (!Number.isInteger(at) || at < 0 || at > steps.length) return null;
    const stops = Array.isArray(inner) ? inner.filter((stop) => Number.isInteger(stop)) : [];
    return { steps, at, ...(stops.length > 0 && { inner: stops as number[] }) };
  });
  return read.every((one) => one !== null) ? { attempts: read, now } : null;
}
