import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { share } from "../helpers/long.ts";
import { openPage } from "../helpers/pages/browser.ts";
import { cannedPages, cannedSheets } from "../helpers/pages/canned-pages.ts";
import { describePages, useBrowser, useCannedFarm } from "../helpers/pages/page-suite.ts";

const browser = useBrowser();
const farm = useCannedFarm();

/** The first page with its frame, and a third of the others; all of them in the long run. */
const walked = share(cannedPages, (_, at) => at === 0, 3);

/** More than any page has: who needs more presses walks in a circle. */
const mostStops = 250;

type Stop = {
  readonly nr: number;
  readonly what: string;
  readonly faults: readonly string[];
  /** How many stops the browser makes within it. */
  readonly parts: number;
};

/** What has the focus: a number that tells elements apart, -1 for none, and what is wrong with how it is shown. */
const focused = (page: Page): Promise<Stop> =>
  page.evaluate(`(() => {
    const host = document.activeElement;
    const element = host?.shadowRoot?.activeElement ?? host;
    if (!element || element === document.body || element === document.documentElement) return { nr: -1, what: "", faults: [], parts: 1 };
    window.stops ??= new Map();
    if (!stops.has(element)) stops.set(element, stops.size);
    const name = element.getAttribute("aria-label") ?? element.textContent.trim();
    const what = element.tagName.toLowerCase() + " " + name.slice(0, 40);
    const box = element.getBoundingClientRect();
    const isSmall = box.width < 1 || box.height < 1;
    const isOutside = box.right < 1 || box.bottom < 1 || box.left > innerWidth - 1 || box.top > innerHeight - 1;
    const marked = [element, element.closest("label"), element.closest(".cm-editor"), element.parentElement].filter(Boolean).some((each) => {
      const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(each);
      return (outlineStyle !== "none" && parseFloat(outlineWidth) > 0) || boxShadow !== "none";
    });
    const faults = [
      ...(isSmall ? ["has no size"] : []), ...(isOutside ? ["is outside of the window"] : []),
      ...(marked ? [] : ["does not show its focus"]), ...(element.tabIndex > 0 ? ["jumps the queue"] : []),
    ];
    // Hours, minutes, the half of the day and the picker are stops of their own.
    return { nr: stops.get(element), what, faults, parts: element.type === "time" ? 4 : 1 };
  })()`);

/** Walks a page by Tab from its beginning until the focus leaves it. */
const walk = async (page: Page, name: string): Promise<string[]> => {
  const faults: string[] = [];
  const seen = new Set<number>();
  let [last, stayed] = [-1, 0];
  for (let presses = 0; presses < mostStops; presses += 1) {
    await page.keyboard.press("Tab");
    const { nr, what, faults: own, parts } = await focused(page);
    if (nr === -1 || (nr === 0 && seen.size > 1)) return faults;
    stayed = nr === last ? stayed + 1 : 0;
    last = nr;
    if (stayed > 0 && stayed < parts) continue;
    if (seen.has(nr)) return [...faults, `${name}: Tab returns to ${what}`];
    seen.add(nr);
    const note = async () => void faults.push(`${name}: ${what} ${(await focused(page)).faults.join(" and ")}`);
    // Some show their focus a moment later.
    if (own.length > 0)
      await expect
        .poll(async () => (await focused(page)).faults)
        .toEqual([])
        .catch(note);
    // What frames every page is walked on the first one.
    if (what === "button Skip to the page" && name !== "overview") await page.keyboard.press("Enter");
  }
  return [...faults, `${name}: Tab does not leave the page`];
};

const signIn = async (page: Page): Promise<void> => {
  await page.goto(`${farm().url}/#/jobs`);
  const form = page.getByRole("button", { name: "Sign in" });
  await form.or(page.getByText("Northline 207").first()).waitFor();
  if (!(await form.isVisible())) return;
  await page.getByLabel("Name").fill("owner");
  await page.getByLabel("Password").fill("a long password");
  await page.keyboard.press("Enter");
  await page.getByText("Northline 207").first().waitFor();
};

