// A message of a game, over its board.

import { texts } from "../texts";
import { closeMessage, message } from "./told";

export function Messages() {
  if (message.value === null) return null;
  return (
    <div class="notice message" role="status">
      <p>{message.value}</p>
      <button class="main" onClick={closeMessage}>
        {texts.level.goOn}
      </button>
    </div>
  );
}
