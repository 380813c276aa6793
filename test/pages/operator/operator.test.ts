import { join } from "node:path";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { aChain, aCopyTo, aFileSource, anMp4Target, aTranscodeTo } from "../../helpers/farm/job-builders.ts";
import { ffmpegPath, make } from "../../helpers/media/media-tools.ts";
import { axeFindings, picture } from "../../helpers/pages/browser.ts";
import { describePages, useBrowser } from "../../helpers/pages/page-suite.ts";
import { begin, openFarm } from "../../helpers/pages/pages-farm.ts";
import { until } from "../../helpers/processes/farm-processes.ts";

const clip = [
  ...["-f", "lavfi", "-i", "testsrc2=size=320x180:rate=25:duration=2", "-f", "lavfi", "-i", "sine=duration=2"],
  ...["-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p", "-c:a", "aac"],
];

const browser = useBrowser();

/** Counts clicks from here on: the stories promise how many they take. */
const countClicks = async (page: Page): Promise<() => Promise<number>> => {
  await page.evaluate(
    "window.clicks ?? addEventListener('click', (e) => { if (e.isTrusted) window.clicks += 1 }, true); window.clicks = 0",
  );
  return () => page.evaluate("window.clicks");
};

describePages("an operator", () => {
  const media = ffmpegPath === undefined ? test.skip : test;

  media("mends what failed and requeues it in three clicks, then watches the output", async () => {
    const { farm, page, context } = await openFarm(browser());
    await using _farm = farm;
    const path = join(farm.media, "late.mp4");
    const out = join(farm.folder, "out");
    await farm.startAgent();
    const id = await farm.submit(aChain([aFileSource(path), aTranscodeTo(out, [anMp4Target()])], { name: "late one" }));
    await farm.untilEnded(id);
    await begin(page, farm.baseUrl, "overview");
    await page.getByText("late one").first().waitFor();
    await picture(page, "operator-overview");
    expect(await axeFindings(page)).toEqual([]);

    await make(path, ...clip);
    const clicks = await countClicks(page);
    const needs = page.getByRole("region", { name: "Needs a person" });
    await needs.getByRole("link", { name: "Open" }).click();
    await page.getByRole("button", { name: "Retry from the source" }).click();
    await page.getByRole("heading", { level: 1 }).locator("..").getByText("Completed").waitFor();
    expect(await clicks()).toBeLessThanOrEqual(3);

    await page.getByRole("button", { name: "Watch late_made.mp4" }).click();
    const video = page.locator("video").first();
    await video.waitFor();
    // Asked from outside: the pages' policy lets nothing be evaluated within them.
    await expect.poll(() => page.evaluate<boolean>("document.querySelector('video')?.readyState >= 1")).toBe(true);
    const [width, duration] = await page.evaluate<[number, number]>(
      "[document.querySelector('video').videoWidth, document.querySelector('video').duration]",
    );
    expect(width).toBe(160);
    expect(duration).toBeCloseTo(2, 0);
    await picture(page, "operator-watch");
    const saving = page.waitForEvent("download");
    await page.getByRole("button", { name: "Download late_made.mp4" }).click();
    expect((await saving).suggestedFilename()).toBe("late_made.mp4");
    expect(await axeFindings(page)).toEqual([]);
    await page.getByText("Retried by first owner").waitFor();
    await context.close();
  });

  test("stops ten jobs in four clicks, and sets a priority in three", async () => {
    const { farm, page, context } = await openFarm(browser());
    await using _farm = farm;
    const job = (nr: number) =>
      aChain([aFileSource("/nowhere.mov"), aCopyTo(farm.folder)], { name: `job ${nr}`, paused: true });
    for (let nr = 0; nr < 12; nr += 1) await farm.submit(job(nr));
    await begin(page, farm.baseUrl, "jobs");
    const row = (name: string) => page.getByRole("row").filter({ has: page.getByText(name, { exact: true }) });
    await row("job 11").waitFor();

    const clicks = await countClicks(page);
    await row("job 11").getByRole("checkbox").click();
    await page.getByLabel("Priority").fill("200");
    await page.getByRole("button", { name: "Set", exact: true }).click();
    await page.getByText("Job 12 is at priority 200.").waitFor();
    expect(await clicks()).toBeLessThanOrEqual(3);
    await page.keyboard.press("Escape");

    const again = await countClicks(page);
    await row("job 11")
      .getByText("job 11")
      .click({ modifiers: ["ControlOrMeta"] });
    await row("job 2")
      .getByText("job 2")
      .click({ modifiers: ["Shift"] });
    await page.getByText("10 jobs selected").waitFor();
    await picture(page, "operator-selected");
    await page.getByRole("button", { name: /^Stop 10 jobs…/ }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Stop 10 jobs" }).click();
    await page.getByText("10 jobs are stopped.").waitFor();
    expect(await again()).toBeLessThanOrEqual(4);
    const { count } = await farm.client.countJobs({ filters: [{ field: "substatus", values: ["stopped"] }] });
    expect(count).toBe(10);
    await context.close();
  });

  media("finds why nothing runs, and lets it run from there", async () => {
    const { farm, page, context } = await openFarm(browser());
    await using _farm = farm;
    await make(join(farm.media, "clip.mp4"), ...clip);
    await farm.startAgent("rack-01");
    const [node] = (await farm.client.listNodes({})).items;
    await farm.client.updateNode({ node_id: node?.id ?? "", state: "paused", note: "new disk" });
    const id = await farm.submit(
      aChain([aFileSource(join(farm.media, "clip.mp4")), aCopyTo(join(farm.folder, "out"))]),
    );
    await begin(page, farm.baseUrl, "jobs");
    await page.getByRole("link", { name: `Why does job ${id} not run?` }).click();
    const drawer = page.getByRole("dialog", { name: "Why is this not running?" });
    await drawer.getByText("Paused by an operator: rack-01").waitFor();
    await picture(page, "operator-why");
    expect(await axeFindings(page)).toEqual([]);
    await drawer.getByRole("button", { name: "Activate rack-01" }).click();
    await until("the job completes", async () => (await farm.untilEnded(id)).status === "completed");
    await context.close();
  });

  test("drains a node from its page, and history says who it was", async () => {
    const { farm, page, context } = await openFarm(browser());
    await using _farm = farm;
    await farm.startAgent("rack-01");
    await begin(page, farm.baseUrl, "nodes");
    await page.getByRole("row").filter({ hasText: "rack-01" }).click();
    await page.getByRole("heading", { level: 1 }).getByText("rack-01").waitFor();
    await page.getByRole("button", { name: /^Drain/ }).click();
    await page.getByRole("heading", { level: 1 }).locator("..").getByText("Draining").waitFor();
    expect((await farm.client.listNodes({})).items[0]?.state).toBe("drain");
    await picture(page, "operator-node");
    expect(await axeFindings(page)).toEqual([]);
    await page.getByRole("link", { name: "History", exact: true }).click();
    await page.getByText("Drained by first owner").waitFor();
    await context.close();
  });

  test("goes anywhere by the palette", async () => {
    const { farm, page, context } = await openFarm(browser());
    await using _farm = farm;
    const id = await farm.submit(
      aChain([aFileSource("/nowhere.mov"), aCopyTo(farm.folder)], { name: "needle in hay" }),
    );
    await begin(page, farm.baseUrl, "overview");
    await page.keyboard.press("ControlOrMeta+k");
    await page.getByRole("combobox", { name: "Search or do" }).fill("needle");
    await page.getByRole("option", { name: /needle in hay/ }).waitFor();
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { level: 1 }).getByText("needle in hay").waitFor();
    expect(page.url()).toContain(`#/jobs/${id}`);
    await context.close();
  });
});
