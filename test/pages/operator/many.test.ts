import { expect, test } from "vitest";
import { aChain, aCopyTo, aFileSource } from "../../helpers/farm/job-builders.ts";
import { times } from "../../helpers/long.ts";
import { axeFindings, picture } from "../../helpers/pages/browser.ts";
import { copyJob } from "../../helpers/pages/copied-jobs.ts";
import { watchEffort } from "../../helpers/pages/effort.ts";
import { describePages, useBrowser } from "../../helpers/pages/page-suite.ts";
import { begin, beginAtOverview, openFarm } from "../../helpers/pages/pages-farm.ts";
import { stop, until } from "../../helpers/processes/farm-processes.ts";

const browser = useBrowser();
/** More than the list reads ahead, so that some are not read. */
const jobs = times(360, 1000, 40_000);
/** Tens of thousands take minutes on a busy machine: to begin them, to stop them and to take it back. */
const longestMs = times(300_000, 300_000, 1_800_000);

/** A poster among so many reels; ten at most of each name that is sought. */
const nameOf = (nr: number): string => {
  if (nr < 10) return `trailer ${nr}`;
  return nr % 13 === 0 ? `poster ${nr}` : `reel ${nr}`;
};

/** A farm with that many held jobs, and its first owner signed in. */
const openFullFarm = async () => {
  const opened = await openFarm(browser());
  const { farm, page } = opened;
  await beginAtOverview(page);
  await farm.submit(aChain([aFileSource("/nowhere.mov"), aCopyTo(farm.folder)], { name: nameOf(0), paused: true }));
  await stop(farm.coordinator());
  copyJob(
    farm.database,
    Array.from({ length: jobs }, (_, nr) => nameOf(nr)),
  );
  await farm.restartCoordinator();
  await page.goto(farm.baseUrl.replace(/v1$/, "#/jobs"));
  return opened;
};

describePages("an operator with many jobs", () => {
  test(
    "selects all by a filter, or ten of them, stops them with one question, and takes it back with one click",
    async () => {
      const { farm, page, context } = await openFullFarm();
      await using _farm = farm;
      const reels = Array.from({ length: jobs }, (_, nr) => nameOf(nr)).filter((name) =>
        name.startsWith("reel"),
      ).length;
      const stopped = async () =>
        (await farm.client.countJobs({ filters: [{ field: "substatus", values: ["stopped"] }] })).count;
      const stopChosen = async () => {
        await page.getByRole("button", { name: /^Stop .* jobs…/ }).click();
        await page
          .getByRole("dialog")
          .getByRole("button", { name: /^Stop / })
          .click();
      };
      const search = page.getByRole("searchbox").first();
      await search.waitFor();

      const ten = await watchEffort(page, `find ten of ${jobs} jobs, stop them, and undo it`);
      await search.click();
      await page.keyboard.type("trailer");
      await page.getByText("trailer 9", { exact: true }).waitFor();
      await page.getByRole("checkbox", { name: "Select all jobs of the list" }).click();
      await page.getByText("10 jobs selected").waitFor();
      await stopChosen();
      await page.getByText("10 jobs are stopped.").waitFor();
      expect(await stopped()).toBe(10);
      await page.getByRole("button", { name: "Undo" }).click();
      await page.getByText("10 jobs are as they were before.").waitFor();
      expect(await ten()).toMatchObject({ clicks: 5, keys: 7 });
      expect(await stopped()).toBe(0);

      // The ten are still chosen, and out of sight: the box is in between, and selects all.
      await search.fill("reel");
      await page.getByText(`reel ${jobs - 1}`, { exact: true }).waitFor();
      const boxes = `[...document.querySelectorAll("input[aria-label='Select all jobs of the list']")]`;
      const looks = () => page.evaluate(`${boxes}.map(({ indeterminate, checked }) => [indeterminate, checked])`);
      expect(await looks()).toEqual([[true, false]]);
      const all = await watchEffort(page, `stop ${reels} jobs, and undo it`);
      await page.getByRole("checkbox", { name: "Select all jobs of the list" }).click();
      await page.getByText(`${reels.toLocaleString("en")} jobs selected`).waitFor();
      await picture(page, "operator-many-selected");
      expect(await axeFindings(page)).toEqual([]);
      await stopChosen();
      await page.getByText(`${reels.toLocaleString("en")} jobs are stopped.`).waitFor();
      expect(await stopped()).toBe(reels);
      expect(await page.getByRole("status").getByRole("button", { name: "Undo" }).count()).toBe(1);
      const [bar, toast] = await Promise.all([
        page.getByRole("toolbar", { name: "The chosen jobs" }).boundingBox(),
        page.getByText("jobs are stopped.").boundingBox(),
      ]);
      expect((toast?.y ?? 0) + (toast?.height ?? 0)).toBeLessThanOrEqual(bar?.y ?? 0);
      await page.getByRole("button", { name: "Undo" }).click();
      await page.getByText(`${reels.toLocaleString("en")} jobs are as they were before.`).waitFor();
      expect(await all()).toMatchObject({ clicks: 4, keys: 0 });
      expect(await stopped()).toBe(0);
      await context.close();
    },
    longestMs,
  );

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
    await begin(page, farm.baseUrl, `jobs/${id}`);
    await page.getByRole("heading", { level: 1, name: "again" }).waitFor();
    const effort = await watchEffort(page, "send a failed job again with one field changed");
    await page.getByRole("button", { name: "More actions" }).click();
    await page.getByRole("menuitem", { name: "Clone and edit" }).click();
    const name = page.getByRole("group", { name: "The job" }).getByLabel("name", { exact: true });
    await name.click();
    await page.keyboard.press("End");
    await page.keyboard.type(", from the archive");
    const changes = page.getByRole("region", { name: `Changed against job ${id}` });
    await changes.getByRole("row", { name: "name again again, from the archive" }).waitFor();
    await picture(page, "operator-again");
    expect(await axeFindings(page)).toEqual([]);
    await page.getByRole("button", { name: "Submit", exact: true }).click();
    await page.getByRole("heading", { level: 1, name: "again, from the archive" }).waitFor();
    expect(await effort()).toMatchObject({ clicks: 4, keys: 19 });
    await until("the new job ends", async () => (await farm.client.countJobs({})).count === 2);
    await context.close();
  });
});
