import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { aChain, aCopyTo, aFileSource } from "../helpers/farm/job-builders.ts";
import { times } from "../helpers/long.ts";
import { axeFindings, picture } from "../helpers/pages/browser.ts";
import { describePages, useBrowser } from "../helpers/pages/page-suite.ts";
import { begin, openFarm } from "../helpers/pages/pages-farm.ts";
import { until } from "../helpers/processes/farm-processes.ts";

const browser = useBrowser();
/** More than the list reads ahead, so that some are not read. */
const jobs = times(360, 1000, 40_000);
const atOnce = 50;

const countClicks = async (page: Page): Promise<() => Promise<number>> => {
  await page.evaluate(
    "window.clicks ?? addEventListener('click', (e) => { if (e.isTrusted) window.clicks += 1 }, true); window.clicks = 0",
  );
  return () => page.evaluate("window.clicks");
};

describePages("an operator with many jobs", () => {
  test("selects all by a filter, stops them with one question, and takes it back with one click", async () => {
    const { farm, page, context } = await openFarm(browser());
    await using _farm = farm;
    const job = (nr: number) =>
      aChain([aFileSource("/nowhere.mov"), aCopyTo(farm.folder)], {
        name: nr % 13 === 0 ? `poster ${nr}` : `reel ${nr}`,
        paused: true,
      });
    for (let from = 0; from < jobs; from += atOnce)
      await Promise.all(Array.from({ length: Math.min(atOnce, jobs - from) }, (_, at) => farm.submit(job(from + at))));
    const reels = jobs - Math.ceil(jobs / 13);
    const stopped = () => farm.client.countJobs({ filters: [{ field: "substatus", values: ["stopped"] }] });
    await begin(page, farm.baseUrl, "jobs?text=reel");
    await page.getByText(`reel ${jobs - 1}`, { exact: true }).waitFor();

    const clicks = await countClicks(page);
    await page.getByRole("checkbox", { name: "Select all jobs of the list" }).click();
    await page.getByText(`${reels.toLocaleString("en")} jobs selected`).waitFor();
    await picture(page, "operator-many-selected");
    expect(await axeFindings(page)).toEqual([]);
    await page.getByRole("button", { name: /^Stop .* jobs…/ }).click();
    await page
      .getByRole("dialog")
      .getByRole("button", { name: /^Stop / })
      .click();
    await page.getByText(`${reels.toLocaleString("en")} jobs are stopped.`).waitFor();
    expect(await clicks()).toBe(3);
    expect((await stopped()).count).toBe(reels);
    expect(await page.getByRole("status").getByRole("button", { name: "Undo" }).count()).toBe(1);
    const [bar, toast] = await Promise.all([
      page.getByRole("toolbar", { name: "The chosen jobs" }).boundingBox(),
      page.getByText("jobs are stopped.").boundingBox(),
    ]);
    expect((toast?.y ?? 0) + (toast?.height ?? 0)).toBeLessThanOrEqual(bar?.y ?? 0);
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByText("jobs are as they were before.").waitFor();
    expect((await stopped()).count).toBe(0);
    await context.close();
  });

  test("selects a range of boxes with Shift, and its rows stay where they are", async () => {
    const { farm, page, context } = await openFarm(browser());
    await using _farm = farm;
    const job = (nr: number) =>
      aChain([aFileSource("/nowhere.mov"), aCopyTo(farm.folder)], { name: `job ${nr}`, paused: true });
    for (let nr = 0; nr < 12; nr += 1) await farm.submit(job(nr));
    await begin(page, farm.baseUrl, "jobs");
    const box = (id: number) => page.getByRole("checkbox", { name: `Choose job ${id}`, exact: true });
    await box(12).waitFor();
    const before = (await box(7).boundingBox())?.y;
    await box(10).click();
    await box(4).click({ modifiers: ["Shift"] });
    await page.getByText("7 jobs selected").waitFor();
    await farm.submit(job(99));
    await page.getByText(/1 change hidden while rows are held/).waitFor();
    expect((await box(7).boundingBox())?.y).toBe(before);
    await context.close();
  });

  test("sends a failed job again with one field changed in a form, and sees what changed", async () => {
    const { farm, page, context } = await openFarm(browser());
    await using _farm = farm;
    await farm.startAgent();
    const id = await farm.submit(aChain([aFileSource("/nowhere.mov"), aCopyTo(farm.folder)], { name: "again" }));
    await farm.untilEnded(id);
    await begin(page, farm.baseUrl, `submit?from=${id}`);
    const clicks = await countClicks(page);
    const name = page.getByRole("group", { name: "The job" }).getByLabel("name", { exact: true });
    await name.fill("again, from the archive");
    const changes = page.getByRole("region", { name: `Changed against job ${id}` });
    await changes.getByRole("row", { name: "name again again, from the archive" }).waitFor();
    await picture(page, "operator-again");
    expect(await axeFindings(page)).toEqual([]);
    await page.getByRole("button", { name: "Submit", exact: true }).click();
    await page.getByRole("heading", { level: 1, name: "again, from the archive" }).waitFor();
    expect(await clicks()).toBeLessThanOrEqual(2);
    await until("the new job ends", async () => (await farm.client.countJobs({})).count === 2);
    await context.close();
  });
});
