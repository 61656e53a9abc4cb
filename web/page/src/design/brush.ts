// The brush, and what it does to a level: layer by layer, a stroke at a time, on both sides where that
// is wanted.

import { signal } from "@preact/signals";
import type { Spot } from "../board/board";
import { FAMILY_UI, type FamilyUi, type Paint } from "../families";
import * as drafts from "./drafts";
import { legend } from "./legend";
import { erased, isBrush, isPlayer, laid, left, without } from "./layers";
import { join, lifted, paint, sheetOf, sign, sizeOf, textOf, type Sheet } from "./sheet";

/** The brush, by its name among the paints of each family. */
const chosen = signal<Readonly<Record<string, string>>>({});
/** Whether what is painted appears on the other side, too. */
export const symmetric = signal(false);

export const ui = (): FamilyUi => FAMILY_UI[drafts.family.value] ?? FAMILY_UI["sokoban"]!;

export const sheet = (): Sheet => sheetOf(drafts.content.value.text, ui().form);

/** The brushes of the family; in games with a legend of their own, what that has. */
export function paints(): readonly Paint[] {
  const used = sheet().boards.flatMap(({ rows }) => rows);
  const all = new Set([...legend.value.keys(), ...used.join("")]);
  const known = ui().paints;
  const others = [...all].filter((glyph) => !known.some((one) => one.glyph === glyph && !one.on));
  return [
    ...known.filter(isBrush),
    ...others.map((glyph) => ({ glyph, name: legend.value.get(glyph)?.name ?? glyph, tile: null })),
  ];
}

export function brush(): Paint {
  const [name, all] = [chosen.value[drafts.family.value], paints()];
  const none = { glyph: ui().blank, name: ui().blank, tile: null };
  return all.find((one) => one.name === name) ?? all[0] ?? none;
}

export function choose({ name }: Paint) {
  chosen.value = { ...chosen.value, [drafts.family.value]: name };
}

/** Changes the level; always from the newest text: a quick hand is ahead of what is drawn. */
export function change(next: (sheet: Sheet) => Sheet, goesOn = false) {
  drafts.write((text) => textOf(next(sheetOf(text, ui().form))), goesOn);
}

/** The board that is sized and turned: of a game, the map that is painted. */
export const mainBoard = (of: Sheet) =>
  of.boards[ui().form === "game" ? drafts.part.value : 0] ?? { rows: [], after: [] };

/** Changes all boards of the level; of a game, the map that is painted. */
export function reshape(next: (sheet: Sheet) => Sheet) {
  change((sheet) => {
    if (ui().form !== "game") return next(sheet);
    const [one] = next({ ...sheet, boards: [mainBoard(sheet)] }).boards;
    return {
      ...sheet,
      boards: sheet.boards.map((board, at) => (one && at === drafts.part.value ? one : board)),
    };
  });
}

export const glyphAt = (of: number, [row, column]: Spot) =>
  [...(sheet().boards[of]?.rows[row] ?? "")][column];

/** Whether the brush would change nothing there: then it takes away. */
export function isThere(of: number, cell: Spot): boolean {
  const [glyph, now] = [glyphAt(of, cell) ?? ui().outside, brush()];
  return now.glyph !== ui().blank && laid(ui(), glyph, now) === glyph;
}

/** What a stroke does: it puts the brush, takes away the same, or whatever is uppermost. */
export type Stroke = "puts" | "takes" | "erases";

/** Does to a square what a stroke does; whether that changes something. */
export function put(of: number, cell: Spot, stroke: Stroke, goesOn: boolean): boolean {
  const [before, now] = [drafts.content.value.text, brush()];
  const one = stroke === "puts" && isPlayer(now);
  change((sheet) => {
    const [, width] = sizeOf(sheet.boards[of] ?? { rows: [], after: [] });
    const alone = one ? lifted(sheet, of, (glyph) => left(ui(), glyph)) : sheet;
    const [row, column] = cell;
    const on = (sheet: Sheet, at: Spot) => {
      const glyph = [...(sheet.boards[of]?.rows[at[0]] ?? "")][at[1]] ?? ui().outside;
      const next = { puts: laid, takes: without, erases: erased }[stroke](ui(), glyph, now);
      return paint(sheet, of, at, next, ui().blank);
    };
    const painted = on(alone, cell);
    return symmetric.value && !one && column !== width - 1 - column
      ? on(painted, [row, width - 1 - column])
      : painted;
  }, goesOn);
  return drafts.content.value.text !== before;
}

/** Puts a sign on a corner, or takes it away. */
export function putSign(cell: Spot) {
  const { glyph } = brush();
  change((sheet) => sign(sheet, cell, glyph));
}

/** Joins or parts two squares. */
export function tie(a: Spot, b: Spot) {
  const { glyph } = brush();
  change((sheet) => join(sheet, a, b, glyph as "WALL" | "LINK"));
}
