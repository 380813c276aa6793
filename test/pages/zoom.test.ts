import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { share } from "../helpers/long.ts";
import { axeFindings, openPage, overflow, picture } from "../helpers/pages/browser.ts";
import { cannedPages } from "../helpers/pages/canned-pages.ts";
import { cutOff } from "../helpers/pages/cut-off.ts";
import { describePages, useBrowser, useCannedFarm } from "../helpers/pages/page-suite.ts";

const browser = useBrowser();
const farm = useCannedFarm();

/** A window of 1440 x 900 whose pages are drawn twice as large has so much room for them. */
const doubled = { width: 720, height: 450 };

/** What something lies over once keys brought the focus there: WCAG 2.4.11. An open dialog keeps it in itself. */
const covered = (page: Page): Promise<string[]> =>
  page.evaluate(`(async () => {
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
    const all = "a[href], button:enabled, input:enabled, select:enabled, textarea:enabled, [tabindex='0']";
    const within = document.querySelector("[role=dialog]") ?? document.querySelector("main") ?? document.body;
    const faults = [];
    for (const each of [...within.querySelectorAll(all)].slice(0, 60)) {
      if (each.tabIndex < 0 || !each.isConnected || !each.checkVisibility()) continue;
      each.focus();
      await frame();
      const { left, right, top, bottom } = each.getBoundingClientRect();
      const middle = (from, to, end) => (Math.max(0, from) + Math.min(end, to)) / 2;
      const above = document.elementFromPoint(middle(left, right, innerWidth - 1), middle(top, bottom, innerHeight - 1));
      if (above && (above.contains(each) || each.contains(above))) continue;
      faults.push(each.tagName + " " + (each.getAttribute("aria-label") ?? each.textContent).slice(0, 60));
    }
    return faults;
  })()`);

describePages("pages that somebody draws twice as large", () => {
  test("have room, cut nothing off, and nothing lies over what has the focus", async () => {
    const { page, context } = await openPage(browser(), doubled);
    await page.goto(`${farm().url}/#/jobs`);
    await page.getByLabel("Name").fill("owner");
    await page.getByLabel("Password").fill("a long password");
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByText("Northline 207").first().waitFor();
    const faults: string[] = [];
    for (const [name, address, shown] of share(cannedPages, (_, at) => at === 2, 3)) {
      await page.goto("about:blank");
      await page.goto(`${farm().url}/${address}`);
      await page.getByText(shown).first().waitFor();
      await picture(page, `zoom-${name}`);
      const wider = await overflow(page);
      if (wider > 0) faults.push(`${name} is ${wider} px wider than the window`);
      faults.push(...(await cutOff(page)).map((each) => `${name} cuts off ${each}`));
      faults.push(...(await axeFindings(page)).map((each) => `${name}: ${each}`));
      faults.push(...(await covered(page)).map((each) => `${name}: something lies over ${each}`));
    }
    expect(faults).toEqual([]);
    await context.close();
  });
});
