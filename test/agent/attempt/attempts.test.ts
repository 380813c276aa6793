import { existsSync } from "node:fs";
import { mkdir, readFile, symlink, utimes, writeFile } from "node:fs/promises";
import { afterEach, expect, test } from "vitest";
import type { Clock } from "../../../shared/basics/clock.ts";
import { systemClock } from "../../../shared/basics/system-clock.ts";
import { aFarm, anAssignment, type Farm, fenceOf, media } from "../../helpers/agent/agent-fixture.ts";
import { createHurriedClock } from "../../helpers/clock.ts";

let farm: Farm;
afterEach(() => farm.end());

const started = async (options: Parameters<typeof aFarm>[0] = {}, clock: Clock = systemClock): Promise<Farm> => {
  farm = await aFarm(options);
  await farm.start({ clock });
  await farm.coordinator.receive("hello");
  return farm;
};

const outcomeOf = async (assignment: ReturnType<typeof anAssignment>) => {
  farm.coordinator.assign(assignment);
  return (await farm.coordinator.reportOf(assignment.fence)).outcome;
};

const untilThere = async (path: string): Promise<string> => {
  while (!existsSync(path) || (await readFile(path, "utf8")) === "") await new Promise(setImmediate);
  return readFile(path, "utf8");
};

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

test("a task's file is made under a hidden name, granted, published and reported", async () => {
  await started();
  farm.coordinator.assign(anAssignment({ root: farm.root }));
  const { intent } = await farm.coordinator.receive("commit");
  const report = await farm.coordinator.reportOf(fenceOf(1));
  expect(intent.files).toMatchObject([{ output: "main", temp: expect.stringMatching(/\/\.result\.mp4\.1\.1\.part$/) }]);
  expect(report.outcome).toMatchObject({
    outcome: "published",
    published: { outputs: { main: [{ uri: `file://${farm.path("out/result.mp4")}`, size: media("made").length }] } },
  });
  expect(report.log).toContain("$ ffmpeg write");
  expect(await farm.list()).toEqual(["result.mp4"]);
});

test("nothing is shown before the grant", async () => {
  await started({ grants: false });
  farm.coordinator.assign(anAssignment({ root: farm.root }));
  const { fence } = await farm.coordinator.receive("commit");
  expect(await farm.list()).toEqual([".result.mp4.1.1.part"]);
  farm.coordinator.send({ type: "granted", epoch: 1, fence });
  await farm.coordinator.reportOf(fence);
  expect(await farm.list()).toEqual(["result.mp4"]);
});

test("progress is told in percent of the step's duration", async () => {
  await started();
  farm.coordinator.assign(anAssignment({ root: farm.root, argv: ["slow", "made"] }));
  const { progress } = await farm.coordinator.receive("progress");
  expect(progress).toEqual({ frame: 25, fps: 25, speed: 2, position: 1, percent: 10 });
});

test("a failed tool is reported with its command, exit code and last words, and leaves nothing", async () => {
  await started();
  const outcome = await outcomeOf(anAssignment({ root: farm.root, argv: ["fail", "libnone"] }));
  expect(outcome).toMatchObject({
    outcome: "failed",
    failure: {
      cause: "capability",
      exitCode: 1,
      argv: [expect.any(String), "fail", "libnone", expect.stringContaining(".part")],
      stderr: "[fake] Unknown encoder 'libnone'\n",
    },
  });
  expect(await farm.list()).toEqual([]);
});

test("a tool that made no file is a failure", async () => {
  await started();
  const outcome = await outcomeOf(anAssignment({ root: farm.root, argv: ["nothing", ""] }));
  expect(outcome).toMatchObject({ outcome: "failed", failure: { cause: "media" } });
});

test("an output that is not what was asked for is not published", async () => {
  await started();
  const expected = { video: { codec: "hevc" } };
  const outcome = await outcomeOf(anAssignment({ root: farm.root, output: { expect: expected } }));
  expect(outcome).toMatchObject({
    outcome: "failed",
    failure: { cause: "media", message: "result.mp4 does not match the request: video is h264, hevc was asked for" },
  });
  expect(await farm.list()).toEqual([]);
});

