// What is asked for in a panel appears on the board, which may be out of sight on a small screen.

export function toBoard() {
  document.querySelector(".board")?.scrollIntoView({ block: "nearest" });
}
