// The options of a family: how its rules are read.

import { TextField } from "./field";
import * as store from "./store";
import { texts } from "./texts";

interface Props {
  puzzle: string;
  options: Readonly<Record<string, string>>;
  set(options: Record<string, string>): void;
}

export function Options({ puzzle, options, set }: Props) {
  const family = store.families.value.find((family) => family.name === puzzle);
  if (!family || family.options.length === 0) return null;
  return (
    <fieldset>
      <legend>{texts.level.options}</legend>
      {family.options.map((spec) => {
        const value = options[spec.name] ?? spec.default;
        const choices = spec.kind === "flag" ? ["false", "true"] : spec.choices;
        const change = (value: string) => set({ ...options, [spec.name]: value });
        return (
          <label key={spec.name} title={spec.help}>
            {spec.name}
            {choices ? (
              <select value={value} onChange={(event) => change(event.currentTarget.value)}>
                {choices.map((choice) => <option key={choice}>{choice}</option>)}
              </select>
            ) : (
              <TextField value={value} set={change} />
            )}
          </label>
        );
      })}
    </fieldset>
  );
}
