import { inspect } from "node:util";
import { expect, test } from "vitest";
import { readConfig } from "../../coordinator/config.ts";

const choices = { dataDir: "/data" };

test("without choices a coordinator listens on this machine only", () => {
  expect(readConfig(choices, {})).toMatchObject({ dataDir: "/data", host: "127.0.0.1", port: 8700, heartbeatMs: 5000 });
});

test("MEDIAFARM_TIMING changes times, and nothing else", () => {
  const env = { MEDIAFARM_TIMING: '{"heartbeatMs":100,"lostMs":900}' };
  expect(readConfig({ ...choices, port: 0 }, env)).toMatchObject({
    heartbeatMs: 100,
    lostMs: 900,
    lateMs: 10_000,
    port: 0,
  });
  expect(() => readConfig(choices, { MEDIAFARM_TIMING: '{"dataDir":"/elsewhere"}' })).toThrow(
    /^MEDIAFARM_TIMING cannot be used: .*dataDir/,
  );
});

test.each([
  ["{half", /^MEDIAFARM_TIMING is not JSON such as .*: \{half$/],
  ["[]", /^MEDIAFARM_TIMING cannot be used: /],
  ['{"heartbeatMs":"often"}', /^MEDIAFARM_TIMING cannot be used: heartbeatMs: /],
  ['{"lostMs":0}', /^MEDIAFARM_TIMING cannot be used: lostMs: /],
])("MEDIAFARM_TIMING=%s is refused with the setting's name", (text, words) => {
  expect(() => readConfig(choices, { MEDIAFARM_TIMING: text })).toThrow(words);
});

test("an empty MEDIAFARM_TIMING is none", () => {
  expect(readConfig(choices, { MEDIAFARM_TIMING: "" }).heartbeatMs).toBe(5000);
});

test("keys and passwords among the settings print as dots", () => {
  const secretKey = Buffer.alloc(32, "a-sealing-key").toString("base64");
  const config = readConfig(choices, {
    ...{ MEDIAFARM_SECRET_KEY: secretKey, MEDIAFARM_METRICS_KEY: "a-metrics-key-of-mine" },
    PGPASSWORD: "a-store-password",
  });
  expect(config.secretKey?.reveal()).toBe(secretKey);
  for (const text of [JSON.stringify(config), inspect(config, { depth: 9 }), `${Object.values(config)}`])
    for (const secret of [secretKey, "a-metrics-key-of-mine", "a-store-password"]) expect(text).not.toContain(secret);
});

test("a refused key is not repeated", () => {
  expect(() => readConfig(choices, { MEDIAFARM_SECRET_KEY: "a-short-key" })).toThrow(/^(?!.*a-short-key).*32 bytes/);
});
