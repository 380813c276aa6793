import { chmod, mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type AgentConfig, readConfig } from "../../../agent/config.ts";
import { createRun, type Run } from "../../../agent/process/run.ts";
import { parseNames } from "../../../agent/tools/abilities.ts";
import { findTools } from "../../../agent/tools/find-tools.ts";
import { systemClock } from "../../../shared/basics/system-clock.ts";
import { aFolder, fakeFfmpeg, fakeFfprobe } from "../../helpers/agent/agent-fixture.ts";

let folder: Awaited<ReturnType<typeof aFolder>>;
let config: AgentConfig;
let runs: string[];
let run: Run;

beforeEach(async () => {
  folder = await aFolder();
  config = readConfig({ dataDir: folder.path, ffmpegPath: fakeFfmpeg, ffprobePath: fakeFfprobe });
  const real = createRun({ clock: systemClock, env: config.childEnv });
  runs = [];
  run = (options) => {
    runs.push(options.args.join(" "));
    return real(options);
  };
});
afterEach(() => folder.remove());

test("what ffmpeg can do is asked of it", async () => {
  const tools = await findTools(config, run);
  expect(tools.ffmpeg).toEqual({
    path: fakeFfmpeg,
    version: "7.0-fake",
    build: expect.stringMatching(/^[0-9a-f]{16}$/),
  });
  expect(tools.capabilities.filter((name) => name !== "packager" && name !== "fdkaac")).toEqual([
    "ffmpeg",
    "ffprobe",
    "encoder:libx264",
    "encoder:aac",
    "filter:scale",
    "muxer:mov",
    "muxer:mp4",
  ]);
});

test("the same tools are not measured twice", async () => {
  const first = await findTools(config, run);
  runs = [];
  expect(await findTools(config, run)).toEqual(first);
  expect(runs).toEqual(["-version", "-version"]);
});

test("FFMPEG_PATH that names nothing usable is complained about, not passed over", async () => {
  const missing = join(folder.path, "none");
  await expect(findTools({ ...config, ffmpegPath: missing }, run)).rejects.toThrow(
    `FFMPEG_PATH does not point to a usable ffmpeg:\n  FFMPEG_PATH (${missing}): no such file`,
  );
  const broken = join(folder.path, "broken");
  await writeFile(broken, "#!/bin/sh\nexit 3\n");
  await chmod(broken, 0o755);
  await expect(findTools({ ...config, ffprobePath: broken }, run)).rejects.toThrow(
    `FFPROBE_PATH does not point to a usable ffprobe:\n  FFPROBE_PATH (${broken}): does not run (exit code 3)`,
  );
});

test("where nothing is found, every place that was tried is named", async () => {
  const nothingRuns: Run = () => Promise.reject(new Error("not today"));
  const bare = { ...config, ffmpegPath: undefined, resourcesDir: join(folder.path, "app"), searchPath: [] };
  const error = await findTools(bare, nothingRuns).catch((thrown) => String(thrown));
  expect(error).toContain("No usable ffmpeg was found. Install ffmpeg (which brings ffprobe), or set FFMPEG_PATH");
  expect(error).toContain(`\n  the app (${join(folder.path, "app", "ffmpeg")}): no such file`);
  expect(error).toContain("package ffmpeg-static");
});

test("the lists of old and new versions are read alike", () => {
  const line = /^ [T.][S.][C.]? +(\S+) +\S*->\S*/;
  const list = "Filters:\n  T.. = Timeline support\n ..C acue   A->A  Old\n .S  scale   V->V  New\n";
  expect(parseNames(list, line)).toEqual(["acue", "scale"]);
});

test.skipIf(process.platform === "win32")(
  "of builds of ffprobe that give the same facts, the one that starts fastest is used (shell scripts play them)",
  async () => {
    const probeOf = async (name: string, version: string, begin = "") => {
      await mkdir(join(folder.path, name));
      const path = join(folder.path, name, "ffprobe");
      await writeFile(path, `#!/bin/sh\n${begin}\necho "ffprobe version ${version} Copyright"\n`, { mode: 0o755 });
      return path;
    };
    const slow = await probeOf("slow", "5.1.9-0+deb12u1", "sleep 0.3");
    const fast = await probeOf("fast", "N-66595-gc2b38619c0-static");
    const other = await probeOf("other", "6.1.1-3ubuntu5");
    const chosenFrom = async (...paths: string[]) => {
      const { ffprobePath: _given, ...rest } = config;
      const { ffprobe } = await findTools({ ...rest, searchPath: paths.map((path) => dirname(path)) }, run);
      return ffprobe?.path;
    };
    expect(await chosenFrom(slow, fast)).not.toBe(slow);
    expect(await chosenFrom(other, fast)).toBe(other);
  },
);
