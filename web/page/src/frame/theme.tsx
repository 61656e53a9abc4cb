// Light, dark, or as the system has it.

import { texts } from "../texts";

const THEMES = ["auto", "light", "dark"] as const;

export function Theme() {
  const set = (theme: string) => {
    document.documentElement.dataset["theme"] = theme;
    try {
      localStorage.setItem("unstuck-theme", theme);
    } catch {
      // A browser that keeps nothing: the theme lasts as long as the page.
    }
  };
  const now = document.documentElement.dataset["theme"] ?? "auto";
  return (
    <label class="theme">
      {texts.theme.label}
      <select onChange={(event) => set(event.currentTarget.value)}>
        {THEMES.map((theme) => (
          <option key={theme} value={theme} selected={theme === now}>
            {texts.theme[theme]}
          </option>
        ))}
      </select>
    </label>
  );
}
