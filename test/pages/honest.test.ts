import { expect, test } from "vitest";
import { aChain, aCopyTo, aFileSource } from "../helpers/farm/job-builders.ts";
import { describePages, useBrowser } from "../helpers/pages/page-suite.ts";
import { begin, beginAtOverview, openFarm, password } from "../helpers/pages/pages-farm.ts";

const browser = useBrowser();

const pagesOf = (baseUrl: string): string => baseUrl.replace(/v1$/, "");

describePages("pages do not lie", () => {
  test("what one tab does, the other one shows; signing out in one ends both, and nothing stays on the page", async () => {
    const { farm, page, context } = await openFarm(browser());
    await using _farm = farm;
    const job = aChain([aFileSource("/nowhere.mov"), aCopyTo(farm.folder)], { name: "in two tabs", paused: true });
    const id = await farm.submit(job);
    await begin(page, farm.baseUrl, `jobs/${id}`);
    await page.getByRole("heading", { level: 1 }).getByText("in two tabs").waitFor();
    const other = await context.newPage();
    await other.goto(`${pagesOf(farm.baseUrl)}#/jobs`);
    await other.getByRole("checkbox", { name: `Choose job ${id}` }).click();
    await other.getByLabel("Priority").fill("222");
    await other.getByRole("button", { name: "Set", exact: true }).click();
    await expect.poll(() => page.getByLabel("Priority").inputValue()).toBe("222");
    await other.keyboard.press("Escape");
    await other.keyboard.press("?");
    await other.getByRole("button", { name: "Sign out" }).click();
    await other.getByRole("button", { name: "Sign in" }).waitFor();
    await page.getByRole("button", { name: "Sign in" }).waitFor();
    expect(await page.getByText("in two tabs").count()).toBe(0);
    // Whoever signs in again is where they were.
    await page.getByLabel("Name").fill("first owner");
    await page.getByLabel("Password").fill(password);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("heading", { level: 1 }).getByText("in two tabs").waitFor();
    await context.close();
  });

  test("a computer whose clock is three hours ahead shows the farm's times, and says so", async () => {
    const { farm, page, context } = await openFarm(browser());
    await using _farm = farm;
    await farm.submit(aChain([aFileSource("/nowhere.mov"), aCopyTo(farm.folder)], { name: "just sent", paused: true }));
    await beginAtOverview(page);
    const ahead = await context.newPage();
    await ahead.addInitScript(`{
      const own = Date.now.bind(Date), Real = Date, ahead = 3 * 3600_000;
      globalThis.Date = class extends Real {
        constructor(...given) { if (given.length > 0) super(...given); else super(own() + ahead); }
        static now() { return own() + ahead; }
      };
    }`);
    await ahead.goto(`${pagesOf(farm.baseUrl)}#/jobs`);
    const row = ahead.getByRole("row").filter({ hasText: "just sent" });
    await row.waitFor();
    await ahead
      .getByTitle(/this computer.s clock is (?:2 h 59|3 h 00) ahead/)
      .first()
      .waitFor();
    await expect
      .poll(() => row.getByRole("gridcell").last().locator("xpath=preceding-sibling::*[1]").innerText())
      .toMatch(/^\d+ (?:s|min)$/);
    await context.close();
  });
});
