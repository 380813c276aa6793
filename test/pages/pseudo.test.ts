import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { openPage, overflow, picture } from "../helpers/browser.ts";
import { describePages, useBrowser, useCannedFarm } from "../helpers/page-suite.ts";

const browser = useBrowser();
const farm = useCannedFarm();

const pages = [
  ["overview", "Needs a person"],
  ["jobs", "Northline 207"],
  ["jobs/990", "rack-01"],
  ["nodes", "rack-03"],
  ["nodes?view=timeline", "Point at a bar"],
  ["nodes/4", "What it can do"],
  ["history", "Priority changed"],
  ["farm", "dolby"],
  ["people", "guest"],
  ["account", "the archive"],
  ["presets", "Small enough"],
  ["submit", "Review proxy"],
] as const;

/**
 * Writes all text of the page in a language that nobody speaks: a third longer, as German or Finnish is, with marks above
 * and below the letters. What people or files gave (`bdi`) and code stay as they are: nobody translates them.
 */
const inPseudoLocale = (page: Page): Promise<void> =>
  page.evaluate(`{
    const accents = { a: "á", e: "ê", i: "ï", o: "ö", u: "ů", A: "Å", E: "É", I: "Í", O: "Ø", U: "Ü", n: "ñ", y: "ÿ" };
    const longer = (text) => {
      const marked = text.replace(/[aeiouAEIOUny]/g, (letter) => accents[letter]);
      return marked + "·".repeat(1 + Math.ceil(text.trim().length / 3));
    };
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const texts = [];
    while (walker.nextNode()) texts.push(walker.currentNode);
    for (const node of texts) {
      const isTranslated = /[A-Za-z]{2}/.test(node.nodeValue ?? "") && !node.nodeValue.endsWith("··") && !node.parentElement.closest("bdi, code, pre, kbd, time");
      if (isTranslated) node.nodeValue = longer(node.nodeValue);
    }
  }`);

/** What says something to press or read and is cut off without an ellipsis that would tell of it. */
const cutOff = (page: Page): Promise<string[]> =>
  page.evaluate(`[...document.querySelectorAll("button, a, label, h1, h2, h3, dt, summary, [role=columnheader]")]
    .filter((each) => {
      const { overflowX, textOverflow } = getComputedStyle(each);
      const isHidden = (part) => part !== null && (getComputedStyle(part).clipPath !== "none" || isHidden(part.parentElement));
      const isSeen = each.offsetParent !== null && each.clientWidth > 2 && !isHidden(each);
      return isSeen && overflowX !== "visible" && textOverflow !== "ellipsis" && each.scrollWidth > each.clientWidth + 1;
    })
    .map((each) => each.tagName + ": " + each.textContent.slice(0, 80))`);

describePages("a longer language", () => {
  test.each([390, 1024, 1440])(
    "has room on every page at %i pixels: nothing is wider than the window, or cut off",
    async (width) => {
      const { page, context } = await openPage(browser(), { width, height: 900 });
      await page.goto(`${farm().url}/#/jobs`);
      const form = page.getByRole("button", { name: "Sign in" });
      await form.or(page.getByText("Northline 207").first()).waitFor();
      if (await form.isVisible()) {
        await page.getByLabel("Name").fill("owner");
        await page.getByLabel("Password").fill("a long password");
        await form.click();
        await page.getByText("Northline 207").first().waitFor();
      }
      const problems: string[] = [];
      for (const [address, shown] of pages) {
        await page.goto(`${farm().url}/#/${address}`);
        await page.getByText(shown).first().waitFor();
        await inPseudoLocale(page);
        await picture(page, `pseudo-${address.replaceAll(/\W+/g, "-")}-${width}`);
        const wider = await overflow(page);
        if (wider > 0) problems.push(`${address} is ${wider} px wider than the window`);
        problems.push(...(await cutOff(page)).map((each) => `${address}: ${each}`));
      }
      expect(problems).toEqual([]);
      await context.close();
    },
  );
});