test("existing_files fail is refused before anything runs", async () => {
  await started();
  await writeFile(farm.path("out/result.mp4"), "theirs");
  const outcome = await outcomeOf(anAssignment({ root: farm.root, argv: ["count", "x"] }));
  expect(outcome).toMatchObject({
    outcome: "failed",
    failure: {
      cause: "definition",
      message: `${farm.path("out/result.mp4")} already exists, and existing_files is fail`,
    },
  });
  expect(await farm.list(".")).not.toContain("count");
  expect(await readFile(farm.path("out/result.mp4"), "utf8")).toBe("theirs");
});

test("each policy for existing files does what it says", async () => {
  await started();
  const names: Record<string, string[]> = {
    replace: ["result.mp4"],
    replace_late: ["result.mp4"],
    delete_and_replace: ["result.mp4"],
    rename_new: ["result.mp4", "result_1.mp4"],
    rename_org: ["result.mp4", "result_1.mp4", "result_org_1.mp4"],
  };
  await writeFile(farm.path("out/result.mp4"), "theirs");
  for (const [index, existing] of (["replace", "replace_late", "delete_and_replace"] as const).entries()) {
    await outcomeOf(anAssignment({ root: farm.root, counter: index + 1, output: { existing } }));
    expect(await farm.list()).toEqual(names[existing]);
    expect(await readFile(farm.path("out/result.mp4"), "utf8")).toBe(media("made"));
  }
  await outcomeOf(
    anAssignment({ root: farm.root, counter: 4, argv: ["write", "4"], output: { existing: "rename_new" } }),
  );
  expect(await farm.list()).toEqual(names.rename_new);
  await outcomeOf(
    anAssignment({ root: farm.root, counter: 5, argv: ["write", "5"], output: { existing: "rename_org" } }),
  );
  expect(await farm.list()).toEqual(names.rename_org);
  expect(await readFile(farm.path("out/result_org_1.mp4"), "utf8")).toBe(media("made"));
  expect(await readFile(farm.path("out/result.mp4"), "utf8")).toBe(media("5"));
});

test("a new name that is taken between commit and grant is chosen again and granted again", async () => {
  await started({ grants: false });
  farm.coordinator.assign(anAssignment({ root: farm.root, output: { existing: "rename_new" } }));
  const { fence, intent } = await farm.coordinator.receive("commit");
  expect(intent.files[0]?.final).toMatch(/\/result\.mp4$/);
  await writeFile(farm.path("out/result.mp4"), "theirs");
  farm.coordinator.send({ type: "granted", epoch: 1, fence });
  const again = await farm.coordinator.receive("commit", 1);
  expect(again.intent.files[0]?.final).toMatch(/\/result_1\.mp4$/);
  farm.coordinator.send({ type: "granted", epoch: 1, fence });
  await farm.coordinator.reportOf(fence);
  expect(await readFile(farm.path("out/result.mp4"), "utf8")).toBe("theirs");
  expect(await readFile(farm.path("out/result_1.mp4"), "utf8")).toBe(media("made"));
});

test("a sequence is made in a hidden folder and published in the order of its numbers", async () => {
  await started();
  const assignment = anAssignment({
    root: farm.root,
    argv: ["frames", ""],
    output: { name: "f_%d.png", isSequence: true },
  });
  const outcome = await outcomeOf(assignment);
  const names = ["f_1.png", "f_2.png", "f_10.png"];
  const files = names.map((name) => ({ uri: `file://${farm.path(`out/${name}`)}` }));
  expect(outcome).toMatchObject({ published: { outputs: { main: files } } });
  expect(await farm.list()).toEqual([...names].sort());
});

