import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openTestCoordinator } from "../../../helpers/farm/coordinator.ts";
import { aWorldPerTest } from "../../../helpers/farm/worlds.ts";
import { commandEnv, documentsOf, runHere } from "../../../helpers/processes/cli.ts";

const world = aWorldPerTest({
  open: async (folder) => ({ ...(await openTestCoordinator(folder)), folder }),
  close: ({ coordinator }) => coordinator.close(),
});

const run = (words: string[], stdin?: string) => runHere(words, { env: commandEnv(world()), stdin });

const proxy = {
  ...{ key: "proxy", name: "Small", kind: "transcode" },
  payload: { targets: [{ video: { codec: "h264", height: 360 } }] },
};
const aFile = (value: unknown): string => {
  const file = join(world().folder, "preset.json");
  writeFileSync(file, typeof value === "string" ? value : JSON.stringify(value));
  return file;
};

test("presets are made from a file or from standard input, listed, shown and deleted", async () => {
  const made = await run(["presets", "create", aFile(proxy)]);
  expect(made).toEqual({ status: 0, stdout: 'Preset "proxy" is stored\n', stderr: "" });
  await run(["presets", "create", "-"], '{"key": "archive", "kind": "copy", "path": "house", "payload": {}}');
  expect((await run(["presets"])).stdout).toBe(
    ["KEY      KIND       NAME   PATH ", "archive  copy       -      house", "proxy    transcode  Small  -    "]
      .map((line) => `${line.trimEnd()}\n`)
      .join(""),
  );
  expect((await run(["presets", "show", "proxy"])).stdout).toBe(`${JSON.stringify(proxy, null, 2)}\n`);
  expect((await run(["presets", "delete", "archive"])).stdout).toBe('Preset "archive" is deleted\n');
  expect((await run(["presets"])).stdout).not.toContain("archive");
});

test("with --json they are documents, one a line", async () => {
  const ask = async (...words: string[]) => documentsOf((await run(["presets", ...words, "--json"])).stdout);
  expect(await ask()).toEqual([]);
  expect(await ask("create", aFile(proxy))).toEqual([{ success: "true", message: 'Preset "proxy" is stored' }]);
  expect(await ask()).toEqual([{ key: "proxy", name: "Small", kind: "transcode" }]);
  expect(await ask("show", "proxy")).toEqual([proxy]);
  expect(await ask("delete", "proxy")).toEqual([{ success: "true", message: 'Preset "proxy" is deleted' }]);
});

test("what is wrong with a preset is said in words", async () => {
  const problem = async (...words: string[]) => {
    const { status, stderr } = await run(["presets", ...words]);
    return [status, stderr.split("\n")[0]];
  };
  expect(await problem("show", "nobody")).toEqual([1, 'There is no preset "nobody"']);
  expect(await problem("delete", "nobody")).toEqual([1, 'There is no preset "nobody"']);
  expect(await problem("create", aFile({ key: "a" }))).toEqual([1, "payload: is required: must be an object"]);
  expect(await problem("create", aFile("[]"))).toEqual([1, expect.stringContaining("holds no JSON object")]);
  expect(await problem("create", "/nowhere")).toEqual([1, expect.stringContaining("/nowhere cannot be read")]);
  expect(await problem("forget", "a")).toEqual([2, 'presets knows show, create, delete, not "forget"']);
  expect(await problem("show")).toEqual([2, "presets show takes one KEY"]);
  expect((await run(["presets"])).stderr).toContain("There are no presets");
});
