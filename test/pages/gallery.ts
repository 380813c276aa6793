import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { type Browser, chromium, type Page } from "playwright-core";
import { chromiumPath } from "../helpers/browser.ts";
import { startFarm, until } from "../helpers/farm-processes.ts";
import { aChain, aCopyTo, aFileSource, anMp4Target, aTranscodeTo } from "../helpers/job-builders.ts";
import { make } from "../helpers/media-tools.ts";

/**
 * `node test/pages/gallery.ts FOLDER`: pictures of every page of a real farm with work of every kind, at three widths and
 * in both themes, for somebody who wants to look at all of them. Needs built pages, Chromium and ffmpeg.
 */
const [, , folder] = process.argv;
if (folder === undefined) throw new Error("Usage: node test/pages/gallery.ts FOLDER");
const [name, password] = ["first owner", "a password of the gallery"];
const widths = [390, 1024, 1440] as const;

type Farm = Awaited<ReturnType<typeof startFarm>>;

const clip = (seconds: number) => [
  ...["-f", "lavfi", "-i", `testsrc2=size=640x360:rate=25:duration=${seconds}`],
  ...["-f", "lavfi", "-i", `sine=duration=${seconds}:r=48000`],
  ...["-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p", "-g", "25", "-c:a", "aac"],
];

/** Jobs in every state; gives the ids of those that have ended. */
const fill = async (farm: Farm): Promise<{ readonly measured: string; readonly running: string }> => {
  const short = await make(join(farm.media, "Northline 207.mp4"), ...clip(4));
  const long = await make(join(farm.media, "Saltmarsh R4.mp4"), ...clip(240));
  const out = join(farm.folder, "out");
  const deep = { video: { black: { duration_sec: 0.5 } }, audio: [{ silence: { duration_sec: 1 }, ebur128: {} }] };
  const measure = { uid: "measure", kind: "analyze", payload: { deep_properties: deep } };
  const conditions = ["deep_properties.audio[0].ebur128.integrated_lufs < -16", "source.video.length == 1"];
  const tests = [{ name: "delivery", conditions: conditions.map((condition) => ({ condition })) }];
  const judge = { uid: "judge", kind: "qc", payload: { tests } };
  const proxy = aTranscodeTo(out, [anMp4Target({ existing_files: "rename_new" })]);
  const measured = await farm.submit(aChain([aFileSource(short), measure, judge, proxy], { name: "Northline 207 QC" }));
  await farm.untilEnded(measured);
  await farm.untilEnded(await farm.submit(aChain([aFileSource("/gone/A021C003.mov"), proxy], { name: "Rushes A021" })));
  await farm.submit(aChain([aFileSource(short), proxy], { name: "Harrow Lane social", paused: true }));
  await farm.submit(aChain([aFileSource(short), proxy], { name: "Kite County 105", task_tags: ["nvenc"] }));
  const slow = anMp4Target({
    existing_files: "rename_new",
    video: { codec: "h264", preset: "veryslow", height: 1080 },
  });
  const running = await farm.submit(aChain([aFileSource(long), aTranscodeTo(out, [slow])], { name: "Saltmarsh R4" }));
  for (let nr = 1; nr <= 6; nr += 1)
    await farm.submit(
      aChain([aFileSource(long), aCopyTo(out, { existing_files: "rename_new" })], {
        name: `The Glass Orchard ${100 + nr}`,
        priority: 50,
      }),
    );
  await until("something runs", async () =>
    (await farm.client.listNodes({})).items.some((node) => node.running.length > 0),
  );
  return { measured, running };
};

const signIn = async (page: Page, farm: Farm): Promise<void> => {
  await page.goto(farm.secrets.first_sign_in_url ?? "");
  await page.getByLabel("Your name").fill(name);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByLabel("Password again").fill(password);
  await page.getByRole("button", { name: "Begin" }).click();
  await page.getByRole("navigation", { name: "Pages" }).waitFor();
};

const shoot = async (browser: Browser, farm: Farm, pages: Readonly<Record<string, string>>): Promise<void> => {
  const first = await (await browser.newContext()).newPage();
  await signIn(first, farm);
  const storageState = await first.context().storageState();
  for (const width of widths)
    for (const colorScheme of ["light", "dark"] as const) {
      const viewport = { width, height: width < 600 ? 844 : 900 };
      const context = await browser.newContext({ viewport, colorScheme, storageState, reducedMotion: "reduce" });
      const page = await context.newPage();
      for (const [what, address] of Object.entries(pages)) {
        await page.goto(`${farm.baseUrl.replace(/v1$/, "")}#/${address}`);
        await page.waitForTimeout(1500); // answers, and what is drawn of them
        await page.screenshot({ path: join(folder, `${what}-${width}-${colorScheme}.png`) });
      }
      await context.close();
    }
};

mkdirSync(folder, { recursive: true });
await using farm = await startFarm();
await farm.startAgent("rack-01", ["--slots", "2"]);
await farm.startAgent("edit-07");
await farm.startAgent("grade-02");
const grade = (await farm.client.listNodes({})).items.find((node) => node.name === "grade-02");
await farm.client.updateNode({ node_id: grade?.id ?? "", state: "paused", note: "new disk" });
const { measured, running } = await fill(farm);
await using browser = await chromium.launch({ executablePath: chromiumPath, args: ["--no-sandbox", "--disable-gpu"] });
await shoot(browser, farm, {
  ...{ overview: "overview", wall: "overview?wall=true", jobs: "jobs", "job-measured": `jobs/${measured}` },
  ...{ "job-running": `jobs/${running}`, nodes: "nodes", timeline: "nodes?view=timeline&hours=1", node: "nodes/1" },
  ...{ history: "history", farm: "farm", people: "people", account: "account", presets: "presets", api: "api" },
  ...{ submit: "submit", "submit-json": "submit?as=json" },
});
console.log(`Pictures are in ${folder}`);
