import { createHash, generateKeyPairSync, sign } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { type AutoUpdater, createAppUpdater } from "../../../electron/desktop/app-updater.ts";
import { checkEveryMs } from "../../../electron/desktop/updates.ts";
import { signRelease } from "../../../electron/releases/sign-release.ts";
import { isNewer, readFeed } from "../../../electron/releases/update-feed.ts";
import { turns } from "../../helpers/clock.ts";
import { startApp } from "../app-fixture.ts";
import { labelsOf } from "../fake-desktop.ts";

const { publicKey, privateKey } = generateKeyPairSync("ed25519");
const key = publicKey.export({ type: "spki", format: "pem" }).toString();
const release = { version: "1.3.0", files: [{ name: "Mediafarm-1.3.0.AppImage", sha512: "hash" }] };
const manifest = JSON.stringify(release);
const signatureOf = (text: string, by = privateKey) => sign(null, Buffer.from(text), by).toString("base64");

/** A studio's web server with these files. */
const serve = async (files: Record<string, string>): Promise<string> => {
  const server = createServer(({ url = "" }, response) => {
    const text = files[url.slice(1)];
    response.statusCode = text === undefined ? 404 : 200;
    response.end(text);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`; // it listens on a port, not on a pipe
};
const aFeed = (more: Record<string, string> = {}) =>
  serve({ "mediafarm-update.json": manifest, "mediafarm-update.json.sig": signatureOf(manifest), ...more });
const read = async (feed: string, publicKey = key) => readFeed({ feed, publicKey, fetch });

describe("the feed", () => {
  test("a signed manifest is read, with or without a slash at the end of its address", async () => {
    const feed = await aFeed();
    expect([await read(feed), await read(`${feed}/`)]).toEqual([release, release]);
  });

  const other = generateKeyPairSync("ed25519");
  const unsigned = "is not signed by the key of this app. Nothing was downloaded";
  test.each([
    ["changed after it was signed", { "mediafarm-update.json": manifest.replace("1.3.0", "1.4.0") }, unsigned],
    ["signed by another key", { "mediafarm-update.json.sig": signatureOf(manifest, other.privateKey) }, unsigned],
    ["with a signature of nonsense", { "mediafarm-update.json.sig": "nonsense" }, unsigned],
    [
      "signed, and no manifest",
      { "mediafarm-update.json": "[]", "mediafarm-update.json.sig": signatureOf("[]") },
      "no readable",
    ],
    ["too large", { "mediafarm-update.json": "x".repeat(200_000) }, "larger than 100000 bytes"],
  ])("one that is %s is refused", async (_, files, words) => {
    await expect(read(await aFeed(files as Record<string, string>))).rejects.toThrow(words);
  });

  test("one that never ends is refused as soon as it is too large", async () => {
    let sent = 0;
    const endless = new ReadableStream({
      pull: (controller) => {
        sent += 1;
        controller.enqueue(new Uint8Array(10_000));
        if (sent > 1000) controller.error(new Error("it was read to its end"));
      },
    });
    const fetch = async () => new Response(endless);
    await expect(readFeed({ feed: "http://studio.lan", publicKey: key, fetch })).rejects.toThrow(
      "larger than 100000 bytes",
    );
  });

  test("one without a signature, and a key that is none, are refused", async () => {
    await expect(read(await serve({ "mediafarm-update.json": manifest }))).rejects.toThrow("it answered 404");
    await expect(read(await aFeed(), "no key")).rejects.toThrow(unsigned);
  });

  test("what the studio's own tool signs is read, with the hashes of electron-updater", async () => {
    const folder = mkdtempSync(join(tmpdir(), "mediafarm-release-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    writeFileSync(join(folder, "Mediafarm-1.3.0.AppImage"), "a program");
    writeFileSync(join(folder, "builder-debug.yml"), "");
    signRelease(privateKey.export({ type: "pkcs8", format: "pem" }).toString(), folder, "1.3.0");
    const files = Object.fromEntries(
      readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), "utf8")]),
    );
    expect(await read(await serve(files))).toEqual({
      version: "1.3.0",
      files: [
        {
          name: "Mediafarm-1.3.0.AppImage",
          sha512: createHash("sha512").update("a program").digest("base64"),
        },
      ],
    });
  });

  test("versions are compared by number", () => {
    expect([isNewer("1.10.0", "1.9.9"), isNewer("1.2.3", "1.2.3"), isNewer("1.2.3", "2.0.0")]).toEqual([
      true,
      false,
      false,
    ]);
  });
});

describe("electron-updater", () => {
  const anUpdater = (files: { url: string; sha512: string }[], version = "1.3.0") => {
    const calls: string[] = [];
    const auto: AutoUpdater = {
      autoDownload: true,
      autoInstallOnAppQuit: false,
      setFeedURL: ({ url }) => calls.push(`feed ${url}`),
      checkForUpdates: async () => ({ updateInfo: { version, files } }),
      downloadUpdate: async () => calls.push("download"),
      quitAndInstall: () => calls.push("install"),
    };
    return { calls, auto, updater: createAppUpdater(async () => auto) };
  };

  test("fetches what is signed, and installs it on request", async () => {
    const { calls, auto, updater } = anUpdater([{ url: "Mediafarm-1.3.0.AppImage", sha512: "hash" }]);
    await updater.download("https://studio/updates", release);
    updater.install();
    expect([calls, auto.autoDownload]).toEqual([["feed https://studio/updates", "download", "install"], false]);
  });

  test.each([
    ["another hash", [{ url: "Mediafarm-1.3.0.AppImage", sha512: "other" }], "1.3.0"],
    [
      "one more file",
      [...release.files.map(({ name, sha512 }) => ({ url: name, sha512 })), { url: "x", sha512: "hash" }],
      "1.3.0",
    ],
    ["another version", [{ url: "Mediafarm-1.3.0.AppImage", sha512: "hash" }], "1.2.9"],
    ["nothing", [], "1.3.0"],
  ])("does not fetch a feed file that offers %s", async (_, files, version) => {
    const { calls, updater } = anUpdater(files, version);
    await expect(updater.download("https://studio/updates", release)).rejects.toThrow("not signed");
    expect(calls).toEqual(["feed https://studio/updates"]);
  });
});

describe("an update in the app", () => {
  const untilFetched = async (app: ReturnType<typeof startApp>) => {
    while (app.downloads.length === 0) await turns();
    await turns();
  };
  const sendReal: typeof fetch = (url, init) => fetch(url, init);

  test("that arrives during a task waits for its end, and nothing new starts meanwhile", async () => {
    const feed = await aFeed();
    const app = startApp({ updateFeed: feed }, { updateKey: key, fetch: sendReal });
    await app.untilLending();
    app.report({}, 1);
    await untilFetched(app);
    expect(app.downloads).toEqual([{ feed, release }]);
    expect(labelsOf(app.state.tray)).toContain("Restart for Version 1.3.0");
    expect(app.state.installed).toBe(0);

    app.click("Restart for Version 1.3.0", app.state.tray);
    expect(app.service("agent").said.at(-1)).toMatchObject({
      type: "rules",
      lending: { lend: "never", onReturn: "finish" },
    });
    app.report({ state: "never", why: "This computer never lends", takes: false }, 1);
    expect(app.state.installed).toBe(0);
    app.report({ state: "never", why: "This computer never lends", takes: false }, 0);
    expect(app.state.installed).toBe(1);
    expect(app.store.get().lending.lend).toBe("idle");
  });

  test("is fetched once, looked for again later, and not at all without the studio's key", async () => {
    const feed = await aFeed();
    const app = startApp({ updateFeed: feed }, { updateKey: key, fetch: sendReal });
    await untilFetched(app);
    await app.clock.advance(checkEveryMs);
    expect(app.downloads.length).toBe(1);

    const without = startApp({ updateFeed: feed }, { fetch: sendReal });
    await without.clock.advance(checkEveryMs);
    expect([without.downloads, without.bugs]).toEqual([[], []]);
  });

  test("whose download fails is looked for again", async () => {
    const feed = await aFeed();
    const app = startApp({ updateFeed: feed }, { updateKey: key, fetch: sendReal });
    app.state.downloadProblem = new Error("the disk is full");
    await untilFetched(app);
    expect([app.bugs, labelsOf(app.state.tray)]).toEqual([
      [new Error("the disk is full")],
      expect.not.arrayContaining(["Restart for Version 1.3.0"]),
    ]);
    app.state.downloadProblem = undefined;
    await app.clock.advance(checkEveryMs);
    while (app.downloads.length < 2) await turns();
  });
});
