import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { grantCommit, takeReport } from "../../../coordinator/attempts/report.ts";
import { openPayload, openText, sealPayload, sealText } from "../../../coordinator/secrets/sealing.ts";
import { createVault } from "../../../coordinator/secrets/vault.ts";
import { openTestDoors, type TestDoors } from "../../helpers/farm/doors.ts";
import {
  aConnection,
  aCopy,
  aFailure,
  aFolder,
  anIntent,
  aReport,
  aSource,
  removeFolder,
} from "../../helpers/farm/farm.ts";
import { stored } from "../../helpers/farm/stored.ts";

let folder: string;
let doors: TestDoors;
beforeEach(async () => {
  folder = aFolder();
  doors = await openTestDoors(folder);
});
afterEach(async () => {
  await doors.close();
  removeFolder(folder);
});

/** Passwords in every place where a job may have one. */
const job = {
  name: "a job",
  definitions: { login: { username: "u", password: "pw-definition" }, word: "pw-word" },
  payload: {
    elements: [
      aSource({
        payload: {
          kind: "asset_url",
          payload: {
            storage_provider: "sftp",
            url: "sftp://user:pw-address@host/in.mov",
            access: { username: "u", password: "pw-access" },
          },
        },
      }),
      aCopy({
        preset: { key: "archive" },
        payload: { target: { location: { storage_provider: "file", path: "/out", access: "{{login}}" } } },
      }),
      {
        uid: "tool",
        kind: "script",
        payload: {
          kind: "docker",
          payload: {
            commands: [{ docker_image: { image_urn: "tool" }, args: ["x"], env: { TOKEN: "pw-environment" } }],
          },
        },
      },
      aCopy({ uid: "never", payload: { target: { location: { path: "/x" }, rest_password: "{{word}}" } } }),
    ],
    connections: [aConnection("src", ["copy"], ["never"]), aConnection("copy", ["tool"])],
  },
};
const preset = {
  key: "archive",
  kind: "copy",
  payload: { target: { existing_files: "fail", location: { access: { password: "pw-preset" } } } },
};
const passwords = /pw-(?:definition|word|address|access|preset|environment)/;

/** All bytes of the data folder, as text. */
const bytes = (): string =>
  readdirSync(folder)
    .filter((name) => name.startsWith("farm.db"))
    .map((name) => readFileSync(join(folder, name), "latin1"))
    .join("");

const askApi = async (method: "GET" | "POST", path: string, body?: object) => {
  const { credentials: keys } = doors;
  if (!keys) throw new Error("there are no credentials");
  const authorization = `Basic ${btoa(`${keys.oapiKey}:${keys.oapiSecret}`)}`;
  const headers = { authorization, "x-service-compliance": "20261101" };
  const login = { auth_key: keys.authKey, auth_secret: keys.authSecret };
  const { body: session } = await doors.inject({ method: "POST", url: "/v1/login", headers, payload: login });
  const all = { ...headers, "x-service-sapiauth": session.token };
  return doors.inject({ method, url: `/v1${path}`, headers: all, ...(body ? { payload: body } : {}) });
};

/** The job runs: its source is found, its copy fails. */
const run = async (): Promise<string> => {
  const node = await doors.node({ roots: ["/"] });
  await askApi("POST", "/presets", preset);
  const { body } = await askApi("POST", "/jobs", job);
  const probe = await node.assigned();
  expect(JSON.stringify(probe)).toContain("sftp://user@host/in.mov");
  await takeReport(doors.farm, node.id, aReport(probe));
  const copy = await node.assigned();
  await grantCommit(doors.farm, node.id, copy.fence, anIntent(copy));
  await takeReport(doors.farm, node.id, aFailure(copy));
  return body.id;
};

