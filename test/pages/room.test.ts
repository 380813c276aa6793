import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { openPage } from "../helpers/pages/browser.ts";
import { describePages, useBrowser, useCannedFarm } from "../helpers/pages/page-suite.ts";

const browser = useBrowser();
const farm = useCannedFarm();

/** Signs in whatever the page's language is. */
const signIn = async (page: Page): Promise<void> => {
  await page.goto(`${farm().url}/#/jobs`);
  const password = page.locator("input[type=password]");
  await password.or(page.getByText("Northline 207").first()).first().waitFor();
  if (!(await password.isVisible())) return;
  await page.locator("input").first().fill("owner");
  await password.fill("a long password");
  await page.keyboard.press("Enter");
  await page.getByText("Northline 207").first().waitFor();
};

/** What stands in a cell and is cut off by its edge; long names end in an ellipsis within it. */
const cutCells = (page: Page): Promise<string[]> =>
  page.evaluate(`[...document.querySelectorAll("[role=gridcell]")].flatMap((cell) => {
    const { left, right } = cell.getBoundingClientRect();
    return [...cell.querySelectorAll("*")]
      .filter((each) => !each.closest("bdi") && !each.closest(".unseen"))
      .filter((each) => { const box = each.getBoundingClientRect(); return box.width > 0 && (box.right > right + 1 || box.left < left - 1); })
      .map((each) => each.textContent);
  })`);

/** The share of a row that a column gets. */
const shareOf = (page: Page, title: string): Promise<number> =>
  page.evaluate(`(() => {
    const head = [...document.querySelectorAll("[role=columnheader]")].find(({ textContent }) => textContent === "${title}");
    return head.getBoundingClientRect().width / head.parentElement.getBoundingClientRect().width;
  })()`);

describePages("room for words", () => {
  test.each(["en-US", "de-DE"])("no cell of a table cuts its words off (%s)", async (locale) => {
    const { page, context } = await openPage(browser(), { locale });
    await signIn(page);
    const faults: string[] = [];
    for (const [address, shown] of [
      ["jobs", "Northline 207"],
      ["nodes", "rack-03"],
    ])
      for (const width of [1920, 1440, 1200, 1024, 900, 768]) {
        await page.setViewportSize({ width, height: 900 });
        await page.goto(`${farm().url}/#/${address}`);
        await page
          .getByText(shown ?? "")
          .first()
          .waitFor();
        const cut = await cutCells(page);
        faults.push(...new Set(cut.map((text) => `${address} at ${width} px: ${text}`)));
      }
    expect(faults).toEqual([]);
    await context.close();
  });

  test("a job's name and what happens to it get two fifths of a row at 1440 and at 1024 pixels", async () => {
    const { page, context } = await openPage(browser());
    await signIn(page);
    for (const width of [1440, 1024]) {
      await page.setViewportSize({ width, height: 900 });
      expect(await shareOf(page, "Job")).toBeGreaterThan(0.165);
      expect(await shareOf(page, "What is happening")).toBeGreaterThan(0.21);
    }
    await context.close();
  });

  test("the heading of a job with a long name has up to three lines", async () => {
    const { page, context } = await openPage(browser());
    await signIn(page);
    await page.goto(`${farm().url}/#/jobs/989`);
    const heading = page.getByRole("heading", { level: 1 });
    await heading.waitFor();
    for (const width of [1024, 768, 360]) {
      await page.setViewportSize({ width, height: 800 });
      const lines = ((await heading.boundingBox())?.height ?? 0) / 28;
      expect(lines, `${width} px`).toBeGreaterThan(1.5);
      expect(lines, `${width} px`).toBeLessThan(3.5);
    }
    await context.close();
  });
});
