import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { askEveryMs } from "../../electron/lender.ts";
import { turns } from "../helpers/clock.ts";
import { labelsOf } from "../helpers/fake-desktop.ts";
import { otherToken, ownToken, startApp } from "./app-fixture.ts";

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
      { type: "start", dataDir: join(app.home, ".mediafarm/agent"), joinToken: ownToken, roots: ["/media"], slots: 3 },
    ]);
  });

  test("a coordinator that could not start is named in the window with its own words", async () => {
    const app = startApp();
    app.service("coordinator").tell({ type: "failed", words: "Port 8700 is taken" });
    app.service("coordinator").exit(1);
    expect(decodeURIComponent(app.window().url())).toContain("Port 8700 is taken. It is started again by itself.");
  });
});

describe("tray and menu", () => {
  test("the tray says what is so in a word and a sentence", async () => {
    const app = startApp();
    expect(app.state.tooltip).toBe("Mediafarm: Starting. The farm is starting.");
    app.farm.running = 2;
    await app.untilLending();
    expect(app.state.tooltip).toBe("Mediafarm: Lending. Lent: 2 tasks run here.");
    expect(labelsOf(app.state.tray)).toEqual([
      "Lending",
      "Lent: 2 tasks run here.",
      "Pause Lending",
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

  test("pausing tells the coordinator; what runs goes on to its end", async () => {
    const app = startApp();
    app.farm.running = 1;
    await app.untilLending();

    app.click("Pause Lending", app.state.tray);
    await turns();

    expect(app.farm.asked).toContain('PUT /v1/nodes/7 {"state":"paused"}');
    expect(app.state.tooltip).toBe("Mediafarm: Paused. Paused: 1 task runs here to the end, and nothing new starts.");
    app.click("Resume Lending");
    await turns();
    expect(app.farm.state).toBe("active");
  });

  test("what somebody paused on a page shows here too", async () => {
    const app = startApp();
    await app.untilLending();
    app.farm.state = "paused";
    await app.clock.advance(askEveryMs);
    expect(app.state.tooltip).toBe("Mediafarm: Paused. Paused: nothing runs here and nothing new starts.");
  });

  test("a coordinator that does not answer is told, and an open page keeps its place", async () => {
    const app = startApp();
    await app.untilLending();
    app.farm.isUp = false;
    await app.clock.advance(askEveryMs);
    expect(app.state.tooltip).toContain(
      "Mediafarm: Coordinator unreachable. No coordinator answers at 127.0.0.1:8700.",
    );
    expect(app.window().url()).toBe("http://127.0.0.1:8700/");
  });

  test("what cannot be done is said in words", async () => {
    const app = startApp();
    app.click("Pause Lending");
    await turns();
    expect(app.calls).toEqual(["problem This computer is not connected to its farm yet"]);
  });
});

describe("another farm", () => {
  test("joining by the copied token asks first, ends the own farm and shows the other one's pages", async () => {
    const app = startApp({ roots: ["/media"] });
    await app.untilLending();
    app.state.copied = ` ${otherToken}\n`;

    app.click("Join Another Farm by the Copied Token…");
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
    app.click("Join Another Farm by the Copied Token…");
    await turns();
    expect(app.calls[0]).toContain("problem The join token cannot be used");
    expect(app.questions).toEqual([]);
  });

  test("there pausing ends the agent, and says so before", async () => {
    const app = startApp({ roots: ["/media"], farm: { mode: "node", joinToken: otherToken } });
    app.service("agent").tell({ type: "connected", nodeId: 4 });
    await turns();
    expect(app.state.tooltip).toBe("Mediafarm: Lending. This computer is lent to the farm at farm.example:8700.");
    expect(labelsOf(app.state.menu)).toContain(
      "Tasks that run here end at once, and the farm starts them on other computers.",
    );

    app.click("Pause Lending");
    await turns();

    expect(app.service("agent").said.at(-1)).toEqual({ type: "stop" });
    expect([app.countOf("agent"), app.store.get().isLending]).toEqual([1, false]);
    expect(app.state.tooltip).toContain("Mediafarm: Paused.");
    app.click("Resume Lending");
    await turns();
    expect(app.countOf("agent")).toBe(2);
  });

  test("paused stays paused over a start", () => {
    const app = startApp({ isLending: false, farm: { mode: "node", joinToken: otherToken } });
    expect([app.countOf("agent"), app.countOf("coordinator")]).toEqual([0, 0]);
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
