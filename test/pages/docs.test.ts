import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { aFolder } from "../helpers/agent/agent-fixture.ts";
import { axeFindings, openPage, picture } from "../helpers/pages/browser.ts";
import { describePages, useBrowser } from "../helpers/pages/page-suite.ts";
import { beginAtOverview, password } from "../helpers/pages/pages-farm.ts";
import { exitOf, type Program, startProgram } from "../helpers/processes/farm-processes.ts";

const root = join(import.meta.dirname, "../..");
const browser = useBrowser();

/** Wider than the window is what somebody would have to scroll sideways for; tables and code scroll inside themselves. */
const widerBy = (page: Page): Promise<number> =>
  page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth");

/** Long and short pages, with pictures, commands, wide tables, and lists of headings. */
const shown = ["index", "first-farm", "dashboard", "jobs/codecs", "review/licences"];
/** axe looks once in each theme: in one as a desk shows it, in the other as phones do. */
const looks = [
  ["light", 1440, "axe"],
  ["dark", 390, "axe"],
  ["dark", 1440, ""],
  ["light", 390, ""],
  ["light", 1024, ""],
] as const;

describePages("the docs that a farm serves", () => {
  let farm: Program;
  let [firstSignIn, docs] = ["", ""];
  let cleanUp: () => Promise<unknown>;
  beforeAll(async () => {
    const { path: folder, remove } = await aFolder();
    const env = { ...process.env, XDG_CONFIG_HOME: join(folder, "config") };
    const words = ["up", "--no-agent", "--json", "--port", "0", "--data", join(folder, "farm")];
    farm = startProgram(join(root, "cli/main.ts"), words, env);
    cleanUp = async () => {
      farm.child.kill("SIGTERM");
      await exitOf(farm.child);
      await remove();
    };
    const ready = (await farm.firstLine) as { first_sign_in_url: string; dashboard_url: string }; // the contract of `up --json`
    firstSignIn = ready.first_sign_in_url;
    docs = new URL("docs", ready.dashboard_url).href;
  });
  afterAll(() => cleanUp?.());

  test("are a step away from every page, and lead back", async () => {
    const { page, context } = await openPage(browser());
    await page.goto(firstSignIn);
    await page.getByLabel("Your name").fill("first owner");
    await page.getByLabel("Password", { exact: true }).fill(password);
    await page.getByLabel("Password again").fill(password);
    await beginAtOverview(page);
    await page.keyboard.press("?");
    const [opened] = await Promise.all([
      context.waitForEvent("page"),
      page.getByRole("link", { name: /^Docs: how to do all of this/ }).click(),
    ]);
    await opened.getByRole("heading", { level: 1, name: "Mediafarm's docs" }).waitFor();
    expect(opened.url()).toBe(`${docs}/`);
    const back = opened.getByRole("link", { name: "Dashboard", exact: true });
    expect(new URL((await back.getAttribute("href")) ?? "", opened.url()).href).toBe(new URL("/", docs).href);
    await context.close();
  });

  test("are read by somebody who is not signed in and runs no scripts", async () => {
    const context = await browser().newContext({ javaScriptEnabled: false, viewport: { width: 390, height: 844 } });
    const page = await context.newPage();
    await page.goto(docs);
    await page.getByRole("link", { name: "installing", exact: true }).first().click();
    await page.getByRole("heading", { level: 1, name: "Installing" }).waitFor();
    expect(await page.getByRole("searchbox").count()).toBe(0);
    await page.getByText("All pages").click();
    await page.getByRole("link", { name: "Storage", exact: true }).click();
    await page.getByRole("heading", { level: 1, name: "Storage" }).waitFor();
    await context.close();
  });

  test("are searched with the keyboard, and ask nobody else", async () => {
    const { page, context, complaints } = await openPage(browser());
    const asked = new Set<string>();
    page.on("request", (request) => asked.add(new URL(request.url()).origin));
    await page.goto(`${docs}/jobs/time.html`);
    await page.keyboard.press("/");
    await page.keyboard.type("second machine");
    await page
      .getByRole("search")
      .getByText(/^\d+ places?$/)
      .waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await page.keyboard.press("Escape");
    await expect.poll(() => page.getByRole("search").getByRole("link").count()).toBe(0);
    // Browsers also empty a field for searching.
    await page.keyboard.type("qqq");
    await page.getByText("Nothing is called “qqq”.").waitFor();
    await page.getByRole("searchbox").fill("second machine");
    await page.getByRole("search").getByRole("link").first().waitFor();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await page.waitForURL(/first-farm\.html#4-a-second-machine$/);
    expect([...asked]).toEqual([new URL(docs).origin]);
    expect(complaints).toEqual([]);
    await context.close();
  });

  test("give commands to the clipboard, also where browsers offer none to pages", async () => {
    for (const isOffered of [true, false]) {
      const { page, context } = await openPage(browser());
      if (!isOffered) await page.addInitScript("Object.defineProperty(navigator, 'clipboard', { value: undefined })");
      await page.goto(`${docs}/first-farm.html`);
      const button = page.getByRole("button", { name: "Copy: mediafarm submit docs/examples/first-job.json --wait" });
      await button.focus();
      await page.keyboard.press("Enter");
      await page.getByRole("status").getByText("Copied").waitFor();
      expect(await page.evaluate("document.activeElement.tagName")).toBe("BUTTON");
      await page.getByRole("searchbox").focus();
      await page.keyboard.press("Control+V");
      const pasted = await page.getByRole("searchbox").inputValue();
      expect([isOffered, pasted]).toEqual([isOffered, "mediafarm submit docs/examples/first-job.json --wait"]);
      await context.close();
    }
  });

  test("follow the theme that somebody chose on the dashboard", async () => {
    const { page, context } = await openPage(browser(), { scheme: "light" });
    const background = () => page.evaluate("getComputedStyle(document.body).backgroundColor");
    await page.goto(docs);
    expect(await background()).toBe("rgb(243, 243, 243)");
    await page.evaluate("localStorage.setItem('mediafarm.theme', 'dark')");
    await page.reload();
    expect(await background()).toBe("rgb(19, 19, 19)");
    await context.close();
  });

  test.each(looks)("fit a window and have no barriers: %s, %d px", async (scheme, width, looker) => {
    const { page, context, complaints } = await openPage(browser(), { scheme, width, height: width < 600 ? 844 : 900 });
    for (const name of shown) {
      await page.goto(`${docs}/${name}.html`.replace("/index.html", "/"));
      await page.evaluate("document.fonts.ready");
      await picture(page, `docs-${name.replace("/", "-")}-${width}-${scheme}`);
      // Lists beside the text do not push it down.
      const { y = 999 } = (await page.getByRole("heading", { level: 1 }).boundingBox()) ?? {};
      expect([name, y < 300]).toEqual([name, true]);
      const barriers = looker === "axe" ? await axeFindings(page) : [];
      expect([name, await widerBy(page), barriers]).toEqual([name, 0, []]);
    }
    expect(complaints).toEqual([]);
    await context.close();
  });
});
