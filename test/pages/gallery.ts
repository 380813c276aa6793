import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { type Browser, chromium, type Page } from "playwright-core";
import { chromiumPath, patienceMs } from "../helpers/pages/browser.ts";
import { type RichFarm, startRichFarm } from "./rich-farm/index.ts";
import { picturesOf } from "./rich-farm/pictures.ts";

/**
 * `node test/pages/gallery.ts FOLDER [--only overview,jobs] [--widths 1440,390] [--wait 5000] [--again]`: pictures of every page of a farm
 * with work and nodes in every state, at five widths and in both themes, for somebody who wants to look at all of them.
 * `--wait` gives each page so many milliseconds, on a busy machine. `--again` waits for a line on the input and takes them anew. Needs built pages, Chromium and ffmpeg.
 */
const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    only: { type: "string" },
    widths: { type: "string" },
    wait: { type: "string" },
    again: { type: "boolean" },
  },
});
const [folder] = positionals;
if (folder === undefined) throw new Error("Usage: node test/pages/gallery.ts FOLDER");
const everyWidth = [1440, 1024, 390, 1920, 360];
type Choice = { readonly only?: string | undefined; readonly widths?: string | undefined };

const signIn = async (browser: Browser, farm: RichFarm) => {
  const page = await (await browser.newContext()).newPage();
  await page.goto(farm.firstSignInUrl);
  await page.getByLabel("Your name").fill("first owner");
  await page.getByLabel("Password", { exact: true }).fill("a password of the gallery");
  await page.getByLabel("Password again").fill("a password of the gallery");
  await page.getByRole("button", { name: "Begin" }).click();
  await page.getByRole("navigation", { name: "Pages" }).waitFor();
  return page.context().storageState();
};

const shoot = async (
  browser: Browser,
  farm: RichFarm,
  storageState: Awaited<ReturnType<typeof signIn>>,
  { only, widths }: Choice,
): Promise<void> => {
  const wanted = only?.split(",");
  const pictures = picturesOf(farm).filter(({ name }) => wanted?.includes(name) ?? true);
  for (const width of widths?.split(",").map(Number) ?? everyWidth)
    for (const colorScheme of ["light", "dark"] as const) {
      const viewport = { width, height: width < 600 ? 844 : width > 1600 ? 1080 : 900 };
      const look = { viewport, colorScheme, reducedMotion: "reduce" } as const;
      for (const { name, address, isStranger, prepare } of pictures) {
        const context = await browser.newContext({ ...look, ...(!isStranger && { storageState }) });
        const page = await context.newPage();
        await take(page, farm, address, prepare, join(folder, `${name}-${width}-${colorScheme}.png`));
        await context.close();
      }
    }
};

const take = async (
  page: Page,
  farm: RichFarm,
  address: string,
  prepare: ((page: Page) => Promise<void>) | undefined,
  path: string,
): Promise<void> => {
  page.setDefaultTimeout(patienceMs);
  try {
    await page.goto(`${farm.url}#/${address}`);
    await page.waitForTimeout(Number(values.wait ?? 1200)); // answers, and what is drawn of them
    await prepare?.(page);
    await page.mouse.move(0, 0);
    await page.waitForTimeout(300);
  } catch (problem) {
    console.log(`${path}: ${problem instanceof Error ? problem.message.split("\n")[0] : problem}`);
  }
  await page.screenshot({ path }).catch((problem) => console.log(`${path}: ${problem}`));
};

mkdirSync(folder, { recursive: true });
await using farm = await startRichFarm();
await using browser = await chromium.launch({ executablePath: chromiumPath, args: ["--no-sandbox", "--disable-gpu"] });
const state = await signIn(browser, farm);
await shoot(browser, farm, state, values);
console.log(`Pictures are in ${folder}; the farm is at ${farm.url}`);
if (values.again)
  for await (const line of process.stdin) {
    const [only, widths] = String(line).trim().split(/\s+/);
    if (only === "end") break;
    await shoot(browser, farm, state, { only: only === "all" ? undefined : only, widths });
    console.log("Taken.");
  }
process.exit(0);
