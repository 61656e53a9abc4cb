// The board: the one picture of a level, whether it is played, shown as a film, explained or
// painted. What is on it comes as data; here it is drawn, and pointed at.

import type { ComponentChildren, JSX } from "preact";
import { useId, useMemo } from "preact/hooks";
import { stepOfKey } from "../families";
import type { Keyed } from "./figures";
import type { Drawing } from "./paths";
import type { Figure, MarkView, Paths, Squares } from "../protocol";
import { cellWords, figureWords, squareWords } from "./scene";
import { key as placeKey } from "../design/sheet";
import { CornerSign, Dots, groundSign, isAtom, Piece } from "./tiles";
import { texts } from "../texts";

export type Spot = readonly [row: number, column: number];

interface Props {
  ground: Squares | Paths;
  figures: readonly Keyed[];
  /** What is said of the board as a whole. */
  label: string;
  /** How the board is used, and whose it is: the style sheet looks them up. */
  mode: string;
  puzzle: string;
  /** Where pieces would come to. */
  ghosts?: readonly Figure[];
  marks?: readonly MarkView[];
  drawing?: Drawing | undefined;
  /** Cells that the other solution passes otherwise; drawn beneath as dashes. */
  other?: Drawing | undefined;
  cursor?: Spot | null;
  /** The first of two squares that are to be joined or parted. */
  first?: Spot | null;
  /** What is drawn above all of it. */
  children?: ComponentChildren;
  onDown?(point: Point, event: PointerEvent): void;
  onMove?(point: Point, event: PointerEvent): void;
  onUp?(point: Point, event: PointerEvent): void;
  onCancel?(): void;
  onKey?(event: KeyboardEvent): void;
}

/** A point on the board, in widths of a square. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

/** Up, right, down and left. */
export const WAYS = [
  [-1, 0],
  [0, 1],
  [1, 0],
  [0, -1],
] as const;

/** Keys of a board that has a cursor: arrows go one of the four ways, the space bar does what a finger would. */
export function cursorKeys(event: KeyboardEvent, go: (way: (typeof WAYS)[number]) => void, act: () => void) {
  const way = event.key.startsWith("Arrow") ? WAYS[stepOfKey(event.key) ?? -1] : undefined;
  if (way !== undefined) go(way);
  else if (event.key === " " || event.key === "Enter") act();
  else return;
  event.preventDefault();
  event.stopPropagation();
}

/** The square of a point, if it is on the board. */
export function squareAt(ground: Pick<Squares, "rows" | "columns">, { x, y }: Point): Spot | null {
  const [row, column] = [Math.floor(y), Math.floor(x)];
  const isInside = row >= 0 && column >= 0 && row < ground.rows && column < ground.columns;
  return isInside ? [row, column] : null;
}

export const isSquares = (ground: Squares | Paths): ground is Squares => "squares" in ground;

export function sizeOf(ground: Squares | Paths): readonly [width: number, height: number] {
  return isSquares(ground) ? [ground.columns, ground.rows] : [ground.width, ground.height];
}

/** One shape for all squares of a kind: a board has thousands of them. */
function outline({ rows, columns, kinds, squares }: Squares, kind: string): string {
  const wanted = kinds.indexOf(kind);
  const parts: string[] = [];
  for (let row = 0; row < rows; row += 1) {
    for (let column = 0; column < columns; column += 1) {
      if (squares[row * columns + column] !== wanted) continue;
      let end = column + 1;
      while (end < columns && squares[row * columns + end] === wanted) end += 1;
      parts.push(`M${column} ${row}h${end - column}v1h${column - end}z`);
      column = end;
    }
  }
  return parts.join("");
}

