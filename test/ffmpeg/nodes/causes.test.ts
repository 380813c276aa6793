import { spawnSync } from "node:child_process";
import { chmodSync, chownSync, mkdirSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createRun, type Run } from "../../../agent/process/run.ts";
import { createMediaTools } from "../../../agent/tools/media-tools.ts";
import { ffmpegHead, safeInput } from "../../../media/ffmpeg/args.ts";
import { systemClock } from "../../../shared/basics/system-clock.ts";
import { type Cause, causes, TaskError } from "../../../shared/model/failure.ts";
import { aFolder } from "../../helpers/agent/agent-fixture.ts";
import { readForeign } from "../../helpers/agent/read-foreign.ts";
import { first } from "../../helpers/long.ts";
import { fastH264, ffmpegPaths, make } from "../../helpers/media/media-tools.ts";
import { canMount, mountSmallDisk, unmountDisk } from "../../helpers/processes/small-disk.ts";

let root: Awaited<ReturnType<typeof aFolder>>;
const at = (name: string): string => join(root.path, name);
const disks: string[] = [];

beforeAll(async () => {
  root = await aFolder();
  const film = [
    "-f",
    "lavfi",
    "-i",
    "testsrc2=size=320x180:rate=25:duration=2",
    "-f",
    "lavfi",
    "-i",
    "sine=duration=2",
  ];
  await make(at("film.mp4"), ...film, ...fastH264(), "-c:a", "aac");
  await make(at("cut.mkv"), "-i", at("film.mp4"), "-c", "copy");
  writeFileSync(
    at("noise.bin"),
    Uint8Array.from({ length: 50_000 }, (_, index) => (index * index * 31) % 251),
  );
  const whole = await make(at("index-last.mp4"), "-i", at("film.mp4"), "-c", "copy");
  truncateSync(whole, 20_000);
  mkdirSync(at("folder"));
  writeFileSync(at("secret.mp4"), "");
  chmodSync(at("secret.mp4"), 0);
  if (isRoot) chownSync(at("secret.mp4"), 65_534, 65_534);
  for (const [name, kilobytes] of Object.entries({ full: 64, locked: 4096 })) {
    mkdirSync(at(name));
    if (!canMountDisks) continue;
    mountSmallDisk(at(name), kilobytes / 1024);
    disks.push(at(name));
  }
  if (canMountDisks) spawnSync("mount", ["-o", "remount,ro", at("locked")]);
});
afterAll(async () => {
  for (const disk of disks) unmountDisk(disk);
  await root.remove();
});

const canMountDisks = canMount();
const isRoot = process.getuid?.() === 0;
const has = (program: string): boolean => spawnSync(program, ["--version"]).status === 0;

/** Root may read everything, unless it gives that up. */
const withoutPrivilege = isRoot ? ["setpriv", "--bounding-set", "-dac_override,-dac_read_search"] : [];

/** The program's own process is sent the signal while it works. */
const sent = (signal: string): string[] => ["bash", "-c", `(sleep 1; kill -${signal} $$) & exec "$@"`, "bash"];

const film = () => ["-i", at("film.mp4")];
const out = (name = "out.mp4") => at(name);
const encode = (...words: string[]) => [...film(), ...words, out()];
const x264 = ["-c:v", "libx264", "-preset", "ultrafast"];
const endless = ["-re", "-f", "lavfi", "-i", "testsrc2=size=64x64", "-f", "null", "-"];

type Story = {
  readonly what: string;
  readonly args: () => readonly string[];
  readonly cause: Cause;
  /** Where the next attempt runs. */
  readonly where: (typeof causes)[Cause]["where"];
  readonly says: RegExp;
  /** What the program is started through. */
  readonly by?: readonly string[];
  /** What this machine cannot provoke, and why. */
  readonly lacking?: string | false;
};

const needsMounts = !canMountDisks && "mounting small disks takes root";
const needsPrlimit = !has("prlimit") && "there is no prlimit";

