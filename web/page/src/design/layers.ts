// A square has layers: its ground, what lies on it, and who stands there. A brush puts one of them;
// the character that a format has for all of them together is looked up.

import type { FamilyUi, Paint, Tile } from "../families";

type Figure = readonly [kind: string, number?: number];

const SLOTS = ["snow", "balls", "piece", "player"] as const;
type Slot = (typeof SLOTS)[number];

const slotOf = ([kind]: Figure): Slot =>
  (SLOTS as readonly string[]).includes(kind) ? (kind as Slot) : "piece";

const bySlot = (on: readonly Figure[] = []) => new Map(on.map((figure) => [slotOf(figure), figure]));

function nameOf(ground: string, on: ReadonlyMap<Slot, Figure>): string {
  const figures = SLOTS.map((slot) => on.get(slot)).map(
    (figure) => figure && `${figure[0]} ${figure[1] ?? 0}`,
  );
  return [ground, ...figures].join();
}

/** What a character shows. */
export function tileOf(ui: FamilyUi, glyph: string): Tile | null {
  return ui.paints.find((one) => one.glyph === glyph && !one.on)?.tile ?? null;
}

/** The character of a square with these layers, if the family has such squares. */
function glyphOf(ui: FamilyUi, ground: string, on: ReadonlyMap<Slot, Figure>): string | undefined {
  const name = nameOf(ground, on);
  return ui.paints.find(({ tile, on }) => !on && tile && nameOf(tile.ground, bySlot(tile.on)) === name)
    ?.glyph;
}

/** Balls roll onto larger ones; anything else takes the place of what is there. */
function together(was: Figure | undefined, put: Figure): Figure {
  const [[kind, number = 0], there] = [put, was?.[1] ?? 0];
  return kind === "balls" && was && (there & number) === 0 ? [kind, there | number] : put;
}

/** What stands on a square after a brush has passed. */
export function laid(ui: FamilyUi, glyph: string, brush: Paint): string {
  if (!brush.tile || brush.glyph === ui.blank) return brush.glyph;
  const { ground, on } = tileOf(ui, glyph) ?? { ground: "floor" };
  const now = bySlot(on);
  const put = bySlot(brush.tile.on);
  if (put.size === 0) return glyphOf(ui, brush.tile.ground, now) ?? brush.glyph;
  const all = new Map(now);
  for (const [slot, figure] of put) all.set(slot, together(now.get(slot), figure));
  return glyphOf(ui, ground, all) ?? glyphOf(ui, ground, put) ?? brush.glyph;
}

/** What stays when the uppermost layer is taken away. */
export function erased(ui: FamilyUi, glyph: string): string {
  const tile = tileOf(ui, glyph);
  const on = bySlot(tile?.on);
  const last = [...SLOTS].reverse().find((slot) => on.has(slot));
  if (!tile || last === undefined) return ui.blank;
  on.delete(last);
  return glyphOf(ui, tile.ground, on) ?? ui.blank;
}

/** What stays when the layer of a brush is taken away. */
export function without(ui: FamilyUi, glyph: string, brush: Paint): string {
  const [tile, put] = [tileOf(ui, glyph), bySlot(brush.tile?.on)];
  if (!tile || !brush.tile) return ui.blank;
  const on = new Map([...bySlot(tile.on)].filter(([slot]) => !put.has(slot)));
  const ground = put.size > 0 ? tile.ground : (tileOf(ui, ui.blank)?.ground ?? "floor");
  return glyphOf(ui, ground, on) ?? ui.blank;
}

/** What stays when the player goes elsewhere; `undefined` where no player is. */
export function left(ui: FamilyUi, glyph: string): string | undefined {
  const on = bySlot(tileOf(ui, glyph)?.on);
  return on.has("player") ? erased(ui, glyph) : undefined;
}

/** Whether a brush puts the player, of whom there is one. */
export const isPlayer = ({ tile }: Paint) => bySlot(tile?.on).has("player");

/** Whether a paint is one layer: those of several are painted one after the other. */
export function isBrush(paint: Paint): boolean {
  const { tile } = paint;
  if (!tile || paint.on) return true;
  const on = [...(tile.on ?? [])];
  const isWhole = on.length <= 1 && (on.length === 0 || tile.ground === "floor");
  const isBall = on[0]?.[0] !== "balls" || [1, 2, 4].includes(on[0][1] ?? 0);
  return isWhole && isBall;
}