/** Lines between open squares, so that distances can be counted. */
function gridLines({ rows, columns, kinds, squares }: Squares): string {
  const isOpen = (row: number, column: number) => {
    const kind = column < columns ? (kinds[squares[row * columns + column] ?? -1] ?? "wall") : "wall";
    return kind !== "wall" && kind !== "outside";
  };
  const parts: string[] = [];
  for (let row = 0; row < rows; row += 1) {
    for (let column = 0; column < columns; column += 1) {
      if (!isOpen(row, column)) continue;
      if (isOpen(row, column + 1)) parts.push(`M${column + 1} ${row}v1`);
      if (isOpen(row + 1, column)) parts.push(`M${column} ${row + 1}h1`);
    }
  }
  return parts.join("");
}

const SIGNED = ["goal", "target", "teleporter", "anything"];

function GroundOfSquares({ ground, of }: { ground: Squares; of: string }) {
  const { kinds, squares, columns } = ground;
  return (
    <g class="ground-squares">
      {kinds
        .filter((kind) => kind !== "wall")
        .map((kind) => (
          <path key={kind} class={`ground ${kind}`} d={outline(ground, kind)} />
        ))}
      <path class="grid-lines" d={gridLines(ground)} />
      <Sprites sprites={ground.sprites} of={of} />
      <path class="ground wall" d={outline(ground, "wall")} />
      {squares.map((number, index) => {
        const kind = kinds[number] ?? "";
        if (!SIGNED.includes(kind) && kind.length !== 1) return null;
        const at = `translate(${index % columns} ${Math.floor(index / columns)})`;
        return (
          <g key={index} transform={at}>
            {groundSign(kind)}
          </g>
        );
      })}
    </g>
  );
}

const spriteId = (of: string, number: number) => `${of}-sprite-${number}`;

/** How figures look that the text of a level draws; used wherever they stand. */
function Sprites({ sprites, of }: { sprites: Squares["sprites"]; of: string }) {
  return (
    <defs>
      {sprites.map((sprite, number) => (
        <g key={number} id={spriteId(of, number)} shape-rendering="crispEdges">
          <Dots sprite={sprite} />
        </g>
      ))}
    </defs>
  );
}

function GroundOfPaths({ ground }: { ground: Paths }) {
  const { cells, walls, ways, square } = ground;
  // Neighbours on a lattice are seen; on a graph they must be shown.
  const isLattice = cells.every(({ name }) => /^\d+,\d+$/.test(name));
  const isFar = ([a, b]: readonly [number, number]) => {
    const [one, other] = [cells[a], cells[b]];
    return one && other && Math.hypot(one.x - other.x, one.y - other.y) > 1.2;
  };
  const line = ([a, b]: readonly [number, number]) =>
    `M${cells[a]?.x ?? 0} ${cells[a]?.y ?? 0}L${cells[b]?.x ?? 0} ${cells[b]?.y ?? 0}`;
  return (
    <g class="ground-paths">
      <path class="ways" d={(isLattice ? ways.filter(isFar) : ways).map(line).join("")} />
      {cells.map(({ name, x, y, bridge }) => (
        <g key={name} transform={`translate(${x} ${y})`}>
          {square ? (
            <rect class="cell" x="-.47" y="-.47" width=".94" height=".94" rx=".06" />
          ) : (
            <circle class="cell" r=".46" />
          )}
          {bridge && <path class="bridge" d="M-.46 0H.46M0 -.46V.46" />}
        </g>
      ))}
      {walls.map(([a, b]) => {
        const [one, other] = [cells[a], cells[b]];
        if (!one || !other) return null;
        const [x, y] = [(one.x + other.x) / 2, (one.y + other.y) / 2];
        const [down, across] = [(other.x - one.x) / 2, (other.y - one.y) / 2];
        return (
          <path
            key={`${a},${b}`}
            class="wall-between"
            d={`M${x - across} ${y - down}L${x + across} ${y + down}`}
          />
        );
      })}
    </g>
  );
}

