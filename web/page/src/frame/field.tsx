// A text field. What is being typed stays until it is complete: the page may be redrawn at any
// time, and half a number is not a number yet.

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

/** What is being typed, and what the field does with it. */
function useDraft(value: string | number, set: (written: string) => void) {
  const [draft, setDraft] = useState<string | null>(null);
  type Typed = { readonly currentTarget: HTMLInputElement };
  return {
    value: draft ?? value,
    onInput: (event: Typed) => setDraft(event.currentTarget.value),
    onChange: (event: Typed) => {
      setDraft(null);
      set(event.currentTarget.value);
    },
  };
}

export function TextField({ value, set }: TextProps) {
  return <input {...useDraft(value, set)} />;
}

/** A whole number; what is none leaves the old one, what is out of bounds the nearest one. */
export function NumberField({ value, min, max, set }: NumberProps) {
  const complete = (written: string) => {
    const wanted = Math.round(Number(written));
    if (written !== "" && Number.isFinite(wanted)) set(Math.max(min, Math.min(max, wanted)));
  };
  return <input type="number" min={min} max={max} {...useDraft(value, complete)} />;
}
