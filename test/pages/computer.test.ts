import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import type { Computer } from "../../shared/desktop/ipc.ts";
import { gentleRules } from "../../shared/lending/lending.ts";
import { faultsOfLooks, openPage } from "../helpers/pages/browser.ts";
import { describePages, useBrowser, useCannedFarm } from "../helpers/pages/page-suite.ts";

const browser = useBrowser();
const farm = useCannedFarm();

const hourMs = 3_600_000;
const dayOf = (at: number): string => {
  const date = new Date(at);
  return [date.getFullYear(), date.getMonth() + 1, date.getDate()].map((part) => `${part}`.padStart(2, "0")).join("-");
};
const lent = [6.2, 11.8, 9.4, 3.1, 4.4, 5, 3.4];

const aComputer = (now: number, more: Partial<Computer> = {}): Computer => ({
  version: "0.1.0",
  platform: "linux",
  name: "edit-02",
  mode: "node",
  farm: "farm.halden:8700",
  state: "lending",
  title: "Lending, 2 tasks",
  words: "Tasks run at low priority.",
  rules: gentleRules,
  press: null,
  report: {
    standing: {
      state: "lending",
      why: "Lending",
      until: null,
      takes: true,
      isSuspended: false,
      load: {
        cpu: 0.84,
        farmCpu: 0.62,
        memoryUsed: 19e9,
        memory: 64e9,
        disk: { free: 437e9, total: 960e9 },
      },
    },
    canSuspend: true,
    held: null,
    running: [
      { taskId: 11, name: "proxy_011 of THE GLASS ORCHARD 103, camera A, second unit", percent: 64, workedMs: 200_000 },
      { taskId: 12, name: "proxy_012", percent: null, workedMs: 61_000 },
    ],
    ended: [
      { name: "proxy_010", how: "done", workedMs: 348_000, at: now - 300_000 },
      { name: "proxy_009", how: "givenBack", workedMs: 62_000, at: now - 600_000 },
      { name: "proxy_008", how: "failed", workedMs: 5000, at: now - 900_000 },
    ],
    days: lent.map((hours, at) => ({ day: dayOf(now - (6 - at) * 24 * hourMs), lentMs: hours * hourMs, tasks: 30 })),
  },
  nodeId: 7,
  roots: ["/home/mara/Mediafarm", "/mnt/projects/a folder with a long name that nobody shortened/renders"],
  slots: null,
  dataFolder: "/home/mara/.mediafarm",
  startAtLogin: true,
  notices: ["soon", "diskLow"],
  update: null,
  ...more,
});

/** The desktop app's bridge in the page: it remembers what it was asked, and takes it over as the app would. */
const withBridge = (page: Page, computer: Computer) =>
  page.addInitScript(
    ([given]) => {
      const state = { computer: given, asked: [] as unknown[], listeners: [] as ((computer: unknown) => void)[] };
      const ask = (name: string, change: (input: never) => object) => async (input: never) => {
        state.asked.push([name, input]);
        state.computer = { ...state.computer, ...change(input) } as typeof given;
        return state.computer;
      };
      const tell = (computer: typeof given) => {
        state.computer = computer;
        for (const listener of state.listeners) listener(computer);
      };
      const bridge = {
        getComputer: async () => state.computer,
        onComputer: (listener: (computer: unknown) => void) => {
          state.listeners.push(listener);
          return () => {};
        },
        press: ask("press", ({ press }) => ({ press })),
        setRules: ask("setRules", ({ rules }) => ({ rules })),
        setSlots: ask("setSlots", ({ slots }) => ({ slots: slots || null })),
        setStartAtLogin: ask("setStartAtLogin", ({ isWanted }) => ({ startAtLogin: isWanted })),
        setNotices: ask("setNotices", ({ notices }) => ({ notices })),
        addRoot: ask("addRoot", () => ({})),
        leaveFarm: ask("leaveFarm", () => ({})),
        removeRoot: async () => {
          throw new Error("Jobs use this folder just now");
        },
      };
      Object.assign(globalThis, { mediafarm: bridge, bridgeState: state, tell });
    },
    [computer] as const,
  );

const asked = (page: Page) => page.evaluate("bridgeState.asked") as Promise<unknown[]>;

const signIn = async (page: Page): Promise<void> => {
  await page.goto(`${farm().url}/#/computer`);
  const form = page.getByRole("button", { name: "Sign in" });
  await form.or(page.locator("#main h1")).first().waitFor();
  if (await form.isVisible()) {
    await page.getByLabel("Name").fill("owner");
    await page.getByLabel("Password").fill("a long password");
    await form.click();
  }
  await page.locator("#main h1").waitFor();
};

