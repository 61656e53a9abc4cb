// How things look: each in a square of side 1, by shapes whose colours the style sheet has.

import type { JSX } from "preact";
import type { Sprite } from "../protocol";

const DIAMOND = "M.5 .2L.8 .5L.5 .8L.2 .5Z";

/** A box of some squares side by side; on its goal it is another colour and another sign. */
function Box({ width, home }: { width: number; home: boolean }) {
  return (
    <g class={home ? "box home" : "box"}>
      <rect x=".09" y=".09" width={width - 0.18} height=".82" rx=".1" />
      {home ? (
        <path class="sign" d={`M${width / 2} .3l.2 .2l-.2 .2l-.2 -.2z`} />
      ) : (
        <path class="line" d={`M.2 .2L${width - 0.2} .8M${width - 0.2} .2L.2 .8`} />
      )}
    </g>
  );
}

/** A part of a wide box that is painted: open where it goes on. */
function BoxPart({ from, to }: { from: number; to: number }) {
  return (
    <g class="box">
      <rect x={from} y=".09" width={to - from} height=".82" rx=".06" />
    </g>
  );
}

function Player() {
  return (
    <g class="player">
      <circle cx=".5" cy=".5" r=".33" />
      <circle class="eye" cx=".4" cy=".44" r=".055" />
      <circle class="eye" cx=".6" cy=".44" r=".055" />
      <path class="mouth" d="M.37 .58Q.5 .7 .63 .58" />
    </g>
  );
}

const RADII: readonly (readonly [bit: number, radius: number])[] = [
  [4, 0.41],
  [2, 0.29],
  [1, 0.165],
];

/** A stack of balls from above; a whole snowman has a face. */
function Balls({ number }: { number: number }) {
  return (
    <g class="balls">
      {RADII.filter(([bit]) => number & bit).map(([bit, radius]) => (
        <circle key={bit} class={`ball-${bit}`} cx=".5" cy=".5" r={radius} />
      ))}
      {number === 7 && (
        <>
          <path class="nose" d="M.5 .46L.73 .53L.5 .57Z" />
          <circle class="eye" cx=".44" cy=".42" r=".03" />
          <circle class="eye" cx=".55" cy=".42" r=".03" />
        </>
      )}
    </g>
  );
}

const SYMBOLS: Readonly<Record<string, string>> = {
  hydrogen: "H",
  helium: "He",
  oxygen: "O",
  nitrogen: "N",
  carbon: "C",
};

function Atom({ element, free }: { element: string; free: number }) {
  const electrons = Array.from({ length: free }, (_, index) => (index + 0.5) * (Math.PI / 2));
  return (
    <g class={`atom ${element}`}>
      <circle cx=".5" cy=".5" r=".35" />
      <text x=".5" y=".5">
        {SYMBOLS[element]}
      </text>
      {electrons.map((angle) => (
        <circle
          key={angle}
          class="electron"
          cx={0.5 + 0.37 * Math.cos(angle)}
          cy={0.5 + 0.37 * Math.sin(angle)}
          r=".07"
        />
      ))}
    </g>
  );
}

/** Parallel lines from the middle of one square to the middle of another. */
function Bond({ across, down, lines }: { across: number; down: number; lines: number }) {
  return (
    <g class="bond">
      {Array.from({ length: lines }, (_, index) => {
        const shift = 0.15 * index - 0.075 * (lines - 1);
        const [x, y] = [0.5 + (across === 0 ? shift : 0), 0.5 + (across === 0 ? 0 : shift)];
        return <path key={index} d={`M${x} ${y}l${across} ${down}`} />;
      })}
    </g>
  );
}

const SNOW = [
  [0.24, 0.26],
  [0.72, 0.34],
  [0.34, 0.74],
  [0.78, 0.78],
] as const;

interface Look {
  readonly kind: string;
  readonly number: number;
  /** Squares side by side. */
  readonly width?: number;
  /** From the first place to the second one, where it joins two. */
  readonly to?: readonly [across: number, down: number];
  /** Whether a box is where one is asked for. */
  readonly home?: boolean;
  /** Whether the player is an atom: then it is a ring around it. */
  readonly ring?: boolean;
}