test("a cancelled attempt ends its program, even a stubborn one, and reports nothing", async () => {
  await started({ heartbeatMs: 600_000 }, createHurriedClock(20));
  const pidFile = farm.path("pid");
  farm.coordinator.assign(anAssignment({ root: farm.root, argv: ["stubborn", pidFile] }));
  const pid = Number(await untilThere(pidFile));
  farm.coordinator.send({ type: "cancel", epoch: 1, fence: fenceOf(1), why: "stopped by a test" });
  while (isAlive(pid)) await new Promise((resolve) => setTimeout(resolve, 20));
  await outcomeOf(anAssignment({ root: farm.root, counter: 2 }));
  expect(farm.coordinator.received.filter(({ type }) => type === "report")).toHaveLength(1);
  expect(await farm.list()).toEqual(["result.mp4"]);
});

test("a stale attempt that waits for its grant is taken away", async () => {
  await started({ grants: false });
  farm.coordinator.assign(anAssignment({ root: farm.root }));
  const { fence } = await farm.coordinator.receive("commit");
  farm.coordinator.send({ type: "stale", epoch: 1, fence, why: "a newer attempt has the task" });
  while ((await farm.list()).length > 0) await new Promise(setImmediate);
});

const messageOf = async (assignment: ReturnType<typeof anAssignment>): Promise<string> => {
  const outcome = await outcomeOf(assignment);
  return outcome.outcome === "failed" ? outcome.failure.message : "published";
};

test("two outputs that would overwrite each other are refused before anything runs", async () => {
  await started();
  const { main } = anAssignment({ root: farm.root }).work.outputs;
  if (!main) throw new Error("the builder makes an output");
  const work = { outputs: { main, other: main } };
  expect(await messageOf(anAssignment({ root: farm.root, work }))).toContain(
    "Two outputs of the task have the same name",
  );
});

test("delete_and_replace deletes nothing before the coordinator has answered: it may have taken the task back meanwhile", async () => {
  farm = await aFarm({
    answersPings: false,
    answer: (hello) => farm.coordinator.welcome(hello, []),
  });
  await farm.start();
  await farm.coordinator.receive("hello");
  await mkdir(farm.path("out"), { recursive: true });
  await writeFile(farm.path("out/result.mp4"), "of another attempt");
  farm.coordinator.assign(anAssignment({ root: farm.root, output: { existing: "delete_and_replace" } }));
  await farm.coordinator.receive("started");
  await expect.poll(() => farm.coordinator.pings()).toBeGreaterThan(0);
  farm.coordinator.cut();
  const { attempts } = await farm.coordinator.receive("hello", 1);
  expect(attempts).toMatchObject([{ fence: fenceOf(1) }]);
  await new Promise((resolve) => setTimeout(resolve, 300));
  farm.coordinator.cut();
  expect((await farm.coordinator.receive("hello", 2)).attempts).toEqual([]);
  expect(await readFile(farm.path("out/result.mp4"), "utf8")).toBe("of another attempt");
});

test("delete_and_replace does not delete the task's own source", async () => {
  await started();
  const output = { name: "in.mp4", folder: `file://${farm.root}`, existing: "delete_and_replace" as const };
  expect(await messageOf(anAssignment({ root: farm.root, output }))).toContain("is the task's own source");
  expect(await readFile(farm.path("in.mp4"), "utf8")).toBe(media());
});

test("files behind a mount are read and written under their own URIs", async () => {
  farm = await aFarm();
  await mkdir(farm.path("bucket"));
  await writeFile(farm.path("bucket/a source.mp4"), media());
  const mounts = [{ prefix: "s3://studio", folder: farm.path("bucket") }];
  await farm.start({ config: { ...farm.config, mounts } });
  await farm.coordinator.receive("hello");
  const assets = { in: { uri: "s3://studio/a%20source.mp4" } };
  const steps = [{ do: "copy" as const, id: "copy", files: [{ from: ["in"], to: "main" }] }];
  const output = { folder: "s3://studio/new//folder", name: "a copy.mp4" };
  const outcome = await outcomeOf(anAssignment({ root: farm.root, output, work: { assets, steps } }));
  const uri = "s3://studio/new//folder/a copy.mp4";
  expect(outcome).toMatchObject({ published: { outputs: { main: [{ uri }] } } });
  expect(await farm.list("bucket/new/folder")).toEqual(["a copy.mp4"]);
});

