import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { pollEveryMs } from "../../electron/lending/lender.ts";
import { turns } from "../helpers/clock.ts";
import { otherToken, ownToken, startApp } from "./app-fixture.ts";
import { labelsOf } from "./fake-desktop.ts";

describe("starting", () => {
  test("a second start leaves, and the first one shows its window", () => {
    expect(startApp({}, { isFirst: false }).isStarted).toBe(false);

    const first = startApp();
    first.state.startAgain();
    expect([first.windows.length, first.window().focused]).toEqual([1, 1]);
  });

  test("the window says in words that the farm starts, then shows its dashboard", async () => {
    const app = startApp();
    expect(decodeURIComponent(app.window().url())).toContain("<h1>The farm is starting.</h1>");

    await app.untilLending();

    expect(app.window().url()).toBe("http://127.0.0.1:8700/");
    expect(app.window().pages.length).toBe(2);
  });

  test("the first start makes a media folder of its own and lends nothing else", () => {
    const app = startApp();
    const folder = join(app.home, "Mediafarm");
    expect([existsSync(folder), app.store.get().roots]).toEqual([true, [folder]]);
  });

  test("the agent gets its join token in a message and starts when the coordinator is ready", async () => {
    const app = startApp({ roots: ["/media"], slots: 3 });
    expect(app.countOf("agent")).toBe(0);

    await app.untilLending();

    expect(app.service("agent").said).toEqual([
      {
        type: "start",
        dataDir: join(app.home, ".mediafarm/agent"),
        joinToken: ownToken,
        roots: ["/media"],
        slots: 3,
        lending: app.store.get().lending,
      },
    ]);
  });

  test("a coordinator that could not start is named in the window with its own words", async () => {
    const app = startApp();
    app.service("coordinator").tell({ type: "failed", words: "Port 8700 is taken" });
    app.service("coordinator").exit(1);
    expect(decodeURIComponent(app.window().url())).toContain("Port 8700 is taken. It restarts automatically.");
  });
});

describe("tray and menu", () => {
  test("the tray says what is so in a few words and a sentence", async () => {
    const app = startApp();
    expect(app.state.tooltip).toBe("Mediafarm: Starting. The farm is starting.");
    app.farm.running = 2;
    await app.untilLending();
    expect(app.state.tooltip).toBe("Mediafarm: Lending, 2 tasks. Tasks run at low priority.");
    expect(labelsOf(app.state.tray)).toEqual([
      "Lending, 2 tasks",
      "Tasks run at low priority.",
      "Stop Lending",
      "Stop for 1 Hour",
      "Stop Until Tomorrow",
      "Lend Always",
      "Lend When I’m Away",
      "Lend by Hours",
      "Never Lend",
      "Open Dashboard",
      "Quit Mediafarm",
    ]);
  });

  test("the window's menu offers all that the tray does", async () => {
    const app = startApp();
    await app.untilLending();
    const clickable = labelsOf(app.state.tray).slice(2);
    expect(labelsOf(app.state.menu)).toEqual(expect.arrayContaining(clickable));
  });

  test("stopping tells the agent, keeps over a start, and ends nothing", async () => {
    const app = startApp();
    await app.untilLending();
    app.click("Stop Lending", app.state.tray);
    await turns();
    const press = { do: "stop", until: null };
    expect(app.service("agent").said.at(-1)).toEqual({ type: "rules", lending: app.store.get().lending, press });
    expect([app.countOf("agent"), app.store.get().press]).toEqual([1, press]);

    app.report({ state: "stopped", why: "Stopped until you start it again", takes: false, isSuspended: true }, 1);
    expect(app.state.tooltip).toBe(
      "Mediafarm: Lending is stopped. Stopped until you start it again. 1 task is suspended.",
    );
    app.click("Start Lending");
    await turns();
    expect([app.store.get().press, app.service("agent").said.at(-1)]).toEqual([
      null,
      { type: "rules", lending: app.store.get().lending, press: undefined },
    ]);
  });

  test("the keys that work everywhere stop and start lending", async () => {
    const app = startApp();
    await app.untilLending();
    app.state.pressKeys();
    expect(app.store.get().press).toEqual({ do: "stop", until: null });
    app.state.pressKeys();
    expect(app.store.get().press).toBeNull();
  });

  test("when to lend is chosen in the tray", async () => {
    const app = startApp();
    await app.untilLending();
    app.click("Lend Always", app.state.tray);
    await turns();
    expect(app.store.get().lending.lend).toBe("always");
    expect(app.service("agent").said.at(-1)).toMatchObject({ type: "rules", lending: { lend: "always" } });
  });

  test("a press that has no more to say is forgotten", async () => {
    const app = startApp({ press: { do: "stop", until: 1 } });
    await app.untilLending();
    app.service("agent").tell({ type: "pressSpent" });
    expect(app.store.get().press).toBeNull();
  });

  test("an operator's pause shows here too", async () => {
    const app = startApp();
    await app.untilLending();
    app.farm.state = "paused";
    await app.clock.advance(pollEveryMs);
    expect(app.state.tooltip).toBe("Mediafarm: Paused by an operator. Running tasks finish, and no new ones start.");
  });

  test("a coordinator that does not answer is told, and an open page keeps its place", async () => {
    const app = startApp();
    await app.untilLending();
    app.farm.isUp = false;
    await app.clock.advance(pollEveryMs);
    expect(app.state.tooltip).toContain(
      "Mediafarm: Coordinator unreachable. No coordinator answers at 127.0.0.1:8700.",
    );
    expect(app.window().url()).toBe("http://127.0.0.1:8700/");
  });

  test("what cannot be done is said in words", async () => {
    const app = startApp({ farm: { mode: "none" } });
    app.click("Open Dashboard in the Browser");
    await turns();
    expect(app.calls).toEqual(["problem The farm is not ready yet"]);
  });
});