/** Something that moves or changes. */
export function Piece({
  kind,
  number,
  width = 1,
  to = [0, 0],
  home = false,
  ring = false,
}: Look): JSX.Element {
  switch (kind) {
    case "box":
      return <Box width={width} home={home} />;
    case "box-left":
      return <BoxPart from={0.09} to={1} />;
    case "box-middle":
      return <BoxPart from={0} to={1} />;
    case "box-right":
      return <BoxPart from={0} to={0.91} />;
    case "player":
      return ring ? <circle class="steered" cx=".5" cy=".5" r=".42" /> : <Player />;
    case "balls":
      return <Balls number={number} />;
    case "snow":
      return (
        <g class="snow">
          <rect x=".02" y=".02" width=".96" height=".96" />
          {SNOW.map(([x, y]) => (
            <circle key={x} cx={x} cy={y} r=".045" />
          ))}
        </g>
      );
    case "bond":
      return <Bond across={to[0]} down={to[1]} lines={number} />;
    default:
      return <Atom element={kind} free={number} />;
  }
}

/** What a square has on its ground beyond its colour. */
export function groundSign(kind: string): JSX.Element | null {
  switch (kind) {
    case "goal":
      return <path class="goal-sign" d={DIAMOND} />;
    case "target":
      return <circle class="target-sign" cx=".5" cy=".5" r=".44" />;
    case "teleporter":
      return (
        <g class="teleporter-sign">
          <circle cx=".5" cy=".5" r=".37" />
          <circle cx=".5" cy=".5" r=".2" />
        </g>
      );
    case "anything":
      return (
        <text class="letter-sign" x=".5" y=".5">
          ?
        </text>
      );
    default:
      // A character that only its level gives a meaning.
      return kind.length === 1 ? (
        <text class="letter-sign" x=".5" y=".5">
          {kind}
        </text>
      ) : null;
  }
}

/** What stands on a corner of four squares, around the point 0, 0. */
export function CornerSign({ kind }: { kind: string }) {
  return (
    <g class="corner">
      <circle r=".19" />
      {kind === "rotate" && <circle class="sign" r=".09" />}
      {kind === "weaken" && <path class="sign" d="M-.07 .1L.07 -.1" />}
      {kind === "strengthen" && <path class="sign" d="M-.1 0H.1M0 -.1V.1" />}
    </g>
  );
}

/** Dots in a row or a column of a sprite. */
export const DOTS = 5;

/** How a thing looks that the text of a level draws. */
export function Dots({ sprite }: { sprite: Sprite }) {
  return (
    <>
      {sprite.runs.map(([row, column, length, colour]) => (
        <rect
          key={`${row},${column}`}
          x={column / DOTS}
          y={row / DOTS}
          width={length / DOTS}
          height={1 / DOTS}
          fill={colour}
        />
      ))}
    </>
  );
}

/** A letter of Flow, for a button. */
export function LetterIcon({ letter, colour }: { letter: string; colour: string | null }) {
  return (
    <svg class="tile ends" viewBox="0 0 1 1" aria-hidden="true">
      <rect class="cell" width="1" height="1" />
      <circle cx=".5" cy=".5" r=".4" style={{ fill: colour ?? "var(--card)" }} />
      <text x=".5" y=".5">
        {letter}
      </text>
    </svg>
  );
}

/** A tile for a button: a paint of the editor, or what the text of a level draws. */
export function TileIcon({
  ground,
  on = [],
  drawn = [],
}: {
  ground: string;
  on?: readonly (readonly [string, number?])[];
  drawn?: readonly (Sprite | undefined)[];
}) {
  const isAtom = on.some(([kind]) => kind in SYMBOLS);
  return (
    <svg class="tile" viewBox="0 0 1 1" aria-hidden="true">
      <rect class={`ground ${ground}`} width="1" height="1" />
      {groundSign(ground)}
      {ground === "goal" && on.length > 0 && <path class="goal-sign" d="M.5 .04L.96 .5L.5 .96L.04 .5Z" />}
      {drawn.map((sprite, index) => sprite && <Dots key={index} sprite={sprite} />)}
      {on.map(([kind, number = 0]) => (
        <Piece key={kind} kind={kind} number={number} home={ground === "goal"} ring={isAtom} />
      ))}
    </svg>
  );
}

/** A sign on corners, for a button. */
export function CornerIcon({ kind }: { kind: string }) {
  return (
    <svg class="tile" viewBox="-.3 -.3 .6 .6" aria-hidden="true">
      <CornerSign kind={kind} />
    </svg>
  );
}

export const isAtom = (kind: string) => kind in SYMBOLS;
