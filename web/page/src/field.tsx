// A field that one types into. What is being typed stays until it is complete: the page is drawn
// anew at any time, and half a number is no number yet.

import { useState } from "preact/hooks";

interface TextProps {
  value: string;
  set(value: string): void;
}

interface NumberProps {
  value: number;
  min: number;
  max: number;
  set(value: number): void;
}

export function TextField({ value, set }: TextProps) {
  const [draft, setDraft] = useState<string | null>(null);
  const complete = (written: string) => {
    setDraft(null);
    set(written);
  };
  return <input value={draft ?? value} onInput={(event) => setDraft(event.currentTarget.value)} onChange={(event) => complete(event.currentTarget.value)} />;
}

/** A whole number; what is none leaves the old one, what is out of bounds the nearest one. */
export function NumberField({ value, min, max, set }: NumberProps) {
  const [draft, setDraft] = useState<string | null>(null);
  const complete = (written: string) => {
    setDraft(null);
    const wanted = Math.round(Number(written));
    if (written !== "" && Number.isFinite(wanted)) set(Math.max(min, Math.min(max, wanted)));
  };
  return (
    <input
      type="number" min={min} max={max} value={draft ?? value}
      onInput={(event) => setDraft(event.currentTarget.value)} onChange={(event) => complete(event.currentTarget.value)}
    />
  );
}
