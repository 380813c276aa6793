export const themes = ["system", "light", "dark"] as const;
export type Theme = (typeof themes)[number];

const key = "mediafarm.theme";

export const readTheme = (): Theme => {
  const kept = localStorage.getItem(key);
  return themes.find((theme) => theme === kept) ?? "system";
};

/** Follows the system unless somebody chose otherwise; the choice is stored in this browser. */
export const applyTheme = (theme: Theme): void => {
  if (theme === "system") {
    localStorage.removeItem(key);
    delete document.documentElement.dataset.theme;
    return;
  }
  localStorage.setItem(key, theme);
  document.documentElement.dataset.theme = theme;
};
