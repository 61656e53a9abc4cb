// Which level: pasted, dropped, opened, picked, or from an address.

import { useState } from "preact/hooks";
import { Downloads } from "./downloads";
import { copyLink } from "./link-copy";
import { Options } from "./options";
import { OWN, openOwn } from "./own";
import * as store from "./store";
import { texts } from "./texts";

export function LevelPanel() {
  const text = store.source.value;
  const setText = (text: string) => (store.source.value = text);
  const [puzzle, setPuzzle] = useState("");
  const level = store.level.value;
  const { level: words } = texts;
  const reread = (options: Record<string, string>) => {
    if (level !== null) void store.read(level.text, level.puzzle, options);
  };
  const take = async (file: File | undefined) => {
    if (!file) return;
    setPuzzle("");
    await store.readFile(file);
  };
  return (
    <div>
      <label class="stacked">
        {words.paste}
        <textarea rows={8} spellcheck={false} value={text} onInput={(event) => setText(event.currentTarget.value)} />
      </label>
      <div class="row">
        <label>
          {words.family}
          <select value={puzzle} onChange={(event) => setPuzzle(event.currentTarget.value)}>
            <option value="">{words.guess}</option>
            {store.families.value.map((family) => (
              <option key={family.name} value={family.name} title={family.about}>{family.name}</option>
            ))}
          </select>
        </label>
        <button class="main" disabled={text === ""} onClick={() => void store.read(text, puzzle || null)}>{words.read}</button>
        <label class="file">
          {words.open}
          <input type="file" onChange={(event) => void take(event.currentTarget.files?.[0])} />
        </label>
      </div>
      {store.candidates.value.length > 0 && (
        <div class="row" role="group" aria-label={words.which}>
          <span>{words.which}</span>
          {store.candidates.value.map((name) => (
            <button key={name} onClick={() => void store.read(text, name)}>{name}</button>
          ))}
        </div>
      )}
      {store.choices.value.length > 0 && level !== null && (
        <label class="stacked">
          {words.levels}
          <select
            onChange={(event) => {
              const chosen = store.choices.value[Number(event.currentTarget.value)];
              if (chosen) void store.choose(chosen, level.puzzle, level.options);
            }}
          >
            {store.choices.value.map((choice, index) => (
              <option key={index} value={index}>{`${index + 1}  ${choice.title ?? ""}`}</option>
            ))}
          </select>
        </label>
      )}
      <label class="stacked">
        {words.own}
        <select
          value=""
          onChange={(event) => void openOwn(OWN[Number(event.currentTarget.value)])}
        >
          <option value="" disabled>{words.choose}</option>
          {store.families.value.map((family) => (
            <optgroup key={family.name} label={family.name}>
              {OWN.map((one, index) => ({ one, index }))
                .filter(({ one }) => one.puzzle === family.name)
                .map(({ one, index }) => <option key={index} value={index}>{one.name}</option>)}
            </optgroup>
          ))}
        </select>
      </label>
      {level !== null && <Options puzzle={level.puzzle} options={level.options} set={reread} />}
      {level !== null && (
        <div class="row">
          <button onClick={() => void copyLink("")}>{words.share}</button>
          <button onClick={() => void copyLink(store.made())}>{words.shareWith}</button>
        </div>
      )}
      {level !== null && store.shown.value !== null && (
        <Downloads text={level.text} level={level} svg={store.shown.value.svg} />
      )}
    </div>
  );
}
