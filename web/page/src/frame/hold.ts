// What goes on while it is held: a button, or a swipe.

const WAIT = 400;
const EVERY = 120;

let timer: ReturnType<typeof setTimeout> | undefined;
let isRepeated = false;

/** Whether the last one that was held went on: then its end is no press of its own. */
export const wasHeld = () => isRepeated;

/** Does it once, and again and again until `release`, as long as it can. */
export function hold(act: () => void, can: () => boolean, wait = WAIT, every = EVERY) {
  release();
  isRepeated = false;
  const again = () => {
    if (!can()) return release();
    isRepeated = true;
    act();
    timer = setTimeout(again, every);
  };
  timer = setTimeout(again, wait);
}

export function release() {
  clearTimeout(timer);
  timer = undefined;
}