const stories: readonly Story[] = [
  {
    what: "a source that is not there",
    args: () => ["-i", at("nowhere.mp4"), "-f", "null", "-"],
    ...{ cause: "source", where: "anywhere", says: /^The source does not exist$/ },
  },
  {
    what: "a second source that is not there",
    args: () => [...film(), "-i", at("nowhere.mp4"), "-f", "null", "-"],
    ...{ cause: "source", where: "anywhere", says: /^The source does not exist$/ },
  },
  {
    what: "a folder as source",
    args: () => ["-i", at("folder"), "-f", "null", "-"],
    ...{ cause: "source", where: "anywhere", says: /^The source is a folder$/ },
  },
  {
    what: "a source that is no media",
    args: () => ["-i", at("noise.bin"), "-f", "null", "-"],
    ...{ cause: "source", where: "anywhere", says: /^The source is damaged or not a media file$/ },
  },
  {
    what: "a source without its index",
    args: () => ["-i", at("index-last.mp4"), "-f", "null", "-"],
    ...{ cause: "source", where: "anywhere", says: /its index is missing$/ },
  },
  {
    what: "a source of a kind that is not opened",
    args: () => ["-format_whitelist", "mov", "-i", at("cut.mkv"), "-f", "null", "-"],
    ...{ cause: "source", where: "anywhere", says: /^The source refers to other files/ },
  },
  {
    what: "a source at another place",
    args: () => [...safeInput("film.mp4"), "-i", "http://127.0.0.1:9/film.mp4", "-f", "null", "-"],
    ...{ cause: "source", where: "anywhere", says: /refers to another location \(http\)/ },
  },
  {
    what: "a server that nobody answers for",
    args: () => ["-i", "http://127.0.0.1:9/film.mp4", "-f", "null", "-"],
    ...{ cause: "storage", where: "elsewhere", says: /^A network location cannot be reached$/ },
  },
  {
    what: "a source that may not be read",
    args: () => ["-i", at("secret.mp4"), "-f", "null", "-"],
    ...{ cause: "storage", where: "elsewhere", says: /permission denied$/, by: withoutPrivilege },
  },
  {
    what: "a target that may not be written",
    args: () => [...film(), "-c", "copy", at("secret.mp4")],
    ...{ cause: "storage", where: "elsewhere", says: /permission denied$/, by: withoutPrivilege },
  },
  {
    what: "a target in a folder that is not there",
    args: () => [...film(), "-c", "copy", at("nowhere/out.mp4")],
    ...{ cause: "storage", where: "elsewhere", says: /^A file or folder does not exist$/ },
  },
  {
    what: "a folder where the target is to be",
    args: () => [...film(), "-c", "copy", "-f", "mp4", at("folder")],
    ...{ cause: "storage", where: "elsewhere", says: /^A folder has the name of an output file$/ },
  },
  {
    what: "a name that is too long",
    args: () => [...film(), "-c", "copy", at(`${"x".repeat(300)}.mp4`)],
    ...{ cause: "definition", where: "anywhere", says: /^The name of a file is too long$/ },
  },
  {
    what: "a disk that cannot be written to",
    args: () => [...film(), "-c", "copy", at("locked/out.mp4")],
    ...{ cause: "storage", where: "elsewhere", says: /read-only$/, lacking: needsMounts },
  },
  {
    what: "a disk that is full before the end",
    args: () => ["-f", "lavfi", "-i", "testsrc2=duration=2", "-c:v", "rawvideo", at("full/out.nut")],
    ...{ cause: "resources", where: "elsewhere", says: /^The disk is full$/, lacking: needsMounts },
  },
  {
    what: "a disk that is full at the end, when the last bytes of an MP4 are written",
    args: () => [...film(), "-c", "copy", at("full/out.mp4")],
    ...{ cause: "resources", where: "elsewhere", says: /^The disk is full$/, lacking: needsMounts },
  },
  {
    what: "a disk that is full at the end, when the last bytes of a stream are written",
    args: () => [...film(), "-c", "copy", at("full/out.ts")],
    ...{ cause: "resources", where: "elsewhere", says: /^The disk is full$/, lacking: needsMounts },
  },
  {
    what: "a file that cannot be read any more half-way",
    args: () => ["-f", "rawvideo", "-video_size", "16x16", "-i", "/proc/self/mem", "-f", "null", "-"],
    ...{ cause: "storage", where: "elsewhere", says: /^Reading or writing a file failed$/ },
    lacking: process.platform !== "linux" && "there is no file that opens and cannot be read",
  },
  {
    what: "a file larger than the node allows",
    args: () => [...film(), "-c", "copy", out()],
    ...{ cause: "resources", where: "elsewhere", says: /larger than the node allows$/ },
    ...{ by: ["prlimit", "--fsize=8192"], lacking: needsPrlimit },
  },
  {
    what: "too many open files",
    args: () => [...film(), ...film(), ...film(), "-f", "null", "-"],
    ...{ cause: "resources", where: "elsewhere", says: /too many files open$/ },
    ...{ by: ["bash", "-c", 'ulimit -n 5; exec "$@"', "bash"] },
  },
  {
    what: "memory that runs out",
    args: () => ["-filter_threads", "1", ...encode("-vf", "scale=8000:8000", ...x264, "-threads", "1")],
    ...{ cause: "resources", where: "elsewhere", says: /^Memory ran out$/ },
    ...{ by: ["prlimit", "--as=500000000"], lacking: needsPrlimit },
  },
  {
    what: "a program that the system kills",
    args: () => endless,
    ...{ cause: "resources", where: "elsewhere", says: /^The system killed the tool/, by: sent("KILL") },
  },
  ...["TERM", "INT", "HUP"].map(
    (signal): Story => ({
      what: `a program that is ended from outside by SIG${signal}`,
      // Not endless: ffmpeg 7.0 ends what it reads before it heeds a signal.
      args: () => ["-re", ...film(), "-f", "null", "-"],
      ...{ cause: "machine", where: "elsewhere", says: /^Another process|with the session/, by: sent(signal) },
    }),
  ),
  {
    what: "a program that crashes",
    args: () => endless,
    ...{ cause: "media", where: "anywhere", says: /^The tool crashed \(SIGSEGV\)/, by: sent("SEGV") },
  },
  {
    what: "an encoder that this build has not",
    args: () => encode("-c:v", "libnothing"),
    ...{ cause: "capability", where: "anywhere", says: /no encoder libnothing$/ },
  },
  {
    what: "a decoder that this build has not",
    args: () => ["-c:v", "libnothing", ...film(), "-f", "null", "-"],
    ...{ cause: "capability", where: "anywhere", says: /no decoder libnothing$/ },
  },
  {
    what: "a filter that this build has not",
    args: () => encode("-vf", "nothing"),
    ...{ cause: "capability", where: "anywhere", says: /no filter nothing$/ },
  },
  {
    what: "a filter of a graph that this build has not",
    args: () => encode("-filter_complex", "[0:v]nothing[v]", "-map", "[v]"),
    ...{ cause: "capability", where: "anywhere", says: /no filter nothing$/ },
  },
  {
    what: "a filter's option that this build has not",
    args: () => encode("-vf", "scale=nothing=3"),
    ...{ cause: "capability", where: "anywhere", says: /not know the option nothing$/ },
  },
  {
    what: "a container that this build cannot write",
    args: () => encode("-f", "nothing"),
    ...{ cause: "capability", where: "anywhere", says: /cannot write nothing$/ },
  },
  {
    what: "an option that this build has not",
    args: () => encode("-nothing", "3"),
    ...{ cause: "capability", where: "anywhere", says: /not know the option nothing$/ },
  },
  {
    what: "a graphics card that is not there",
    args: () => ["-vaapi_device", at("no-card"), ...encode("-vf", "format=nv12,hwupload", "-c:v", "h264_vaapi")],
    ...{ cause: "capability", where: "anywhere", says: /graphics card or its driver/ },
  },
  {
    what: "a stream that the source lacks",
    args: () => encode("-map", "0:a:3"),
    ...{ cause: "definition", where: "anywhere", says: /lacks a stream/ },
  },
  {
    what: "a width that the encoder does not take",
    args: () => encode("-vf", "scale=321:180", ...x264, "-pix_fmt", "yuv420p"),
    ...{ cause: "definition", where: "anywhere", says: /even width and height$/ },
  },
  {
    what: "a picture that is too large for the encoder",
    args: () => encode("-vf", "scale=20000:20000", "-frames:v", "1", ...x264),
    ...{ cause: "definition", where: "anywhere", says: /pictures of 20000x20000$/ },
  },
  {
    what: "a profile that does not fit the pictures",
    args: () => encode(...x264, "-profile:v", "baseline", "-pix_fmt", "yuv444p"),
    ...{ cause: "definition", where: "anywhere", says: /rejects this profile/ },
  },
  {
    what: "a preset that the encoder has not",
    args: () => encode("-c:v", "libx264", "-preset", "nothing"),
    ...{ cause: "definition", where: "anywhere", says: /no preset nothing$/ },
  },
  {
    what: "a value that is none",
    args: () => encode(...x264, "-b:v", "banana"),
    ...{ cause: "definition", where: "anywhere", says: /rejects one of/ },
  },
  {
    what: "a filter's value that is none",
    args: () => encode("-vf", "scale=w=banana"),
    ...{ cause: "definition", where: "anywhere", says: /^A filter rejects its values$/ },
  },
  {
    what: "more channels than the encoder takes",
    args: () => [...film(), "-vn", "-c:a", "libmp3lame", "-ac", "6", out("out.mp3")],
    ...{ cause: "definition", where: "anywhere", says: /the channels 5\.1$/ },
  },
  {
    what: "a rate that the encoder does not take",
    args: () => [...film(), "-vn", "-c:a", "libmp3lame", "-ar", "7777", out("out.mp3")],
    ...{ cause: "definition", where: "anywhere", says: /^The encoder rejects the target's settings/ },
  },
  {
    what: "a codec that the container cannot hold",
    args: () => encode("-c:v", "copy", "-c:a", "pcm_dvd"),
    ...{ cause: "definition", where: "anywhere", says: /cannot hold pcm_dvd$/ },
  },
];

/** Runs it as an agent does, through something else where the story wants it. */
const endOf = async (ffmpeg: string, { args, by = [] }: Story): Promise<TaskError | undefined> => {
  const run = createRun({ clock: systemClock, env: { PATH: process.env.PATH ?? "" } });
  const through: Run = (options) => {
    const [command = "", ...rest] = [...by, options.command, ...options.args];
    return run({ ...options, command, args: rest });
  };
  const tool = { path: ffmpeg, version: "any", build: "any" };
  const tools = createMediaTools({ ffmpeg: tool, ffprobe: null, capabilities: [] }, through, readForeign);
  for (const name of ["full/out.nut", "full/out.mp4", "full/out.ts"]) rmSync(at(name), { force: true });
  try {
    await tools.ffmpeg({ args: [...ffmpegHead, ...args()], cwd: root.path });
    return undefined;
  } catch (error) {
    if (error instanceof TaskError) return error;
    throw error;
  }
};

describe.skipIf(ffmpegPaths.length === 0)("what goes wrong really gets its cause (skipped without ffmpeg)", () => {
  describe.each(first(ffmpegPaths))("with %s", (ffmpeg) => {
    for (const story of stories) {
      const { what, cause, where, says, lacking } = story;
      test.skipIf(lacking)(`${what}${lacking ? ` (skipped: ${lacking})` : ""}`, async () => {
        const error = await endOf(ffmpeg, story);
        const found = error && { cause: error.failure.cause, where: causes[error.failure.cause].where };
        expect(found, error?.failure.stderr).toEqual({ cause, where });
        expect(error?.message).toMatch(says);
      });
    }

    test("what goes well has none", async () => {
      expect(await endOf(ffmpeg, { ...(stories[0] as Story), args: () => encode("-c", "copy") })).toBeUndefined();
    });
  });
});
