import type { Page } from "playwright-core";

/** What a person did: presses of the pointer, where choosing in a list is two; keys; and seconds on this machine. */
export type Effort = { readonly clicks: number; readonly keys: number; readonly seconds: number };

const count = `(() => {
  window.effort = { clicks: 0, keys: 0 };
  if (window.countsEffort) return;
  window.countsEffort = true;
  const alone = ["Shift", "Control", "Meta", "Alt"];
  addEventListener("pointerdown", (event) => { if (event.isTrusted) effort.clicks += 1 }, true);
  addEventListener("change", ({ target }) => { if (target.tagName === "SELECT") effort.clicks += 2 }, true);
  addEventListener("keydown", (event) => { if (event.isTrusted && !alone.includes(event.key)) effort.keys += 1 }, true);
})()`;

/** Counts from here on until the returned function is called, which prints what it took. The page is not loaded anew. */
export const watchEffort = async (page: Page, story: string): Promise<() => Promise<Effort>> => {
  await page.evaluate(count);
  const begun = performance.now();
  return async () => {
    const seconds = (performance.now() - begun) / 1000;
    const { clicks, keys } = await page.evaluate<Omit<Effort, "seconds">>("window.effort");
    console.log(`To ${story}: ${clicks} clicks, ${keys} keys, ${seconds.toFixed(1)} s`);
    return { clicks, keys, seconds };
  };
};
