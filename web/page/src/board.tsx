// The board: the engine's picture, and what a finger or a mouse does on it.

import { useRef } from "preact/hooks";
import { extend, grab, type Drawing } from "./flow";
import type { Cell, Shown } from "./protocol";
import { texts } from "./texts";

interface Props {
  shown: Shown;
  label: string;
  /** Flow: what was drawn by hand; `null` where pieces move instead. */
  drawing: Drawing | null;
  onDrawing(drawing: Drawing): void;
  /** A cell was tapped. */
  onTap(cell: Cell): void;
  /** Something was dragged from a cell to another. */
  onDrag(from: Cell, to: Cell): void;
}

/** Colours of drawn paths, distinguishable by every common kind of colour vision (Okabe and Ito). */
const HUES = ["#e69f00", "#56b4e9", "#009e73", "#f0e442", "#0072b2", "#d55e00", "#cc79a7", "#bbbbbb"];

function Paths({ shown, drawing }: { shown: Shown; drawing: Drawing }) {
  const grid = shown.grid;
  if (!grid) return null;
  const at = (cell: Cell) => `${cell[1] + 0.5},${cell[0] + 0.5}`;
  const labels = shown.ends.map((end) => end.label);
  const size = `0 0 ${grid.columns} ${grid.rows}`;
  return (
    <svg class="overlay" viewBox={size} aria-hidden="true">
      {[...drawing].map(([label, cells]) => (
        <polyline
          key={label}
          points={cells.map(at).join(" ")}
          stroke={HUES[labels.indexOf(label) % HUES.length]}
          stroke-width={0.3}
          fill="none"
          stroke-linecap="round"
          stroke-linejoin="round"
          opacity="0.85"
        />
      ))}
    </svg>
  );
}

export function Board({ shown, label, drawing, onDrawing, onTap, onDrag }: Props) {
  const area = useRef<HTMLDivElement>(null);
  const from = useRef<Cell | null>(null);
  const drawn = useRef<{ label: string; drawing: Drawing } | null>(null);

  const cellAt = (event: PointerEvent): Cell | null => {
    const box = area.current?.querySelector("svg")?.getBoundingClientRect();
    if (!box || !shown.grid || box.width === 0) return null;
    const column = Math.floor(((event.clientX - box.left) / box.width) * shown.grid.columns);
    const row = Math.floor(((event.clientY - box.top) / box.height) * shown.grid.rows);
    const inside = row >= 0 && column >= 0 && row < shown.grid.rows && column < shown.grid.columns;
    return inside ? [row, column] : null;
  };

  const down = (event: PointerEvent) => {
    const cell = cellAt(event);
    from.current = cell;
    if (cell === null) return;
    area.current?.setPointerCapture(event.pointerId);
    if (drawing === null) return;
    const grabbed = grab(shown, drawing, cell);
    if (grabbed === null) return;
    drawn.current = { label: grabbed[0], drawing: grabbed[1] };
    onDrawing(grabbed[1]);
  };

  const move = (event: PointerEvent) => {
    const cell = cellAt(event);
    const current = drawn.current;
    if (cell === null || current === null) return;
    const next = extend(shown, current.drawing, current.label, cell);
    if (next === current.drawing) return;
    drawn.current = { label: current.label, drawing: next };
    onDrawing(next);
  };

  const up = (event: PointerEvent) => {
    const [begun, ended] = [from.current, cellAt(event)];
    from.current = null;
    drawn.current = null;
    if (drawing !== null || begun === null || ended === null) return;
    if (begun[0] === ended[0] && begun[1] === ended[1]) onTap(ended);
    else onDrag(begun, ended);
  };

  return (
    <div
      ref={area}
      class="board"
      role="application"
      aria-label={`${label}. ${drawing === null ? texts.play.board : texts.play.flowBoard}`}
      tabIndex={0}
      onPointerDown={down}
      onPointerMove={move}
      onPointerUp={up}
      onPointerCancel={() => {
        from.current = null;
        drawn.current = null;
      }}
    >
      {/* The engine's own picture: it escapes every text that comes from a level. */}
      <div class="picture" dangerouslySetInnerHTML={{ __html: shown.svg }} />
      {drawing !== null && <Paths shown={shown} drawing={drawing} />}
    </div>
  );
}