describePages("by the keyboard alone", () => {
  test("Tab walks through every page: each stop is seen, and none is a trap", async () => {
    const { page, context } = await openPage(browser());
    await signIn(page);
    const faults: string[] = [];
    for (const [name, address, shown] of walked) {
      await page.goto("about:blank");
      await page.goto(`${farm().url}/${address}`);
      await page.getByText(shown).first().waitFor();
      if (name === "submit-json") await page.locator(".cm-content").waitFor(); // its editor comes afterwards
      faults.push(...(await walk(page, name)));
    }
    expect(faults).toEqual([]);
    await context.close();
  });

  test("headings of groups are rows among the jobs: keys close and open them, and j goes on below", async () => {
    const { page, context } = await openPage(browser());
    await signIn(page);
    await page.goto(`${farm().url}/#/jobs`);
    const grid = page.getByRole("grid", { name: "Jobs" });
    const active = grid.getByRole("button", { name: /^Active/ });
    const job = grid.getByRole("row").filter({ hasText: "Northline 207" }).first();
    await job.waitFor();
    await grid
      .getByRole("row")
      .filter({ has: page.getByRole("button", { name: /^Active/ }) })
      .focus();
    await page.keyboard.press("Enter");
    await job.waitFor({ state: "detached" });
    expect(await active.getAttribute("aria-expanded")).toBe("false");
    await page.keyboard.press("ArrowRight");
    await job.waitFor();
    expect(await active.getAttribute("aria-expanded")).toBe("true");
    await page.keyboard.press("j");
    await expect.poll(() => page.evaluate("document.activeElement.getAttribute('aria-rowindex')")).toBe("3");
    await context.close();
  });

  test("Enter on a row leads to the job's heading, and Escape back to the row; the window says the job's name", async () => {
    const { page, context } = await openPage(browser());
    await signIn(page);
    await page.goto(`${farm().url}/#/jobs`);
    await page.getByRole("row", { name: /Northline 207/ }).focus();
    await page.keyboard.press("Enter");
    await expect.poll(() => page.evaluate("document.activeElement.tagName")).toBe("H1");
    await expect.poll(() => page.title()).toBe("Northline 207 UHD HDR10 · Mediafarm");
    await page.keyboard.press("Escape");
    await page.getByRole("row", { name: /Northline 207/ }).waitFor();
    await expect
      .poll(() => page.evaluate("document.activeElement.getAttribute('role') + document.activeElement.textContent"))
      .toMatch(/^row.*Northline 207/);
    await expect.poll(() => page.title()).toBe("Jobs · Mediafarm");
    await context.close();
  });

  test("keys act on the job of the row that has the focus, without selecting it first", async () => {
    const { page, context } = await openPage(browser());
    await signIn(page);
    await page.goto(`${farm().url}/#/jobs`);
    await page.keyboard.press("x"); // no row has the focus
    await page.getByRole("row", { name: /Harrow Lane trailer/ }).focus();
    expect(await page.getByRole("dialog").count()).toBe(0);
    await page.keyboard.press("x");
    const question = page.getByRole("dialog", { name: /^Stop/ });
    await question.waitFor();
    await page.keyboard.press("Escape");
    await question.waitFor({ state: "detached" });
    await expect.poll(() => page.evaluate("document.activeElement.textContent")).toContain("Harrow Lane trailer");
    await page.keyboard.press("w");
    await page.getByRole("dialog", { name: "Why is this not running?" }).waitFor();
    await context.close();
  });

  test("the key of a button is told as a key, not as a part of its name", async () => {
    const { page, context } = await openPage(browser());
    await signIn(page);
    await page.goto(`${farm().url}/#/jobs/990`);
    const pause = page.getByRole("button", { name: "Pause", exact: true });
    expect(await pause.getAttribute("aria-keyshortcuts")).toBe("p");
    await context.close();
  });

  test("dialogs keep the focus until Escape, which gives it back; menus open and move by arrows", async () => {
    const { page, context } = await openPage(browser());
    await signIn(page);
    const faults: string[] = [];
    for (const [name, address, opener] of cannedSheets) {
      await page.goto(`${farm().url}/${address}`);
      const button = page.getByRole(opener.role, { name: opener.name }).first();
      await button.waitFor();
      await button.focus();
      await page.keyboard.press("Enter");
      await page.getByRole("dialog").waitFor();
      for (let presses = 0; presses < 12; presses += 1) {
        await page.keyboard.press("Tab");
        // At its ends, the focus is turned round a moment after the press; a dialog that still loads has it itself.
        const isInside = () => page.evaluate("!!document.activeElement.closest('[role=dialog]')");
        const left = () => void faults.push(`${name}: Tab leaves the dialog`);
        await expect.poll(isInside, { timeout: 30_000 }).toBe(true).catch(left);
      }
      await page.keyboard.press("Escape");
      await page.getByRole("dialog").waitFor({ state: "detached" });
      const isBack = async () => (await button.and(page.locator(":focus")).count()) === 1;
      const lost = () => void faults.push(`${name}: the focus is lost`);
      await expect.poll(isBack, { timeout: 30_000 }).toBe(true).catch(lost);
    }
    await page.goto(`${farm().url}/#/jobs/990`);
    const more = page.getByRole("button", { name: "More actions" });
    await more.focus();
    await page.keyboard.press("ArrowDown");
    await page.getByRole("menu").waitFor();
    await page.keyboard.press("ArrowDown");
    await expect.poll(async () => (await focused(page)).what).toMatch(/Run the whole job again/);
    await page.keyboard.press("Escape");
    await page.getByRole("menu").waitFor({ state: "detached" });
    await expect.poll(async () => (await focused(page)).what).toMatch(/More actions/);
    expect(faults).toEqual([]);
    await context.close();
  });

  test("on a phone, the small button of more actions has another one beside it", async () => {
    const { page, context } = await openPage(browser(), { width: 360, height: 740 });
    await signIn(page);
    await page.goto(`${farm().url}/#/jobs/990`);
    const top = async (name: RegExp) => (await page.getByRole("button", { name }).boundingBox())?.y;
    await page.getByRole("button", { name: "More actions" }).waitFor();
    expect(await top(/More actions/)).toBe(await top(/^Stop…/));
    await context.close();
  });
});
