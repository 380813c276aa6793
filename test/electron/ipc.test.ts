import { join } from "node:path";
import { expect, test } from "vitest";
import { otherToken, startApp } from "./app-fixture.ts";

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
  for (const channel of ["getComputer", "setLending", "openFolder", "joinFarm", "addRoot"]) {
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
      mode: "farm",
      lending: "lending",
      words: "Lent, and idle.",
      pauseWords: "Tasks that run here are finished; no new ones start.",
      running: 0,
      nodeId: 7,
      roots: ["/media"],
      slots: null,
      dataFolder: join(app.home, ".mediafarm"),
    },
  });
});

test.each([
  ["setLending", { isLending: "yes" }],
  ["setLending", {}],
  ["setLending", { isLending: true, and: "more" }],
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
