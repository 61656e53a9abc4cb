// The options of a family: how its rules are read.

import { TextField } from "../frame/field";
import { families } from "../state";
import { texts } from "../texts";

interface Props {
  puzzle: string;
  options: Readonly<Record<string, string>>;
  set(options: Record<string, string>): void;
}

export function Options({ puzzle, options, set }: Props) {
  const family = families.value.find((family) => family.name === puzzle);
  if (!family || family.options.length === 0) return null;
  return (
    <fieldset class="options">
      <legend>{texts.level.options}</legend>
      {family.options.map(({ name, kind, choices, help, default: usual }) => {
        const value = options[name] ?? usual;
        const change = (value: string) => set({ ...options, [name]: value });
        const [label, about] = texts.options[name] ?? [name, help];
        if (kind === "flag") {
          return (
            <label key={name} class="beside" data-option={name}>
              <input
                type="checkbox"
                checked={value === "true"}
                onChange={(event) => change(String(event.currentTarget.checked))}
              />
              <span>
                {label} <small>{about}</small>
              </span>
            </label>
          );
        }
        return (
          <label key={name} data-option={name}>
            {label}
            {kind === "choice" ? (
              <select value={value} onChange={(event) => change(event.currentTarget.value)}>
                {choices.map((choice) => (
                  <option key={choice} value={choice}>
                    {texts.choices[name]?.[choice] ?? choice}
                  </option>
                ))}
              </select>
            ) : (
              <TextField value={value} set={change} />
            )}
            <small>{about}</small>
          </label>
        );
      })}
    </fieldset>
  );
}
