import type { Page } from "playwright-core";
import { beforeEach, expect, test } from "vitest";
import { openPage } from "../../helpers/pages/browser.ts";
import { describePages, useBrowser, useCannedFarm } from "../../helpers/pages/page-suite.ts";

const browser = useBrowser();
const farm = useCannedFarm();

/** The looks of the page of a job, as the build names them. */
const looksOfJob = /\/assets\/job-[^/]*\.css$/;
/** Far fewer than the 60,000 lines of the log: some screens. */
const someScreens = 200;

const lines = (page: Page): Promise<number> => page.getByRole("log").locator("[data-index]").count();

describePages("parts of the pages", () => {
  beforeEach(async () => {
    await fetch(`${farm().url}/ui/v1/session`, { method: "POST" });
  });

  test("have looks that a break kept away, once somebody goes there", async () => {
    const { page, context } = await openPage(browser());
    let isBroken = true;
    await page.route(looksOfJob, (route) => (isBroken ? route.abort() : route.continue()));
    const failed = page.waitForEvent("requestfailed", (request) => looksOfJob.test(request.url()));
    await page.goto(`${farm().url}/#/overview`);
    await failed; // read ahead, in vain
    isBroken = false;
    await page.goto(`${farm().url}/#/jobs/990`);
    await page.getByRole("log").waitFor();
    expect(await page.evaluate("getComputedStyle(document.getElementById('log')).overflowY")).toBe("auto");
    expect(await lines(page)).toBeLessThan(someScreens);
    await context.close();
  });

  test("draw some screens of a log, even where its looks say nothing about its height", async () => {
    const { page, context } = await openPage(browser());
    await page.route(looksOfJob, (route) => route.fulfill({ contentType: "text/css", body: "" }));
    await page.goto(`${farm().url}/#/jobs/990`);
    await page.getByRole("log").locator("[data-index]").first().waitFor();
    expect(await page.evaluate("document.getElementById('log').clientHeight")).toBeGreaterThan(100_000);
    expect(await lines(page)).toBeLessThan(someScreens);
    await context.close();
  });

  test("come when the farm does, if it was away when somebody wanted to go there", async () => {
    const { page, context } = await openPage(browser());
    // Nothing is read ahead for who pays for each byte.
    await page.addInitScript("Object.defineProperty(navigator, 'connection', { value: { saveData: true } })");
    const read: string[] = [];
    page.on("request", (request) => read.push(new URL(request.url()).pathname));
    await page.goto(`${farm().url}/#/overview`);
    await page.getByText("Needs a person").first().waitFor();
    await page.waitForTimeout(2000); // as long as reading ahead takes to begin, and more
    expect(read.filter((path) => /\/assets\/(jobs|job|nodes)-/.test(path))).toEqual([]);
    await page.route(/./, (route) => route.abort());
    await page.goto(`${farm().url}/#/jobs`);
    await page.getByRole("status", { name: "Loading the page" }).waitFor();
    await page.getByText(/has not answered for \d+ s/).waitFor();
    await page.unroute(/./);
    await page.getByRole("row", { name: /Northline 207/ }).waitFor();
    await context.close();
  });

  test("come as well if the question whether the farm is back is never answered", async () => {
    const { page, context } = await openPage(browser());
    await page.addInitScript("Object.defineProperty(navigator, 'connection', { value: { saveData: true } })");
    await page.goto(`${farm().url}/#/overview`);
    await page.getByText("Needs a person").first().waitFor();
    let questions = 0;
    await page.route(/\/assets\/jobs-[^/]*\.js/, (route) => (questions === 0 ? route.abort() : route.continue()));
    await page.route(/./, (route) => {
      if (route.request().method() !== "HEAD") return route.fallback();
      questions += 1; // and nobody answers
      return undefined;
    });
    await page.goto(`${farm().url}/#/jobs`);
    await page.getByRole("row", { name: /Northline 207/ }).waitFor();
    expect(questions).toBeGreaterThan(0);
    await context.close();
  });
});