/** What is drawn by hand: under the letters, each in the colour of its label. */
function Strokes({ ground, drawing, kind }: { ground: Paths; drawing: Drawing; kind: string }) {
  const colours = new Map(ground.ends.map(({ label, colour }) => [label, colour]));
  const { cells } = ground;
  return (
    <g class={kind} aria-hidden="true">
      {[...drawing].map(([label, path]) => {
        const points = path.map((number) => cells[number]).filter((cell) => cell !== undefined);
        const parts = points.map((cell, index) => {
          const last = points[index - 1];
          // Over the rim, or by a link: a line across the board would hide it.
          const isFar = last && Math.hypot(cell.x - last.x, cell.y - last.y) > 1.5;
          return `${index === 0 || isFar ? "M" : "L"}${cell.x} ${cell.y}`;
        });
        const d = points.length === 1 ? `${parts[0]}h0` : parts.join("");
        return (
          <path key={label} class="stroke" data-label={label} d={d} style={{ stroke: colours.get(label) }} />
        );
      })}
    </g>
  );
}

function Ends({ ground }: { ground: Paths }) {
  return (
    <g class="ends">
      {ground.ends.flatMap(({ label, colour, cells }) =>
        [...new Set(cells)].map((number) => {
          const { x, y } = ground.cells[number] ?? { x: 0, y: 0 };
          return (
            <g key={`${label} ${number}`} transform={`translate(${x} ${y})`}>
              <circle r=".36" style={{ fill: colour }} />
              <text class={label.length > 2 ? "small" : ""}>{label}</text>
            </g>
          );
        }),
      )}
    </g>
  );
}

/** Figures where they stand; they slide when they go elsewhere. */
function Figures({
  ground,
  figures,
  kind,
  of,
}: {
  ground: Squares;
  figures: readonly Figure[];
  kind: string;
  of: string;
}) {
  const steered = figures.some((figure) => isAtom(figure.kind));
  const isGoal = (row: number, column: number) => {
    const word = ground.kinds[ground.squares[row * ground.columns + column] ?? -1];
    return word === "goal";
  };
  return (
    <g class={kind}>
      {figures.map((figure, index) => {
        const [[row, column] = [0, 0], [toRow, toColumn] = [row, column]] = figure.places;
        const home = figure.places.every((place) => isGoal(...place));
        return (
          <g
            // What becomes another thing is drawn anew.
            key={`${figure.kind} ${(figure as Partial<Keyed>).key ?? index}`}
            class={`figure is-${figure.kind}`}
            style={{ transform: `translate(${column}px,${row}px)` }}
          >
            {ground.sprites.length > 0 ? (
              <use href={`#${spriteId(of, figure.number)}`} />
            ) : (
              <Piece
                kind={figure.kind}
                number={figure.number}
                width={figure.places.length}
                to={[toColumn - column, toRow - row]}
                home={home}
                ring={steered}
              />
            )}
          </g>
        );
      })}
    </g>
  );
}

const centre = (place: Spot | undefined) => [(place?.[1] ?? 0) + 0.5, (place?.[0] ?? 0) + 0.5];

/** Marks with a ring; those that say that something is lost have a cross, too. */
const LOST = ["lost", "warning"];
const RINGED = ["pointed", ...LOST];

/** The head of an arrow that ends at a point. */
function Head({ across, down, at: [x, y] }: { across: number; down: number; at: readonly [number, number] }) {
  const turned = (Math.atan2(down, across) * 180) / Math.PI;
  return <path class="head" d="M.3 0L-.02 -.22V.22Z" transform={`translate(${x} ${y}) rotate(${turned})`} />;
}

