import { expect, test } from "vitest";
import { coordinatorConfig } from "../../../coordinator/config.ts";
import { tlsModeOf } from "../../../coordinator/tls/mode.ts";
import { memoryRecords } from "../../helpers/farm/memory-records.ts";

const aStore = (kept?: string) => {
  const values = new Map<string, string>(kept ? [["network_tls", kept]] : []);
  return { values, records: memoryRecords(values) };
};

const modeOf = async (settings: object, kept?: string, isNew = kept === undefined) =>
  (await tlsModeOf(coordinatorConfig.parse({ dataDir: "x", ...settings }), aStore(kept), isNew)).mode;

const files = { tlsCert: "c", tlsKey: "k" };

test.each([
  ["a farm for this machine only", {}, undefined, "plain"],
  ["the same, asked for TLS", { tls: "on" }, undefined, "own"],
  ["a new farm on a network", { host: "0.0.0.0" }, undefined, "own"],
  ["the same with a proxy before it", { host: "0.0.0.0", tls: "off" }, undefined, "plain"],
  ["a farm with the administrator's certificate", { host: "farm.lan", ...files }, undefined, "given"],
  ["an older farm on a network", { host: "0.0.0.0" }, "plain", "plain"],
  ["an older farm that is asked for TLS", { host: "0.0.0.0", tls: "on" }, "plain", "own"],
  ["a farm that had TLS before", { host: "10.0.0.1" }, "tls", "own"],
])("%s is served accordingly", async (_, settings, kept, mode) => {
  expect(await modeOf(settings, kept)).toBe(mode);
});

test("an older farm keeps TLS once it had it, and says so until then", async () => {
  const store = aStore("plain");
  const open = (tls: "auto" | "on") =>
    tlsModeOf(coordinatorConfig.parse({ dataDir: "x", host: "0.0.0.0", tls }), store, false);
  expect((await open("auto")).warning).toContain("Start it with --tls");
  await open("on");
  expect(await open("auto")).toEqual({ mode: "own" });
});

test.each([
  [{ tlsCert: "c" }, "belong together"],
  [{ ...files, tls: "off" }, "--no-tls excludes"],
  [{ ...files, tlsNewKey: true }, "--tls-new-key"],
])("settings that contradict each other are refused: %o", async (settings, words) => {
  await expect(modeOf(settings)).rejects.toThrow(words);
});
