import { spawn } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { openPage, patienceMs } from "../helpers/pages/browser.ts";
import { describePages, useBrowser } from "../helpers/pages/page-suite.ts";
import { exitOf, until } from "../helpers/processes/farm-processes.ts";

const browser = useBrowser();
const program = join(import.meta.dirname, "../dev/run.ts");

/** `npm run dev`, with all its files below that folder. */
const startDev = (folder: string) => {
  const child = spawn(process.execPath, [program], {
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, TMPDIR: folder },
  });
  const stderr = text(child.stderr);
  let printed = "";
  child.stdout.on("data", (chunk) => {
    printed += chunk;
  });
  return { child, stderr, printed: () => printed };
};

/** The programs that were started with that folder as the place of their files. */
const programsWith = (folder: string): string[] =>
  readdirSync("/proc").filter((pid) => /^\d+$/.test(pid) && environmentOf(pid).includes(folder));

const environmentOf = (pid: string): string => {
  try {
    return readFileSync(`/proc/${pid}/environ`, "utf8");
  } catch {
    return ""; // it ended meanwhile
  }
};

describePages("npm run dev", () => {
  test("serves a farm with made-up data through Vite, and Ctrl-C ends all of it", async () => {
    const folder = mkdtempSync(join(tmpdir(), "mediafarm-dev-story-"));
    const dev = startDev(folder);
    try {
      await until("the link", () => /#\/welcome\?code=/.test(dev.printed()) || dev.child.exitCode !== null);
      const link = /http:\S+#\/welcome\?code=\S+/.exec(dev.printed())?.[0];
      if (link === undefined) throw new Error(`npm run dev failed: ${await dev.stderr}`);
      const { page, context } = await openPage(browser());
      page.setDefaultTimeout(patienceMs);
      const reloads = page.waitForEvent("websocket");
      await page.goto(link);
      await page.getByLabel("Your name").fill("a developer");
      await page.getByLabel("Password", { exact: true }).fill("a password of the test");
      await page.getByLabel("Password again").fill("a password of the test");
      await page.getByRole("button", { name: "Begin" }).click();
      await page.getByRole("navigation", { name: "Pages" }).waitFor();
      await page.goto(link.replace(/#.*/, "#/jobs"));
      await page
        .getByRole("row", { name: /NORTHLINE/ })
        .first()
        .waitFor(); // it came through the proxy
      expect((await reloads).url()).toContain(new URL(link).host);
      expect(programsWith(folder).length).toBeGreaterThan(1);
      await context.close();
      dev.child.kill("SIGINT");
      expect(await exitOf(dev.child)).toBe(0);
      expect(programsWith(folder)).toEqual([]);
      expect(readdirSync(folder).filter((name) => name.startsWith("mediafarm"))).toEqual([]);
    } finally {
      dev.child.kill("SIGTERM");
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    }
  });
});
