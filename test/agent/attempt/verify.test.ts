import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { verifyOutputs } from "../../../agent/attempt/verify.ts";
import type { MediaTools, ProbeOptions } from "../../../agent/tools/media-tools.ts";
import { pathToUri } from "../../../shared/files/location.ts";
import type { Output, Work } from "../../../shared/work/work.ts";
import { aFolder, aStorageView, fenceOf } from "../../helpers/agent/agent-fixture.ts";
import { turns } from "../../helpers/clock.ts";
import { someFacts } from "../../helpers/farm/farm.ts";

let folder: Awaited<ReturnType<typeof aFolder>>;
beforeEach(async () => {
  folder = await aFolder();
});
afterEach(() => folder.remove());

const anOutput = (name: string, existing: Output["existing"]): Output => ({
  version: "target",
  folder: pathToUri(join(folder.path, "out"), "posix"),
  name,
  isSequence: false,
  existing,
  expect: {},
});

/** Verifies outputs of these names with this probe. */
const verified = async (
  names: readonly string[],
  probe: MediaTools["probe"],
  existing: Output["existing"] = "fail",
) => {
  const outputs = Object.fromEntries(names.map((name, at) => [`o${at}`, anOutput(name, existing)]));
  const work: Work = { assets: {}, outputs, steps: [{ do: "ffmpeg", id: "x", argv: [] }] };
  await mkdir(join(folder.path, "out"), { recursive: true });
  const { resolver } = aStorageView(folder.path);
  const { signal } = new AbortController();
  const attempt = { fence: fenceOf(1), scratch: join(folder.path, "scratch") };
  const paths = await resolver.resolve(work, attempt, { signal });
  for (const { made } of paths.outputs.values()) await writeFile(made, "made");
  const nothing = () => Promise.reject(new Error("not asked for"));
  const tools = { probeBuild: "test", ffmpeg: nothing, packager: nothing, fdkaac: nothing, frames: nothing, probe };
  return verifyOutputs({ work, paths, tools, signal, moved: () => undefined });
};

test("two outputs are read at the same time, and are described in their order", async () => {
  let open = 0;
  let most = 0;
  const both = Promise.withResolvers<void>();
  const probe = async ({ size }: ProbeOptions) => {
    open += 1;
    most = Math.max(most, open);
    if (open === 2) both.resolve();
    await both.promise;
    open -= 1;
    return { ...someFacts, size };
  };
  const found = await verified(["a.mp4", "b.mp4", "c.mp4", "d.mp4", "e.mp4"], probe);
  expect(found.map(({ file }) => file.final.split("/").at(-1))).toEqual(["a.mp4", "b.mp4", "c.mp4", "d.mp4", "e.mp4"]);
  expect(most).toBe(2);
});

const asDatabases = ["farm.db", "FARM.DB", "farm.db. ", "fa\u200crm.db"];

test.each(asDatabases)(
  "an output called %j, which would make a lent folder look like a coordinator's, is refused before it is made",
  async (name) => {
    const refused = verified([name], async () => someFacts, "replace");
    await expect(refused).rejects.toMatchObject({ failure: { cause: "definition" } });
  },
);

test("so is one among the files that a program left in its folder", async () => {
  const output = { ...anOutput("out", "replace"), isPackage: true as const };
  const outputs = { pack: output };
  const { resolver } = aStorageView(folder.path);
  await mkdir(join(folder.path, "out"), { recursive: true });
  const attempt = { fence: fenceOf(1), scratch: join(folder.path, "scratch") };
  const work: Work = { assets: {}, outputs, steps: [] };
  const { signal } = new AbortController();
  const paths = await resolver.resolve(work, attempt, { signal });
  const made = paths.outputs.get("pack")?.made ?? "";
  await mkdir(join(made, "deep"), { recursive: true });
  for (const name of ["out", "deep/Farm.db"]) await writeFile(join(made, name), "made");
  await expect(verifyOutputs({ work, paths, tools: {} as MediaTools, signal, moved: () => undefined })).rejects.toThrow(
    "No output may be called deep/Farm.db",
  );
});

test("outputs of one name get different free names", async () => {
  const found = await verified(["a.mp4", "a.mp4"], async () => someFacts, "rename_new");
  expect(found.map(({ file }) => file.final.split("/").at(-1))).toEqual(["a.mp4", "a_1.mp4"]);
});

test("after a failure no other output is read, and the one being read is waited for", async () => {
  const begun: string[] = [];
  let ended = 0;
  const probe = async ({ name }: ProbeOptions) => {
    begun.push(name);
    if (name === "a.mp4") throw new Error("a is broken");
    await turns();
    ended += 1;
    return someFacts;
  };
  await expect(verified(["a.mp4", "b.mp4", "c.mp4", "d.mp4"], probe)).rejects.toThrow("a is broken");
  expect(ended).toBe(begun.length - 1);
  expect(begun).not.toContain("d.mp4");
});
