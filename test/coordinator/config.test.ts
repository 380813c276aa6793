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
