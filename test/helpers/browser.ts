import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import axe from "axe-core";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";
import { builtPages } from "../../coordinator/http/pages.ts";

const places = [process.env.CHROMIUM_PATH, "/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

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

/** A page in a profile of its own; whatever it throws or complains about is kept. */
export const openPage = async (
  browser: Browser,
  { width = 1440, height = 900, scheme = "light" as "light" | "dark" } = {},
): Promise<Watched> => {
  const context = await browser.newContext({
    viewport: { width, height },
    colorScheme: scheme,
    reducedMotion: "reduce",
  });
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const page = await context.newPage();
  page.setDefaultTimeout(20_000);
  const complaints: string[] = [];
  page.on("pageerror", (problem) => complaints.push(`thrown: ${problem.message}`));
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") complaints.push(message.text());
  });
  return { page, context, complaints };
};

/** What axe finds wrong on the page as it stands, one line a finding. */
export const axeFindings = async (page: Page): Promise<string[]> => {
  await page.evaluate(axe.source);
  const found = await page.evaluate("axe.run(document, { resultTypes: ['violations'] })");
  // axe's own shape, cut to what is told
  const { violations } = found as { violations: { id: string; nodes: { html: string; failureSummary?: string }[] }[] };
  return violations.map(
    ({ id, nodes }) => `${id} ×${nodes.length}: ${nodes[0]?.html.slice(0, 300)} ${nodes[0]?.failureSummary ?? ""}`,
  );
};

/** By how many pixels something is wider than the window, or than the page's frame, which scrolls by itself. */
export const overflow = (page: Page): Promise<number> =>
  page.evaluate(
    `Math.max(...[document.documentElement, ...document.querySelectorAll("main > div, [role=dialog]")]
      .map(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth))`,
  );

const pictures = join(import.meta.dirname, "../../.build/screenshots");

export const picture = async (page: Page, name: string): Promise<void> => {
  mkdirSync(pictures, { recursive: true });
  await page.screenshot({ path: join(pictures, `${name}.png`) });
};
