import { closeSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { systemClock } from "../../../shared/basics/system-clock.ts";
import { aChain, aCopyTo, aFileSource, anMp4Target, aTranscodeTo } from "../../helpers/farm/job-builders.ts";
import { ffmpegPath, make } from "../../helpers/media/media-tools.ts";
import { axeFindings, picture } from "../../helpers/pages/browser.ts";
import { watchEffort } from "../../helpers/pages/effort.ts";
import { createMadeNodes } from "../../helpers/pages/made-nodes.ts";
import { describePages, useBrowser } from "../../helpers/pages/page-suite.ts";
import { begin, openFarm } from "../../helpers/pages/pages-farm.ts";
import { redThings } from "../../helpers/pages/reds.ts";
import { type FarmProcesses, stop, until } from "../../helpers/processes/farm-processes.ts";

const browser = useBrowser();

const desk = { slots: 1, tags: ["desk"], cpu: "Intel Core i9-13900", cores: 12, memory: 64e9, os: "Windows 11 Pro" };
const aDesk = (nr: number) => ({ ...desk, name: `edit-${String(nr).padStart(2, "0")}` });
const aFilm = (seconds: number) => [
  ...["-f", "lavfi", "-i", `testsrc2=size=320x180:rate=25:duration=${seconds}`],
  ...["-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p"],
];
const presences = async (farm: FarmProcesses): Promise<string[]> => [
  ...new Set((await farm.client.listNodes({})).items.map(({ presence }) => presence)),
];

const untilEncoding = (farm: FarmProcesses, id: string): Promise<void> =>
  until("it encodes", async () => {
    const { items } = await farm.client.listTasks({ job_id: id, fields: ["kind", "progress"] });
    return items.some(({ kind, progress = 0 }) => kind === "transcode" && progress > 0);
  });

/** What a broken card leaves in the middle of a film. */
const damage = (path: string, from: number, length: number): void => {
  const file = openSync(path, "r+");
  writeSync(file, Buffer.alloc(length, 0xff), 0, length, from);
  closeSync(file);
};

describePages("a studio at night", () => {
  test("switches off forty workstations and on again: at no time is anything red", async () => {
    const { farm, page, context } = await openFarm(browser(), { lateMs: 4000, lostMs: 8000 });
    await using _farm = farm;
    const computers = Array.from({ length: 40 }, (_, nr) => aDesk(nr + 1));
    // Their work does not end today: what runs in the evening is given back.
    using desks = createMadeNodes(computers, { joinToken: farm.joinToken, fateOf: () => ({ minutes: 600 }) });
    await desks.switchOn();
    await farm.submit(aChain([aFileSource("/mnt/projects/reel.mov"), aCopyTo("/mnt/projects/out")], { name: "reel" }));
    const working = async () => (await farm.client.listNodes({})).items.filter(({ running }) => running.length > 0);
    await until("one of them works", async () => (await working()).length === 1);
    await begin(page, farm.baseUrl, "overview");
    const cells = page.getByRole("list", { name: "Nodes", exact: true }).getByRole("link");
    await expect.poll(() => cells.count()).toBe(40);
    expect(await redThings(page)).toEqual([]);

    const atNight = await watchEffort(page, "see that forty workstations were switched off, and nothing else");
    desks.switchOff();
    const off = page.getByRole("link", { name: /: off, 0\/1$/ });
    await expect.poll(() => off.count()).toBe(40);
    expect(await atNight()).toMatchObject({ clicks: 0, keys: 0 });
    const since = systemClock.monotonic();
    await until("silence would be a loss by now", () => systemClock.monotonic() - since > 10_000);
    expect(await presences(farm)).toEqual(["off"]);
    for (const address of ["overview", "nodes", "jobs"]) {
      await page.goto(farm.baseUrl.replace(/v1$/, `#/${address}`));
      await page.getByRole("heading", { level: 1 }).waitFor();
      await page
        .getByText(address === "jobs" ? "reel" : "Off")
        .first()
        .waitFor();
      expect(await redThings(page), address).toEqual([]);
      await picture(page, `story-night-${address}`);
    }
    expect(await axeFindings(page)).toEqual([]);

    await desks.switchOn();
    await until("all are there again", async () => (await presences(farm)).join() === "online");
    await until("the work goes on", async () => (await working()).length === 1);
    await page.goto(farm.baseUrl.replace(/v1$/, "#/overview"));
    await expect.poll(() => page.getByRole("link", { name: /: (idle|working), [01]\/1$/ }).count()).toBe(40);
    expect(await off.count()).toBe(0);
    expect(await redThings(page)).toEqual([]);
    expect(await farm.client.listNodes({})).toMatchObject({ items: { length: 40 } });
    await context.close();
  });
});

describePages("an operator who looks for a cause", () => {
  test("finds the slowest of twelve nodes in one click", async () => {
    const { farm, page, context } = await openFarm(browser());
    await using _farm = farm;
    const slow = "edit-07";
    using desks = createMadeNodes(
      Array.from({ length: 12 }, (_, nr) => aDesk(nr + 1)),
      { joinToken: farm.joinToken, fateOf: ({ name }) => ({ minutes: (name === slow ? 1500 : 300) / 60_000 }) },
    );
    await desks.switchOn();
    const job = aChain([aFileSource("/mnt/projects/reel.mov"), aCopyTo("/mnt/projects/out")], { name: "reel" });
    const done = async () =>
      (await farm.client.countJobs({ filters: [{ field: "status", values: ["completed"] }] })).count;
    // So many that the slow one, too, has done a few.
    const [jobs, atOnce] = [300, 25];
    for (let from = 0; from < jobs; from += atOnce)
      await Promise.all(Array.from({ length: atOnce }, (_, at) => farm.submit({ ...job, name: `reel ${from + at}` })));
    await until("all is copied", async () => (await done()) === jobs);
    await begin(page, farm.baseUrl, "overview");

    const effort = await watchEffort(page, "find the slowest node");
    await page.getByRole("link", { name: "Nodes", exact: true }).first().click();
    await page.getByText(/is \d+ % slower than its kind \(11 other nodes\)\./).waitFor();
    const told = page.getByRole("link", { name: slow }).first();
    await told.waitFor();
    expect(await effort()).toMatchObject({ clicks: 1, keys: 0 });
    await picture(page, "story-slowest");
    expect(await axeFindings(page)).toEqual([]);

    await page.getByRole("link", { name: "Sort by speed" }).click();
    const first = page
      .getByRole("grid")
      .getByRole("row")
      .filter({ hasText: /edit-\d\d/ })
      .first();
    await expect.poll(() => first.textContent()).toContain(slow);
    expect(await first.textContent()).toMatch(/0\.\d\d×/);
    await context.close();
  });

  const media = ffmpegPath === undefined ? test.skip : test;

  media("finds who stopped a job, and the line that explains it, in one click and one key", async () => {
    const { farm, page, context } = await openFarm(browser());
    await using _farm = farm;
    await farm.startAgent("rack-01");
    const film = await make(join(farm.media, "a021.mp4"), ...aFilm(60));
    damage(film, 20_000, 6000);
    const encode = anMp4Target({ video: { codec: "h264", preset: "medium", height: 360 }, audio: [] });
    // Damage is tolerated: else the job would fail there by itself.
    const source_pipeline = { options: { max_decode_errors: 1000 } };
    const location = { storage_provider: "file", path: join(farm.folder, "out") };
    const tolerant = { uid: "transcode", kind: "transcode", payload: { location, targets: [encode], source_pipeline } };
    const id = await farm.submit(aChain([aFileSource(film), tolerant], { name: "Rushes A021" }));
    await untilEncoding(farm, id);
    await farm.client.changeJobs({ action: "stop", ids: [id], note: "the picture breaks up" });
    await begin(page, farm.baseUrl, "jobs");

    const effort = await watchEffort(page, "find the line that explains a stopped job");
    await page.getByText("Rushes A021", { exact: true }).click();
    await page
      .getByText(/^Stopped by .*“the picture breaks up”/)
      .first()
      .waitFor();
    const log = page.getByRole("log");
    await log.waitFor();
    await page.keyboard.press("e");
    const line = log.getByText(/Invalid NAL unit|error while decoding|Error splitting/).first();
    await line.waitFor();
    await expect
      .poll(async () => {
        const box = await line.boundingBox();
        return box !== null && box.y > 48 && box.y + box.height < 900;
      })
      .toBe(true);
    expect(await effort()).toMatchObject({ clicks: 1, keys: 1 });
    await picture(page, "story-stopped");
    expect(await axeFindings(page)).toEqual([]);
    await context.close();
  });

  media("compares two attempts in two clicks: where they ran, how they ended, how fast they were", async () => {
    const { farm, page, context } = await openFarm(browser());
    await using _farm = farm;
    const first = await farm.startAgent("edit-01");
    const film = await make(join(farm.media, "film.mp4"), ...aFilm(60));
    const encode = anMp4Target({ video: { codec: "h264", preset: "slow", height: 360 }, audio: [] });
    const id = await farm.submit(
      aChain([aFileSource(film), aTranscodeTo(join(farm.folder, "out"), [encode])], { name: "Reel 4" }),
    );
    await untilEncoding(farm, id);
    await stop(first);
    await farm.startAgent("edit-02");
    expect(await farm.untilEnded(id)).toMatchObject({ status: "completed" });
    await begin(page, farm.baseUrl, "jobs");

    const effort = await watchEffort(page, "compare two attempts");
    await page.getByText("Reel 4", { exact: true }).click();
    await page.getByRole("button", { name: "Compare", exact: true }).click();
    const differs = page.getByLabel("What differs");
    await differs.waitFor();
    expect(await effort()).toMatchObject({ clicks: 2, keys: 0 });
    const told = await differs.innerText();
    expect(told).toMatch(/Node\s+edit-02\s+edit-01/);
    expect(told).toMatch(/End\s+published[\s\S]*its node was switched off/);
    // Speeds come with the end of a run: what was lost told none.
    expect(told).toMatch(/Speed\s+[\d.]+x\s+(?:[\d.]+x|–)/);
    expect(await page.getByRole("log").count()).toBe(2);
    await picture(page, "story-compare");
    expect(await axeFindings(page)).toEqual([]);
    await context.close();
  });
});
