// A button with a short name to be seen, and a full one to be heard.

interface Props {
  /** The short name, and the full one, which has it. */
  words: readonly string[];
  onClick(): void;
}

export function Labelled({ words: [seen, full], onClick }: Props) {
  return (
    <button aria-label={full} onClick={onClick}>
      {seen}
    </button>
  );
}
