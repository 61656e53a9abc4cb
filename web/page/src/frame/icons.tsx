// Signs on buttons, in a square of side 24; the words are beside them, or heard.

const PATHS = {
  undo: "M9 6L4 11l5 5M4 11h10a6 6 0 0 1 0 12h-3",
  redo: "M15 6l5 5-5 5M20 11H10a6 6 0 0 0 0 12h3",
  restart: "M5 4v5h5M5.5 9A8 8 0 1 1 4 13",
  hint: "M9 21h6M10 18h4M8.5 15.5a6 6 0 1 1 7 0L15 18H9z",
  level: "M4 4h7v7H4zM13 4h7v7h-7zM4 13h7v7H4zM13 13h7v7h-7z",
  solve: "M4 12.5l5 5L20 6.5",
  help: "M9 9a3 3 0 1 1 4.5 2.6c-1 .6-1.5 1.2-1.5 2.4M12 18v.5M12 2.5a9.5 9.5 0 1 0 .01 0z",
  edit: "M4 20l1-5L16 4l4 4L9 19zM14 6l4 4",
  play: "M7 4l13 8-13 8z",
  share: "M16 6l-4-4-4 4M12 2v13M6 11H4v11h16V11h-2",
  act: "M6 6l12 12M18 6L6 18",
  close: "M6 6l12 12M18 6L6 18",
} as const;

export type IconName = keyof typeof PATHS;

export function Icon({ name }: { name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  );
}