function Marks({ marks }: { marks: readonly MarkView[] }) {
  return (
    <g class="marks" aria-hidden="true">
      {marks.map(({ places, look, label }, index) => {
        const [x = 0, y = 0] = centre(places[0]);
        const [toX = x, toY = y] = centre(places[1] ?? places[0]);
        const middle = `translate(${(x + toX) / 2} ${(y + toY) / 2})`;
        return (
          <g key={index} class={`mark ${look}`}>
            {places.length > 1 && <path class="bar" d={`M${x} ${y}L${toX} ${toY}`} />}
            {look.startsWith("way") && <Head across={toX - x} down={toY - y} at={[toX, toY]} />}
            <g transform={middle}>
              {RINGED.includes(look) && <circle class="rim" r=".45" />}
              {RINGED.includes(look) && <circle class="ring" r=".45" />}
              {LOST.includes(look) && <path class="cross" d="M-.3 -.3L.3 .3M-.3 .3L.3 -.3" />}
              {label !== "" && <circle class="plate" r=".24" />}
              {label !== "" && <text>{label}</text>}
            </g>
          </g>
        );
      })}
    </g>
  );
}

/** Boards with more squares are read out around the cursor only. */
const MOST_READ = 2_500;
const AROUND = 8;

const cellId = (row: number, column: number) => `cell-${row}-${column}`;

/** The squares in words, for those who do not see them, and to be pointed at by tests. */
function Words({
  ground,
  figures,
  cursor,
}: {
  ground: Squares | Paths;
  figures: readonly Figure[];
  cursor: Spot | null;
}) {
  const ofPaths = useMemo(() => !isSquares(ground) && <WordsOfPaths ground={ground} />, [ground]);
  if (!isSquares(ground)) return <>{ofPaths}</>;
  const standing = figureWords(figures, ground.sprites);
  const { rows, columns } = ground;
  const isLarge = rows * columns > MOST_READ;
  const around = isLarge ? (cursor?.[0] ?? 0) : 0;
  const from = isLarge ? Math.max(0, around - AROUND) : 0;
  const to = isLarge ? Math.min(rows, around + AROUND + 1) : rows;
  return (
    <g class="words">
      {Array.from({ length: to - from }, (_, index) => from + index).map((row) => (
        <g key={row} role="row" aria-rowindex={row + 1}>
          {Array.from({ length: columns }, (_, column) => (
            <rect
              key={column}
              role="gridcell"
              id={cellId(row, column)}
              data-cell={placeKey(row, column)}
              aria-label={texts.cell(row + 1, column + 1, squareWords(ground, standing, row, column))}
              x={column}
              y={row}
              width="1"
              height="1"
            />
          ))}
        </g>
      ))}
    </g>
  );
}

function WordsOfPaths({ ground }: { ground: Paths }) {
  const rows = new Map<number, number[]>();
  ground.cells.forEach(({ y }, number) => rows.set(y, [...(rows.get(y) ?? []), number]));
  const sorted = [...rows].sort(([a], [b]) => a - b);
  return (
    <g class="words">
      {sorted.map(([y, numbers], row) => (
        <g key={y} role="row">
          {numbers.map((number, column) => {
            const { name, x } = ground.cells[number] ?? { name: "", x: 0 };
            const label = texts.cell(row + 1, column + 1, cellWords(ground, number));
            return (
              <rect
                key={number}
                role="gridcell"
                id={`cell-${number}`}
                data-cell={name}
                aria-label={label}
                x={x - 0.5}
                y={y - 0.5}
                width="1"
                height="1"
              />
            );
          })}
        </g>
      ))}
    </g>
  );
}

interface Seen {
  readonly ground: Squares | Paths;
  readonly figures: readonly Figure[];
  readonly ghosts?: readonly Figure[] | undefined;
  readonly drawing?: Drawing | undefined;
  readonly other?: Drawing | undefined;
}