describe("the owner", () => {
  test("who comes back is told to the agent within half a second", async () => {
    const app = startApp();
    await app.untilLending();
    app.state.idleMs = 600_000;
    await app.clock.advance(4000);
    app.state.idleMs = 0;
    const before = app.service("agent").said.length;
    await app.clock.advance(500);
    expect(app.service("agent").said.slice(before)).toEqual([
      { type: "sense", sense: { idleMs: 0, isOnBattery: false } },
    ]);
  });

  test("a closed lid and a pulled plug are told at once", async () => {
    const app = startApp();
    await app.untilLending();
    await app.clock.advance(500);
    app.state.sleep(true);
    expect(app.service("agent").said.at(-1)).toMatchObject({ sense: { isAsleep: true } });
    app.state.isOnBattery = true;
    await app.clock.advance(500);
    expect(app.service("agent").said.at(-1)).toMatchObject({ sense: { isAsleep: true, isOnBattery: true } });
  });

  test("hears before work starts, and can say not now", async () => {
    const app = startApp();
    await app.untilLending();
    app.report({ state: "soon", why: "Lending starts soon", takes: false, until: app.clock.now() + 30_000 });
    expect(app.notices.map(({ title, body }) => [title, body])).toEqual([
      ["Lending starts in 30 s", "Nobody has used this computer for a while."],
    ]);
    app.notices[0]?.actions[0]?.run();
    await turns();
    expect(app.store.get().press).toEqual({ do: "skip" });
  });

  test("is told only what the settings name", async () => {
    const app = startApp({ notices: ["diskLow"] });
    await app.untilLending();
    app.report({ state: "soon", why: "Lending starts soon", takes: false, until: app.clock.now() + 30_000 });
    app.report({ state: "diskLow", why: "/scratch has 9 GB free", takes: false });
    expect(app.notices.map(({ title }) => title)).toEqual(["Paused itself: the disk is nearly full"]);
    await app.ask("setNotices", { notices: [] });
    expect(app.store.get().notices).toEqual([]);
  });

  test("the computer stays awake only while tasks work", async () => {
    const app = startApp();
    await app.untilLending();
    const awake = [app.state.isAwake];
    app.report({}, 1);
    awake.push(app.state.isAwake);
    app.report({ state: "inUse", isSuspended: true }, 1);
    awake.push(app.state.isAwake);
    expect(awake).toEqual([false, true, false]);
  });

  test("is asked before a change that would cost running work", async () => {
    const app = startApp({ roots: ["/media"] });
    await app.untilLending();
    app.report({}, 1);
    app.state.chosen = "/more";
    app.state.answer = 1;
    app.click("Let Jobs Use a Folder…");
    await turns();
    expect([app.questions[0]?.message, app.store.get().roots]).toEqual([
      "1 task runs here. Change this now?",
      ["/media"],
    ]);
  });
});

describe("the first run", () => {
  test("asks what this computer is to be and starts nothing before", () => {
    const app = startApp({ farm: { mode: "none" } });
    expect([app.countOf("coordinator"), app.countOf("agent")]).toEqual([0, 0]);
    expect(decodeURIComponent(app.window().url())).toContain("<h1>Welcome to Mediafarm</h1>");
  });

  test("a farm that starts here takes the page's place", async () => {
    const app = startApp({ farm: { mode: "none" } });
    await app.ask("startFarm", {}, { url: app.window().url() });
    await app.untilLending();
    expect(app.window().url()).toBe("http://127.0.0.1:8700/");
  });
});

describe("addresses of the app", () => {
  test("a page's address opens it, at once or when the farm is there", async () => {
    const app = startApp();
    app.state.openAddress("mediafarm://jobs/12");
    expect(app.window().url()).toMatch(/^data:/);
    await app.untilLending();
    expect(app.window().url()).toBe("http://127.0.0.1:8700/#/jobs/12");
    app.state.openAddress("mediafarm://computer");
    expect(app.window().url()).toBe("http://127.0.0.1:8700/#/computer");
  });

  test("an invitation is asked about first", async () => {
    const app = startApp({ roots: ["/media"] });
    await app.untilLending();
    app.state.answer = 1;
    app.state.openAddress(`mediafarm://join?token=${otherToken}`);
    await turns();
    expect([app.questions[0]?.message, app.store.get().farm]).toEqual([
      "Lend this computer to the farm at farm.example:8700?",
      { mode: "farm", port: 8700 },
    ]);
  });
});

