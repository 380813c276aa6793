import { hostname } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ipc } from "../../../shared/desktop/ipc.ts";
import { gentleRules } from "../../../shared/lending/lending.ts";
import { pauseButtons } from "../../../shared/lending/pause-buttons.ts";
import { aReport, otherToken, startApp } from "../app-fixture.ts";

const refused = { ok: false, message: "Only the farm's own pages may ask the desktop app" };

test.each([
  ["another site", { url: "https://example.com/" }],
  ["another port of the same host", { url: "http://127.0.0.1:8701/" }],
  ["another scheme", { url: "https://127.0.0.1:8700/" }],
  ["an address that only begins like the farm's", { url: "http://127.0.0.1:8700.example.com/" }],
  ["the farm's address as a user's name", { url: "http://127.0.0.1:8700@example.com/" }],
  ["a file", { url: "file:///etc/passwd" }],
  ["a page made of data, as the waiting page is", { url: "data:text/html,hello" }],
  ["a blob of the farm's origin", { url: "blob:http://127.0.0.1:8700/1" }],
  ["about:blank", { url: "about:blank" }],
  ["a frame that is gone", { url: undefined }],
  ["a frame inside the farm's page", { isMainFrame: false }],
])("%s is refused by every channel", async (_, sender) => {
  const app = startApp();
  await app.untilLending();
  for (const channel of Object.keys(ipc)) {
    expect(await app.ask(channel, {}, sender)).toEqual(refused);
  }
});

test("nobody may ask before the farm has pages", async () => {
  expect(await startApp().ask("getComputer", {})).toEqual(refused);
});

test("the farm's own page gets this computer", async () => {
  const app = startApp({ roots: ["/media"] });
  await app.untilLending();
  expect(await app.ask("getComputer", {})).toEqual({
    ok: true,
    value: {
      version: "1.2.3",
      platform: "linux",
      name: hostname(),
      mode: "farm",
      farm: "127.0.0.1:8700",
      state: "lending",
      title: "Lending, no tasks now",
      words: "Tasks run at low priority.",
      rules: app.store.get().lending,
      press: null,
      report: aReport(),
      nodeId: 7,
      roots: ["/media"],
      slots: null,
      dataFolder: join(app.home, ".mediafarm"),
      startAtLogin: false,
      notices: ["soon", "diskLow", "failed"],
      update: null,
    },
  });
});

test.each([
  ["press", { press: "yes" }],
  ["press", {}],
  ["press", { press: null, and: "more" }],
  ["setRules", { rules: { lend: "always" } }],
  ["getComputer", undefined],
  ["getComputer", null],
  ["getComputer", "text"],
  ["setSlots", { slots: -1 }],
  ["setSlots", { slots: 1.5 }],
  ["openFolder", { folder: 7 }],
  ["joinFarm", { joinToken: "x".repeat(5000) }],
])("%s refuses %j", async (channel, input) => {
  const app = startApp();
  await app.untilLending();
  const reply = await app.ask(channel, input);
  expect(reply).toEqual({ ok: false, message: expect.stringContaining(`${channel} cannot be asked like this`) });
  expect(app.bugs).toEqual([]);
});

test("folders open where jobs work, what lies below is only shown, and everything else is refused", async () => {
  const app = startApp({ roots: ["/media"] });
  await app.untilLending();
  expect(await app.ask("openFolder", { folder: "/media" })).toEqual({ ok: true, value: {} });
  expect(await app.ask("openFolder", { folder: "/media/out" })).toEqual({ ok: true, value: {} });
  for (const folder of ["/", "/etc", "/media/../etc", "/mediaother", "media", ""]) {
    expect(await app.ask("openFolder", { folder })).toMatchObject({ ok: false });
  }
  expect(app.calls).toEqual(["open /media", "show /media/out"]);
});

test("a page cannot widen what it reaches: folders and farms are chosen in dialogs", async () => {
  const app = startApp({ roots: ["/media"] });
  await app.untilLending();
  app.state.chosen = undefined; // somebody closed the dialog
  app.state.answer = 1; // somebody said no
  await app.ask("addRoot", {});
  await app.ask("joinFarm", { joinToken: otherToken });
  expect(app.store.get()).toMatchObject({ roots: ["/media"], farm: { mode: "farm" } });
});

test("a folder that somebody chose in the dialog reaches the agent", async () => {
  const app = startApp({ roots: ["/media"] });
  await app.untilLending();
  app.state.chosen = "/more";
  await app.ask("addRoot", {});
  expect(app.service("agent").said[0]).toMatchObject({ roots: ["/media", "/more"] });
});

test("the page of a computer without a farm may choose one, and nothing else", async () => {
  const app = startApp({ farm: { mode: "none" } });
  const page = { url: app.window().url() };
  expect(await app.ask("listFarms", {}, page)).toEqual({
    ok: true,
    value: [{ name: "Studio", address: "studio.local:8700" }],
  });
  expect(await app.ask("setSlots", { slots: 1 }, page)).toEqual(refused);
  expect(await app.ask("startFarm", {}, { url: `${page.url} ` })).toEqual(refused);
  expect(await app.ask("startFarm", {}, page)).toMatchObject({ ok: true, value: { mode: "farm" } });
  expect(await app.ask("startFarm", {}, page)).toEqual(refused);
});

const rules = { ...gentleRules, lend: "always" } as const;
const asked = [
  ["setRules", { rules }, "Lend this computer always, and suspend running tasks when lending stops?"],
  ["press", { press: pauseButtons.stop() }, "Stop lending?"],
  ["press", { press: null }, "Start lending?"],
  ["setSlots", { slots: 9 }, "Let 9 tasks run here at a time?"],
  ["removeRoot", { root: "/media" }, "Keep jobs out of /media?"],
  ["setStartAtLogin", { isWanted: true }, "Start Mediafarm at login?"],
] as const;

test.each(asked)("the page of another farm changes nothing by %s unasked", async (channel, input, question) => {
  const app = startApp({ roots: ["/media"], farm: { mode: "node", joinToken: otherToken } });
  const page = { url: "http://farm.example:8700/" };
  const before = app.store.get();
  app.state.answer = 1; // Cancel
  await app.ask(channel, input, page);
  expect([app.questions[0]?.message, app.store.get(), app.state.startsAtLogin]).toEqual([question, before, false]);

  app.state.answer = 0;
  expect(await app.ask(channel, input, page)).toMatchObject({ ok: true });
  expect(app.questions.length).toBe(2);
});

test("the own farm's page is not asked about", async () => {
  const app = startApp({ roots: ["/media"] });
  await app.untilLending();
  await app.ask("setRules", { rules });
  expect([app.questions, app.store.get().lending]).toEqual([[], rules]);
});