/** What one sees of a board; nothing of it is read out or pointed at. */
function Sight({ ground, figures, ghosts = [], drawing, other }: Seen): JSX.Element {
  // Boards that are on the page at the same time have sprites of their own.
  const id = useId();
  // The ground stays when pieces move: it is not even compared.
  const under = useMemo(
    () =>
      isSquares(ground) ? <GroundOfSquares ground={ground} of={id} /> : <GroundOfPaths ground={ground} />,
    [ground],
  );
  const ends = useMemo(() => (isSquares(ground) ? null : <Ends ground={ground} />), [ground]);
  const corners = useMemo(
    () =>
      isSquares(ground) &&
      ground.corners.map(({ at: [row, column], kind }) => (
        <g key={placeKey(row, column)} data-corner={kind} transform={`translate(${column + 1} ${row + 1})`}>
          <CornerSign kind={kind} />
        </g>
      )),
    [ground],
  );
  return (
    <>
      {under}
      {other && !isSquares(ground) && <Strokes ground={ground} drawing={other} kind="other" />}
      {drawing && !isSquares(ground) && <Strokes ground={ground} drawing={drawing} kind="drawn" />}
      {ends}
      {isSquares(ground) && <Figures ground={ground} figures={figures} kind="figures" of={id} />}
      {isSquares(ground) && ghosts.length > 0 && (
        <Figures ground={ground} figures={ghosts} kind="ghosts" of={id} />
      )}
      {corners}
    </>
  );
}

/** A board that is only looked at. */
export function Still({ puzzle, ...seen }: Seen & { puzzle: string }): JSX.Element {
  const [width, height] = sizeOf(seen.ground);
  return (
    <svg class="still" data-puzzle={puzzle} viewBox={`0 0 ${width} ${height}`} aria-hidden="true">
      <Sight {...seen} />
    </svg>
  );
}

export function Board(props: Props): JSX.Element {
  const { ground, figures, label, mode, ghosts, marks = [], drawing, other } = props;
  const { cursor = null, first = null } = props;
  const [width, height] = sizeOf(ground);
  const point = (event: PointerEvent): Point => {
    const svg = (event.currentTarget as HTMLElement).querySelector("svg")!.getBoundingClientRect();
    return {
      x: ((event.clientX - svg.left) / svg.width) * width,
      y: ((event.clientY - svg.top) / svg.height) * height,
    };
  };
  const active = cursor === null ? undefined : isSquares(ground) ? cellId(...cursor) : `cell-${cursor[0]}`;
  return (
    <div
      class={`board ${mode}`}
      data-puzzle={props.puzzle}
      role="grid"
      aria-label={label}
      aria-rowcount={isSquares(ground) ? ground.rows : -1}
      aria-colcount={isSquares(ground) ? ground.columns : -1}
      aria-activedescendant={active}
      tabIndex={0}
      style={{ "--columns": width, "--rows": height }}
      onPointerDown={(event) => props.onDown?.(point(event), event)}
      onPointerMove={(event) => props.onMove?.(point(event), event)}
      onPointerUp={(event) => props.onUp?.(point(event), event)}
      onPointerCancel={props.onCancel}
      // Else a quick swipe still runs on when it has ended, and the next tap only stops it.
      onTouchMove={(event) => event.preventDefault()}
      // A finger that rests takes something up, and the right button erases.
      onContextMenu={(event) => event.preventDefault()}
      onKeyDown={props.onKey}
    >
      <svg class="picture" viewBox={`0 0 ${width} ${height}`} role="presentation">
        <Sight ground={ground} figures={figures} ghosts={ghosts} drawing={drawing} other={other} />
        <Marks marks={marks} />
        {props.children}
        {first && <rect class="first" x={first[1]} y={first[0]} width="1" height="1" />}
        {cursor && mode !== "playing" && <Cursor ground={ground} cursor={cursor} />}
        <Words ground={ground} figures={figures} cursor={cursor} />
      </svg>
    </div>
  );
}

function Cursor({ ground, cursor: [row, column] }: { ground: Squares | Paths; cursor: Spot }) {
  if (isSquares(ground)) return <rect class="cursor" x={column} y={row} width="1" height="1" />;
  const { x, y } = ground.cells[row] ?? { x: 0, y: 0 };
  return <rect class="cursor" x={x - 0.5} y={y - 0.5} width="1" height="1" />;
}