describe("crashes", () => {
  test("a page that dies is loaded again, and after the third time only on request", async () => {
    const app = startApp();
    await app.untilLending();
    const { window } = app;
    for (let death = 0; death < 4; death += 1) {
      window().pages.push(""); // Chromium's page is gone
      window().needs.onGone("crashed");
    }
    expect(decodeURIComponent(window().url())).toContain("The page ended several times");
    expect(app.bugs.length).toBe(4);
  });

  test("a start after a crash says so, one after a quit does not", async () => {
    const crashed = startApp({ isRunning: true });
    expect(String(crashed.bugs[0])).toContain("The app ended without being asked to");
    await crashed.app.quit();
    expect(crashed.store.get().isRunning).toBe(false);
    expect(startApp().bugs).toEqual([]);
  });
});

describe("another farm", () => {
  test("joining by the copied token asks first, ends the own farm and shows the other one's pages", async () => {
    const app = startApp({ roots: ["/media"] });
    await app.untilLending();
    app.state.copied = ` ${otherToken}\n`;

    app.click("Join a Farm by the Copied Token…");
    await turns(20);

    expect(app.questions[0]?.message).toBe("Lend this computer to the farm at farm.example:8700?");
    expect(app.service("coordinator").said.at(-1)).toEqual({ type: "stop" });
    expect(app.service("agent").said[0]).toMatchObject({
      dataDir: join(app.home, ".mediafarm/agent-other"),
      joinToken: otherToken,
    });
    expect(app.window().url()).toBe("http://farm.example:8700/");
  });

  test("a copied text that is no token is refused in words", async () => {
    const app = startApp();
    app.state.copied = "hello";
    app.click("Join a Farm by the Copied Token…");
    await turns();
    expect(app.calls[0]).toContain("problem The join token cannot be used");
    expect(app.questions).toEqual([]);
  });

  test("there stopping keeps the agent and its tasks, too", async () => {
    const app = startApp({ roots: ["/media"], farm: { mode: "node", joinToken: otherToken } });
    app.service("agent").tell({ type: "connected", nodeId: 4 });
    app.report({}, 1);
    await turns();
    expect(app.state.tooltip).toBe("Mediafarm: Lending, 1 task. Tasks run at low priority.");

    app.click("Stop Lending");
    await turns();

    expect(app.service("agent").said.at(-1)).toMatchObject({ type: "rules", press: { do: "stop", until: null } });
    expect(app.countOf("agent")).toBe(1);
  });

  test("a stop stays over a start: the agent begins with it", () => {
    const press = { do: "stop", until: null } as const;
    const app = startApp({ press, farm: { mode: "node", joinToken: otherToken } });
    expect(app.service("agent").said[0]).toMatchObject({ press });
  });

  test("a farm that cannot be reached at the start is said, and nothing is lost by that", async () => {
    const app = startApp({ farm: { mode: "node", joinToken: otherToken } });
    app.farm.isUp = false;
    await app.clock.advance(pollEveryMs);
    expect(app.state.tooltip).toBe(
      "Mediafarm: Coordinator unreachable. No coordinator answers at farm.example:8700. This computer reconnects automatically.",
    );
    app.farm.isUp = true;
    app.service("agent").tell({ type: "connected", nodeId: 4 });
    app.report();
    await app.clock.advance(pollEveryMs);
    expect(app.state.tooltip).toBe("Mediafarm: Lending, no tasks now. Tasks run at low priority.");
    expect(app.window().url()).toBe("http://farm.example:8700/");
  });
});

describe("ending", () => {
  test("quitting ends the agent first, then the coordinator, then the process, once", async () => {
    const app = startApp();
    await app.untilLending();
    await Promise.all([app.app.quit(), app.app.quit()]);
    expect(app.service("agent").said.at(-1)).toEqual({ type: "stop" });
    expect(app.service("coordinator").said.at(-1)).toEqual({ type: "stop" });
    expect([app.state.exits, app.clock.waiting()]).toEqual([1, 0]);
  });

  test("closing the window asks once what that means, and remembers", async () => {
    const app = startApp();
    expect(app.window().needs.mayClose()).toBe(false);
    await turns();
    expect([app.questions.length, app.window().isHidden, app.store.get().onClose]).toEqual([1, true, "background"]);
    app.window().needs.mayClose();
    expect(app.questions.length).toBe(1);
    expect(app.store.get().bounds).toEqual({ x: 1, y: 2, width: 1000, height: 700 });
  });
});
