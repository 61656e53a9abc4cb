// What a person writes who uses the package: it is only compiled.

import { count, hint, read, solve, UnstuckError, type Verdict } from "./index.js";

export async function verdict(text: string): Promise<string> {
  try {
    const answer: Verdict = await solve(text, { seconds: 5, onProgress: ({ doing }) => console.log(doing) });
    const next = await hint(text, "", { degree: "piece" });
    const levels = await read(text);
    return `${answer.sentence} ${next.sentence} ${levels.length} ${(await count(text)).plans ?? "?"}`;
  } catch (error) {
    return error instanceof UnstuckError ? `${error.line ?? "-"}: ${error.message}` : String(error);
  }
}