describe("passwords of a job and of a preset", () => {
  test("are echoed to the API as they were sent", async () => {
    const id = await run();
    expect((await askApi("GET", `/jobs/${id}/definition`)).body).toEqual({ priority: 100, ...job });
    expect((await askApi("GET", "/presets/archive")).body).toEqual(preset);
  });

  test("stand nowhere in the files of the database", async () => {
    await run();
    expect(bytes()).toContain("in.mov");
    expect(bytes()).not.toMatch(passwords);
  });

  test("stand in no result, no list of tasks and no event", async () => {
    const heard: string[] = [];
    doors.farm.events.subscribe(({ event }) => heard.push(JSON.stringify(event)));
    const id = await run();
    const fields = '["id","name","error","kind"]';
    const texts = [
      (await askApi("GET", `/jobs/${id}/result`)).text,
      (await askApi("GET", `/jobs/${id}/tasks?fields=${encodeURIComponent(fields)}`)).text,
      ...heard,
    ];
    expect(texts.length).toBeGreaterThan(5);
    expect(texts.join("\n")).not.toMatch(passwords);
  });

  test("stand on no page, whoever looks", async () => {
    const id = await run();
    const owner = await doors.enter("owner");
    const pages = ["/jobs", `/jobs/${id}`, `/jobs/${id}/definition`, `/jobs/${id}/result`, "/presets/archive"];
    const texts = await Promise.all(pages.map(async (path) => (await doors.ask("GET", path, owner)).text));
    expect(texts[2]).toContain("(hidden)");
    expect(texts[4]).toContain("(hidden)");
    expect(texts.join("\n")).not.toMatch(passwords);
  });

  test("reach the element that plans with them", async () => {
    const id = Number(await run());
    const runs = stored(doors.farm).runs(id);
    expect(runs.map(({ spec }) => Object.keys(spec.payload))).toEqual(Array(4).fill(["$sealed"]));
    expect(runs.map(({ spec }) => openPayload(doors.farm.vault, spec.payload))).toMatchObject([
      { payload: { access: { password: "pw-access" } } },
      { target: { location: { access: { password: "pw-definition" } }, existing_files: "fail" } },
      { payload: { commands: [{ env: { TOKEN: "pw-environment" } }] } },
      { target: { rest_password: "pw-word" } },
    ]);
  });
});

describe("what is sealed", () => {
  const vault = () => createVault(folder);

  test("is what may hold a password; the rest stays readable", () => {
    expect(sealText(vault(), '{"a":1}')).toBe('{"a":1}');
    for (const text of [
      '{"access":{}}',
      '{"smtp_password":"x"}',
      '{"encryption":{"key":"00"}}',
      '"ftp://u:p@h/"',
      '{"env":{"A":"x"}}',
      '"https://h/a?sig=x"',
    ])
      expect(sealText(vault(), text)).toMatch(/^\{"\$sealed":"[\w-]+"\}$/);
  });

  test("comes back as it was", () => {
    const payload = { access: { password: "é" }, n: [1, null] };
    expect(openPayload(vault(), sealPayload(vault(), payload))).toEqual(payload);
    expect(openText(vault(), sealText(vault(), '{"access":1}'))).toBe('{"access":1}');
  });

  test("is told from what a client wrote in the same form", () => {
    for (const payload of [{ $sealed: "forged" }, { $sealed: "forged", more: 1 }, { $sealed: { a: 1 } }])
      expect(openPayload(vault(), sealPayload(vault(), payload))).toEqual(payload);
  });

  test("is another text each time, and says nothing without the key", () => {
    const [one, two] = [sealText(vault(), '{"access":1}'), sealText(vault(), '{"access":1}')];
    expect(one).not.toBe(two);
    const other = aFolder();
    expect(() => openText(createVault(other), one)).toThrow();
    removeFolder(other);
  });
});

test("looking for passwords ends soon, whatever the text: a pattern that goes back and forth would take minutes", () => {
  const nasty = [
    "password".repeat(16_000),
    `"${"a".repeat(128_000)}`,
    "a://".repeat(32_000),
    `a://${":".repeat(128_000)}`,
  ];
  const vault = createVault(folder);
  for (const text of nasty.map((each) => JSON.stringify({ each }))) expect(sealText(vault, text)).toBe(text);
});
