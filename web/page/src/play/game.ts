// A game as a player makes it: the steps, how far they are made, and what came before a restart.

/** Steps from the start, each in the family's notation, of which the first `at` are made. */
export interface Attempt {
  readonly steps: readonly string[];
  readonly at: number;
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

/** Makes steps after those that are made; what had been undone is forgotten. */
export function advance(game: Game, more: readonly string[]): Game {
  const steps = [...made(game), ...more];
  return changed(game, { steps, at: steps.length }, game.attempts.slice(0, game.now + 1));
}

/** Goes to another point of the attempt. */
export function goTo(game: Game, at: number): Game {
  const { steps } = attempt(game);
  return changed(game, { steps, at: Math.max(0, Math.min(at, steps.length)) });
}

/** Begins anew; undoing goes back to what was made before. */
export function restart(game: Game): Game {
  if (attempt(game).at === 0) return game;
  const attempts = [...game.attempts.slice(0, game.now + 1), NOTHING].slice(-MOST);
  return { attempts, now: attempts.length - 1 };
}

/** A game after earlier attempts at the same level, which undoing leads back to. */
export function after(earlier: Game, game: Game): Game {
  const attempts = [...earlier.attempts, ...game.attempts].slice(-MOST);
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
  if (at > 0) return goTo(game, at - 1);
  return game.now > 0 ? { ...game, now: game.now - 1 } : game;
}

export function redo(game: Game): Game {
  const { steps, at } = attempt(game);
  if (at < steps.length) return goTo(game, at + 1);
  return game.now + 1 < game.attempts.length ? { ...game, now: game.now + 1 } : game;
}

/** A game as data, in few letters. */
export function dataOf({ attempts, now }: Game): unknown {
  return { attempts: attempts.map(({ steps, at }) => [steps.join(""), at]), now };
}

/** A game that was kept as data; `null` where it is none. */
export function gameFrom(value: unknown): Game | null {
  const { attempts, now } = (value ?? {}) as Partial<Record<keyof Game, unknown>>;
  if (!Array.isArray(attempts) || typeof now !== "number" || !(now in attempts)) return null;
  const read = attempts.map((one: unknown): Attempt | null => {
    const [moves, at] = Array.isArray(one) ? (one as unknown[]) : [];
    if (typeof moves !== "string" || typeof at !== "number") return null;
    const steps = stepsOf(moves);
    return Number.isInteger(at) && at >= 0 && at <= steps.length ? { steps, at } : null;
  });
  return read.every((one) => one !== null) ? { attempts: read, now } : null;
}
