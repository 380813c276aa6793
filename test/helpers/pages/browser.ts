import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import axe from "axe-core";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";
import { builtPages } from "../../../coordinator/http/pages.ts";
import { isLong } from "../long.ts";

/** The shell without a window of its own draws the same pages for two thirds of the processor time. */
const programs = ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"];
const places = [process.env.CHROMIUM_PATH, ...programs.map((name) => `/usr/bin/${name}`)];

/** Undefined where pages cannot be tried: there is no Chromium, or nobody has built them. */
export const chromiumPath = places.find((path) => path !== undefined && existsSync(path));
export const arePagesBuilt = existsSync(join(builtPages, "index.html"));
export const whySkipped = chromiumPath === undefined ? "there is no Chromium" : "npm run build has not been run";

const words = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

export const openBrowser = (): Promise<Browser> => chromium.launch({ executablePath: chromiumPath, args: words });

export type Watched = { readonly page: Page; readonly context: BrowserContext; readonly complaints: string[] };

/** A page waits for as long as a machine may take that runs other stories beside. Only a failure takes so long. */
export const patienceMs = 120_000;

/** A page in a profile of its own; whatever it throws or complains about is kept. */
export const openPage = async (
  browser: Browser,
  { width = 1440, height = 900, scheme = "light" as "light" | "dark", locale = "en-US" } = {},
): Promise<Watched> => {
  const context = await browser.newContext({
    viewport: { width, height },
    colorScheme: scheme,
    locale,
    reducedMotion: "reduce",
  });
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const page = await context.newPage();
  page.setDefaultTimeout(patienceMs);
  const complaints: string[] = [];
  page.on("pageerror", (problem) => complaints.push(`thrown: ${problem.message}`));
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") complaints.push(message.text());
  });
  return { page, context, complaints };
};

/** What axe finds wrong on the page as it stands, one line a finding. */
export const axeFindings = async (page: Page): Promise<string[]> => {
  if (!(await page.evaluate("'axe' in window"))) await page.evaluate(axe.source);
  const found = await page.evaluate("axe.run(document, { resultTypes: ['violations'] })");
  // axe's own shape, cut to what is told
  const { violations } = found as { violations: { id: string; nodes: { html: string; failureSummary?: string }[] }[] };
  return violations.map(
    ({ id, nodes }) => `${id} ×${nodes.length}: ${nodes[0]?.html.slice(0, 300)} ${nodes[0]?.failureSummary ?? ""}`,
  );
};

/** Waits until fonts are there and nothing has changed its size for some frames. */
const settled = (page: Page): Promise<void> =>
  page.evaluate(`(async () => {
    await document.fonts.ready;
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
    const size = () => [...document.querySelectorAll("main *")].reduce((sum, { scrollWidth, scrollHeight }) => sum + scrollWidth + scrollHeight, 0);
    for (let still = 0, last = -1, tries = 0; still < 2 && tries < 60; tries += 1) {
      await frame();
      const now = size();
      still = now === last ? still + 1 : 0;
      last = now;
    }
  })()`);

/** By how many pixels something is wider than the window, or than the page's frame, which scrolls by itself. */
export const overflow = (page: Page): Promise<number> =>
  page.evaluate(
    `Math.max(...[document.documentElement, ...document.querySelectorAll("main > div, [role=dialog]")]
      .map(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth))`,
  );

const pictures = join(import.meta.dirname, "../../../.build/screenshots");

/** A picture to look at afterwards, where somebody asked for the long run: taking one costs as much as a test's step. */
export const picture = async (page: Page, name: string): Promise<void> => {
  if (!isLong) return;
  mkdirSync(pictures, { recursive: true });
  await page.screenshot({ path: join(pictures, `${name}.png`) });
};

const sizes = [
  [390, 844],
  [1024, 768],
  [1440, 900],
] as const;
/** axe looks once at each page in each theme: in one as a desk shows it, in the other as phones do; the long run at all. */
const axeWidth = { light: 1440, dark: 390 } as const;

/** What is wrong with the looks of a page as it stands, at three widths. */
export const faultsOfLooks = async (page: Page, name: string, scheme: "light" | "dark"): Promise<string[]> => {
  const faults: string[] = [];
  for (const [width, height] of sizes) {
    await page.setViewportSize({ width, height });
    await settled(page);
    await picture(page, `${name}-${width}-${scheme}`);
    const wider = await overflow(page);
    if (wider > 0) faults.push(`${name} is ${wider} px wider than ${width} px`);
    if (!isLong && width !== axeWidth[scheme]) continue;
    faults.push(...(await axeFindings(page)).map((finding) => `${name} at ${width} px: ${finding}`));
  }
  return faults;
};
