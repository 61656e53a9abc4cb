// The boards of a level to be painted on, by mouse, finger or keys.

import { useRef, useState } from "preact/hooks";
import type { FamilyUi, Paint } from "./families";
import type { Cell } from "./protocol";
import { join, key, lifted, paint, sign, sizeOf, wallsOf, type Sheet } from "./sheet";
import { texts } from "./texts";

interface Props {
  sheet: Sheet;
  ui: FamilyUi;
  chosen: Paint;
  /** Changes the level; a stroke that goes on is taken back together with its beginning. */
  change(next: (sheet: Sheet) => Sheet, goesOn: boolean): void;
}

interface Spot {
  readonly board: number;
  readonly cell: Cell;
}

const isSame = (a: Spot | null, b: Spot) => a !== null && a.board === b.board && key(...a.cell) === key(...b.cell);

function spotAt(event: PointerEvent): Spot | null {
  // A finger stays captured by the cell where it began: what lies under it counts.
  const cell = document.elementFromPoint(event.clientX, event.clientY)?.closest<HTMLElement>("[data-cell]");
  if (!cell) return null;
  const [row = 0, column = 0] = (cell.dataset["cell"] ?? "").split(",").map(Number);
  return { board: Number(cell.dataset["board"]), cell: [row, column] };
}

export function Painting({ sheet, ui, chosen, change }: Props) {
  const [cursor, setCursor] = useState<Spot>({ board: 0, cell: [0, 0] });
  /** The first of two cells that are to be joined or parted. */
  const [first, setFirst] = useState<Spot | null>(null);
  const last = useRef<Spot | null>(null);
  const nameOf = (glyph: string) => ui.paints.find((one) => one.glyph === glyph && !one.on)?.name ?? glyph;
  const left = (glyph: string) => ui.paints.find((one) => one.glyph === glyph && one.leaves !== undefined)?.leaves;
  const walls = wallsOf(sheet);
  const isWalled = (cell: Cell, [down, right]: Cell) => {
    const [a, b] = [key(...cell), key(cell[0] + down, cell[1] + right)];
    return walls.some(([from, to]) => [key(...from), key(...to)].sort().join() === [a, b].sort().join());
  };

  const apply = (spot: Spot, goesOn: boolean) => {
    setCursor(spot);
    if (chosen.on === "pair") {
      if (first === null || first.board !== spot.board) return setFirst(spot);
      if (!isSame(first, spot)) change((sheet) => join(sheet, first.cell, spot.cell, chosen.glyph as "WALL" | "LINK"), false);
      return setFirst(null);
    }
    if (chosen.on === "corner") return goesOn || change((sheet) => sign(sheet, spot.cell, chosen.glyph), false);
    change((sheet) => {
      const alone = chosen.leaves === undefined ? sheet : lifted(sheet, spot.board, left);
      return paint(alone, spot.board, spot.cell, chosen.glyph, ui.blank);
    }, goesOn);
  };
  const down = (event: PointerEvent) => {
    const spot = spotAt(event);
    if (spot === null || event.button !== 0) return;
    last.current = spot;
    apply(spot, false);
  };
  const move = (event: PointerEvent) => {
    const spot = last.current && spotAt(event);
    if (!spot || isSame(last.current, spot)) return;
    last.current = spot;
    if (chosen.on !== "pair") apply(spot, true);
  };
  const up = (event: PointerEvent) => {
    const spot = spotAt(event);
    last.current = null;
    // Drawn from the one to the other, instead of two taps.
    if (spot && chosen.on === "pair" && first !== null && !isSame(first, spot)) apply(spot, false);
  };
  const press = (event: KeyboardEvent) => {
    const by = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }[event.key];
    if (by) {
      const [height, width] = sizeOf(sheet.boards[cursor.board] ?? { rows: [], after: [] });
      const [row, column] = [cursor.cell[0] + (by[0] ?? 0), cursor.cell[1] + (by[1] ?? 0)];
      // Past the last row the next board begins, where there is one.
      const other = row >= height ? 1 : row < 0 ? -1 : 0;
      const next = sheet.boards[cursor.board + other];
      if (other !== 0 && next) setCursor({ board: cursor.board + other, cell: [other > 0 ? 0 : next.rows.length - 1, column] });
      else setCursor({ board: cursor.board, cell: [Math.max(0, Math.min(height - 1, row)), Math.max(0, Math.min(width - 1, column))] });
    } else if (event.key === " " || event.key === "Enter") {
      apply(cursor, false);
    } else {
      return;
    }
    event.preventDefault();
  };
  const id = (spot: Spot) => `cell-${spot.board}-${spot.cell.join("-")}`;
  return (
    <div
      class="painting" role="grid" aria-label={texts.edit.grid} tabIndex={0} data-own-keys
      aria-activedescendant={id(cursor)} onPointerDown={down} onPointerMove={move} onPointerUp={up}
      onPointerCancel={() => (last.current = null)} onKeyDown={press}
    >
      {sheet.boards.map((board, number) => {
        const [, width] = sizeOf(board);
        return (
          <div key={number} role="rowgroup" class="sheet" style={{ "--columns": width }}>
            {board.rows.map((line, row) => (
              <div key={row} role="row" class="line">
                {[...line.padEnd(width, ui.outside)].map((glyph, column) => {
                  const spot: Spot = { board: number, cell: [row, column] };
                  const corner = number === 0 ? sheet.corners.get(key(row, column)) : undefined;
                  const classes = [
                    ...(isSame(cursor, spot) ? ["cursor"] : []),
                    ...(isSame(first, spot) ? ["first"] : []),
                    ...(number === 0 && isWalled(spot.cell, [0, 1]) ? ["wall-right"] : []),
                    ...(number === 0 && isWalled(spot.cell, [1, 0]) ? ["wall-below"] : []),
                  ];
                  return (
                    <span
                      key={column} id={id(spot)} role="gridcell" class={classes.join(" ")} data-board={number}
                      data-cell={key(row, column)} data-glyph={glyph} data-corner={corner} aria-label={texts.edit.cell(row + 1, column + 1, nameOf(glyph))}
                    >
                      {glyph}
                    </span>
                  );
                })}
              </div>
            ))}
          </div>
        );
      })}
    </div>
  );
}
