import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { afterEach, expect, test } from "vitest";
import type { CheckpointName } from "../../agent/checkpoint.ts";
import { toRevealedJson } from "../../shared/basics/secret.ts";
import type { ExistingFiles } from "../../shared/work/work.ts";
import { aFarm, anAssignment, type Farm, media } from "../helpers/agent/agent-fixture.ts";
import { share } from "../helpers/long.ts";

let farm: Farm;
let child: ChildProcess | undefined;
afterEach(async () => {
  child?.kill("SIGKILL"); // one that did not come to its checkpoint
  await farm.end();
});

const program = fileURLToPath(new URL("../helpers/fixtures/crashing-agent.ts", import.meta.url));

/** Runs one attempt in an agent that dies at the checkpoint. */
const crashAt = async (point: CheckpointName, existing: ExistingFiles): Promise<void> => {
  child = spawn(process.execPath, [program, toRevealedJson(farm.config), point], { stdio: "inherit" });
  const exit = once(child, "exit");
  await farm.coordinator.receive("hello");
  farm.coordinator.assign(anAssignment({ root: farm.root, output: { existing } }));
  expect(await exit).toEqual([null, "SIGKILL"]);
};

const swept: readonly CheckpointName[] = ["recorded", "made"];

test.each(share(swept, (point) => point === "made"))(
  "an attempt whose agent died when it was %s is swept and not held any more",
  async (point) => {
    farm = await aFarm();
    await crashAt(point, "fail");
    await farm.start();
    const { attempts } = await farm.coordinator.receive("hello", 1);
    expect(attempts).toEqual([]);
    expect(await farm.list()).toEqual([]);
  },
);

const cases: [CheckpointName, ExistingFiles, string][] = [
  ["intended", "fail", "verified"],
  ["granted", "fail", "verified"],
  ["linked", "fail", "verified"],
  ["published", "fail", "verified"],
  ["reported", "fail", "reported"],
  ["linked", "replace", "verified"],
  ["linked", "rename_new", "verified"],
  ["published", "rename_new", "verified"],
  ["linked", "rename_org", "verified"],
  ["published", "rename_org", "verified"],
];

/** One before the file is seen, one between, one after it, and one where somebody's file was there. */
const told = ["granted fail", "linked fail", "reported fail", "published rename_new"];

test.each(share(cases, ([point, existing]) => told.includes(`${point} ${existing}`)))(
  "after a crash at %s with %s the files are shown and reported once",
  async (point, existing, state) => {
    farm = await aFarm();
    if (existing !== "fail") await writeFile(farm.path("out/result.mp4"), "theirs");
    await crashAt(point, existing);
    await farm.start();
    const { attempts } = await farm.coordinator.receive("hello", 1);
    expect(attempts).toEqual([{ fence: { epoch: 1, counter: 1 }, taskId: 1, state }]);
    const report = await farm.coordinator.reportOf({ epoch: 1, counter: 1 });
    expect(report.outcome.outcome).toBe("published");
    expect(report.log).toContain("$ ffmpeg write");
    const ours = existing === "rename_new" ? "result_1.mp4" : "result.mp4";
    const theirs = { rename_new: ["result.mp4"], rename_org: ["result_org_1.mp4"] }[existing as string] ?? [];
    expect(await farm.list()).toEqual([ours, ...theirs].sort());
    expect(await readFile(farm.path(`out/${ours}`), "utf8")).toBe(media("made"));
    for (const name of theirs) expect(await readFile(farm.path(`out/${name}`), "utf8")).toBe("theirs");
  },
);

test("the grant of an earlier attempt is rolled forward by the next one without making anything", async () => {
  farm = await aFarm({ grants: false });
  await farm.start();
  await farm.coordinator.receive("hello");
  farm.coordinator.assign(anAssignment({ root: farm.root }));
  const { intent } = await farm.coordinator.receive("commit");
  farm.coordinator.assign(
    anAssignment({ root: farm.root, counter: 2, argv: ["count", "again"], previousIntent: intent }),
  );
  const next = await farm.coordinator.receive("commit", 1);
  expect(next).toMatchObject({ fence: { counter: 2 }, intent });
  farm.coordinator.send({ type: "granted", epoch: 1, fence: next.fence });
  expect((await farm.coordinator.reportOf(next.fence)).outcome.outcome).toBe("published");
  farm.coordinator.assign(
    anAssignment({ root: farm.root, counter: 3, argv: ["count", "again"], previousIntent: intent }),
  );
  expect((await farm.coordinator.reportOf({ epoch: 1, counter: 3 })).outcome.outcome).toBe("published");
  expect(await readFile(farm.path("out/result.mp4"), "utf8")).toBe(media("made"));
  expect(await farm.list(".")).not.toContain("count");
});

test("a new attempt does not trip over its own file of an earlier grant that is gone in part", async () => {
  farm = await aFarm();
  await farm.start();
  await farm.coordinator.receive("hello");
  farm.coordinator.assign(anAssignment({ root: farm.root }));
  const { intent } = await farm.coordinator.receive("commit");
  await farm.coordinator.reportOf({ epoch: 1, counter: 1 });
  const gone = intent.files.map((file) => ({
    ...file,
    temp: file.temp.replace(/\.part$/, "-2.part"),
    identity: "gone",
  }));
  const previousIntent = { files: [...intent.files, ...gone] };
  farm.coordinator.assign(anAssignment({ root: farm.root, counter: 2, argv: ["write", "anew"], previousIntent }));
  expect((await farm.coordinator.reportOf({ epoch: 1, counter: 2 })).outcome.outcome).toBe("published");
  expect(await readFile(farm.path("out/result.mp4"), "utf8")).toBe(media("anew"));
});
