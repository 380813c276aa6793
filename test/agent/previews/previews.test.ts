import { execFileSync } from "node:child_process";
import { appendFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createPreviews } from "../../../agent/previews/index.ts";
import { noOpenFiles } from "../../../agent/roots/open-files.ts";
import type { MediaTools } from "../../../agent/tools/media-tools.ts";
import { ratio } from "../../../shared/basics/rational.ts";
import type { MediaFacts } from "../../../shared/model/asset.ts";
import { media } from "../../helpers/agent/agent-fixture.ts";
import { createTestClock } from "../../helpers/clock.ts";
import { scratchFolder } from "../../helpers/media/media-tools.ts";

const facts: MediaFacts = {
  ...{ format: "wav", size: 1, start: ratio(0), duration: ratio(20), video: [], others: [] },
  audio: [{ index: 0, codec: "pcm_s16le", timeBase: ratio(1, 48_000), channels: 2, sampleRate: 48_000 }],
};
const patient = new AbortController().signal;

/** A node with one file; `encode` is what its ffmpeg does with the path of a segment. */
const aNode = async (folder: string, encode: (made: string, signal: AbortSignal) => Promise<void>) => {
  const path = join(folder, "a.wav");
  writeFileSync(path, media());
  const clock = createTestClock();
  const world = { refusal: undefined as string | undefined, runs: 0 };
  const tools: Pick<MediaTools, "ffmpeg" | "probe"> = {
    probe: async () => facts,
    ffmpeg: async ({ args, signal = patient }) => {
      world.runs += 1;
      await encode(args.at(-1) ?? "", signal);
      signal.throwIfAborted();
      return { exitCode: 0, signal: null, stdout: "", stderrTail: "", timedOut: false, wallMs: 1 };
    },
  };
  const made = join(folder, "previews");
  const needs = { tools, holder: noOpenFiles, folder: made, clock, capabilities: [], refusal: () => world.refusal };
  const previews = createPreviews(needs);
  const told = await previews.answer({ do: "preview", uri: "" }, path, patient);
  if (told.is !== "preview") throw new Error("it has a preview");
  const { state } = told;
  const segment = (number: number, signal = patient) =>
    previews.answer({ do: "segment", uri: "", state, segment: number }, path, signal);
  return { path, previews, world, clock, segment, preview: told.preview, left: () => readdirSync(made) };
};

const write = async (made: string) => writeFileSync(made, "a segment");
/** Until it is told to end. */
const forever = (_made: string, signal: AbortSignal) =>
  new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));

test("a segment is made once, then kept, and nothing is left on disk", async () => {
  await using folder = scratchFolder();
  const { segment, world, preview, left } = await aNode(folder.path, write);
  expect(preview).toMatchObject({ picture: null, steps: 938, hasSound: true });
  const made = { is: "segment", data: Buffer.from("a segment").toString("base64") };
  expect(await Promise.all([segment(0), segment(0), segment(1)])).toEqual([made, made, made]);
  expect([await segment(1), world.runs, left()]).toEqual([made, 2, []]);
  await expect(segment(5)).rejects.toThrow("there is no segment 5, only 5");
});

test("a node that is not lent makes none, and gives up what it is making when its owner returns", async () => {
  await using folder = scratchFolder();
  const { segment, previews, world, left } = await aNode(folder.path, forever);
  const making = segment(0);
  const seen = expect(making).rejects.toThrow("makes no previews now, because it is not lent: somebody uses it");
  await expect.poll(() => world.runs).toBe(1);
  previews.stop("somebody uses it");
  await seen;
  world.refusal = "Outside its hours";
  await expect(segment(1)).rejects.toMatchObject({ code: "CONFLICT" });
  expect([world.runs, left()]).toEqual([1, []]);
});

test("segments that wait for their turn are given up as well when the agent stops", async () => {
  await using folder = scratchFolder();
  const { segment, previews, world, left } = await aNode(folder.path, forever);
  const making = Promise.allSettled([segment(0), segment(1), segment(2)]);
  await expect.poll(() => world.runs).toBe(2);
  previews.stop("the agent stops");
  expect((await making).map(({ status }) => status)).toEqual(["rejected", "rejected", "rejected"]);
  expect([world.runs, left()]).toEqual([2, []]);
});

test("what nobody waits for is stopped, and what takes too long too", async () => {
  await using folder = scratchFolder();
  const ends: AbortSignal[] = [];
  const node = await aNode(folder.path, (made, signal) => {
    ends.push(signal);
    return forever(made, signal);
  });
  const gone = new AbortController();
  const first = node.segment(0, gone.signal);
  const left = expect(first).rejects.toThrow("gone");
  await expect.poll(() => ends.length).toBe(1);
  gone.abort(new Error("gone"));
  await left;
  expect(ends[0]?.aborted).toBe(true);
  const slow = expect(node.segment(1)).rejects.toThrow("took longer than 60 s");
  await expect.poll(() => ends.length).toBe(2);
  await node.clock.advance(61_000);
  await slow;
});

test("a file that changes has another preview", async () => {
  await using folder = scratchFolder();
  let path = "";
  const node = await aNode(folder.path, async (made) => {
    await write(made);
    appendFileSync(path, "more");
  });
  path = node.path;
  await expect(node.segment(0)).rejects.toThrow("has changed since its preview was opened");
  await expect(node.segment(1)).rejects.toThrow("has changed since its preview was opened");
  const sized = node.previews.answer({ do: "preview", uri: "", size: 7 }, path, patient);
  await expect(sized).rejects.toThrow("has changed");
});

test.skipIf(process.platform === "win32")("a pipe, which might never end, keeps nobody waiting", async () => {
  await using folder = scratchFolder();
  const node = await aNode(folder.path, write);
  const pipe = join(folder.path, "pipe.mov");
  execFileSync("mkfifo", [pipe]);
  const plan = node.previews.answer({ do: "preview", uri: "" }, pipe, patient);
  await expect(plan).rejects.toThrow("is not a regular file");
});

test("what refers to other files is not opened", async () => {
  await using folder = scratchFolder();
  const node = await aNode(folder.path, write);
  const list = join(folder.path, "list.mov");
  writeFileSync(list, "#EXTM3U\n#EXT-X-VERSION:3\nfile:///etc/passwd\n");
  const plan = node.previews.answer({ do: "preview", uri: "" }, list, patient);
  await expect(plan).rejects.toThrow("is an HLS playlist, not media");
});