test("a copy has all bytes of its source", async () => {
  await started();
  await writeFile(farm.path("in.mp4"), Buffer.alloc(3_000_000, "abc"));
  const work = { steps: [{ do: "copy" as const, id: "copy", files: [{ from: ["in"], to: "main" }] }] };
  expect(await outcomeOf(anAssignment({ root: farm.root, work }))).toMatchObject({ outcome: "published" });
  expect((await readFile(farm.path("out/result.mp4"))).equals(Buffer.alloc(3_000_000, "abc"))).toBe(true);
});

const probeWork = (known?: { size: number; modified: number; tool: string }) => ({
  outputs: {},
  steps: [{ do: "probe" as const, id: "facts", asset: "in", known }],
});

test("a probe reports facts without asking for a grant, and says when they are known already", async () => {
  await started();
  await utimes(farm.path("in.mp4"), 1000, 1000);
  const first = await outcomeOf(anAssignment({ root: farm.root, work: probeWork() }));
  expect(first).toMatchObject({
    published: { found: { facts: { unchanged: false, file: { facts: { video: [{ codec: "h264", width: 320 }] } } } } },
  });
  const tool = first.outcome === "published" ? (first.published.found.facts?.tool ?? "") : "";
  const known = { size: media().length, modified: 1_000_000, tool };
  const second = await outcomeOf(anAssignment({ root: farm.root, counter: 2, work: probeWork(known) }));
  expect(second).toMatchObject({ published: { found: { facts: { unchanged: true } } } });
  expect(farm.coordinator.received.some(({ type }) => type === "commit")).toBe(false);
});

test("inputs that are no media are refused in words", async () => {
  await started();
  const message = async (counter: number, content: string): Promise<string> => {
    await writeFile(farm.path("in.mp4"), content);
    const outcome = await outcomeOf(anAssignment({ root: farm.root, counter, work: probeWork() }));
    return outcome.outcome === "failed" ? `${outcome.failure.cause}: ${outcome.failure.message}` : "published";
  };
  const path = farm.path("in.mp4");
  expect(await message(1, "#EXTM3U\n/etc/passwd\n")).toBe(
    `source: ${path} is an HLS playlist, not media; set options.resolve_manifest to use its media`,
  );
  expect(await message(2, "just words")).toBe(
    `source: ${path} is a text file, not media: name the media itself as the source`,
  );
  expect(await message(3, "")).toBe(`source: ${path} is empty: copy or export it again`);
  expect(await message(4, "OggS\0\x02silent")).toBe(`source: ${path} holds no audio or video`);
  expect(await message(5, media("damaged"))).toContain(path);
});

test("a source outside of the roots, or a link out of them, is refused", async () => {
  await started();
  await symlink("/etc/hostname", farm.path("link.mp4"));
  const assets = { in: { uri: `file://${farm.path("link.mp4")}` } };
  const outcome = await outcomeOf(anAssignment({ root: farm.root, work: { assets } }));
  expect(outcome).toMatchObject({
    failure: {
      cause: "definition",
      message: expect.stringMatching(/link\.mp4 leads to a place that is outside/),
    },
  });
});

test("more assignments than the node can bear are refused", async () => {
  await started();
  const pids = Array.from({ length: 16 }, (_, index) => farm.path(`pid${index}`));
  for (const [index, pid] of pids.entries()) {
    const name = `${index}.mp4`;
    farm.coordinator.assign(
      anAssignment({ root: farm.root, counter: index + 1, argv: ["hang", pid], output: { name } }),
    );
  }
  const outcome = await outcomeOf(anAssignment({ root: farm.root, counter: 99 }));
  expect(outcome).toMatchObject({
    failure: { cause: "resources", message: "This node already has 16 attempts" },
  });
});