const stories = {
  lending: {},
  suspended: { state: "inUse", title: "In use by you", words: "In use. 2 tasks are suspended." },
  hours: { rules: { ...gentleRules, lend: "hours" } },
  soon: { state: "soon", title: "Lending starts in 24 s", words: "Nobody has used this computer for a while." },
  full: {
    state: "diskLow",
    title: "Paused itself: the disk is nearly full",
    words: "/scratch has 9.0 GB free. Lending resumes by itself above 12.0 GB. Nothing runs here.",
  },
  starting: { state: "starting", title: "Starting", words: "The farm is starting.", report: null },
} as const satisfies Record<string, Partial<Computer>>;

const storyOf = (name: keyof typeof stories): Computer => {
  const computer = aComputer(Date.now(), structuredClone(stories[name]) as Partial<Computer>);
  if (computer.report && name !== "lending" && name !== "hours") {
    const standing = { ...computer.report.standing, isSuspended: name === "suspended", takes: false };
    return { ...computer, report: { ...computer.report, standing, ...(name === "full" && { running: [] }) } };
  }
  return computer;
};

describePages("This computer", () => {
  test.each(["light", "dark"] as const)(
    "in %s: axe finds nothing, nothing is wider than the window at three widths, nothing complains",
    async (scheme) => {
      const problems: string[] = [];
      const { page, context, complaints } = await openPage(browser(), { scheme });
      await withBridge(page, storyOf("lending"));
      await signIn(page);
      for (const name of Object.keys(stories) as (keyof typeof stories)[]) {
        const story = storyOf(name);
        await page.evaluate(`tell(${JSON.stringify(story)})`);
        await page.getByText(story.words).first().waitFor();
        problems.push(...(await faultsOfLooks(page, `computer-${name}`, scheme)));
      }
      problems.push(...complaints.filter((text) => !/status of 40[14]/.test(text)));
      await context.close();
      expect(problems).toEqual([]);
    },
  );

  test("stopping, the mode, the week plan and refusals go through the app", async () => {
    const { page, context } = await openPage(browser());
    const computer = storyOf("hours");
    await withBridge(page, computer);
    await signIn(page);
    await page.getByRole("button", { name: "Stop lending", exact: true }).click();
    await page.getByRole("button", { name: "Start lending" }).waitFor();
    await page.getByRole("radio", { name: /^Always/ }).check();
    await page.getByRole("button", { name: "Monday 09:00" }).click();
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("Space");
    await page.getByRole("button", { name: "Remove /home/mara/Mediafarm" }).click();
    await page.getByText("Jobs use this folder just now").waitFor();

    const week = [...gentleRules.week];
    const always = { ...computer.rules, lend: "always" };
    const at = (text: string) => [text, ...week.slice(1)];
    expect(await asked(page)).toEqual([
      ["press", { press: { do: "stop", until: null } }],
      ["setRules", { rules: always }],
      ["setRules", { rules: { ...always, week: at(`${"1".repeat(8)}010000000001${"1".repeat(4)}`) } }],
      ["setRules", { rules: { ...always, week: at(`${"1".repeat(8)}011000000001${"1".repeat(4)}`) } }],
    ]);
    await context.close();
  });

  test("the page says what a stop does, shows no bar where progress is unknown, and leads out of the farm", async () => {
    const { page, context } = await openPage(browser());
    await withBridge(page, storyOf("lending"));
    await signIn(page);
    await page.getByText(/When lending stops, they are suspended at once\./).waitFor();
    const tasks = page.getByRole("listitem").filter({ hasText: "proxy_01" });
    const ofUnknown = tasks.filter({ hasText: "proxy_012" });
    expect(await ofUnknown.innerText()).toContain("for 1:01");
    expect(await ofUnknown.getByRole("img", { name: /%$/ }).count()).toBe(0);
    expect(await tasks.filter({ hasText: "proxy_011" }).getByRole("img", { name: /64 %$/ }).count()).toBe(1);
    await page.getByRole("button", { name: "Stop lending for 1 hour" }).waitFor();
    await page.getByRole("button", { name: "Leave the farm…" }).click();
    expect(await asked(page)).toEqual([["leaveFarm", {}]]);
    await page.evaluate(`tell(${JSON.stringify({ ...storyOf("lending"), mode: "farm" })})`);
    await page.getByRole("button", { name: "Leave the farm…" }).waitFor({ state: "detached" });
    await context.close();
  });

  test("in a browser the page leads to the desktop app and is not in the list of pages", async () => {
    const { page, context } = await openPage(browser());
    await signIn(page);
    expect(await page.getByRole("link", { name: "Open the desktop app" }).getAttribute("href")).toBe(
      "mediafarm://computer",
    );
    expect(await page.getByRole("link", { name: "This computer" }).count()).toBe(0);
    await context.close();
  });
});
