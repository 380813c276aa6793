import { describe, expect, test } from "vitest";
import { z } from "zod";
import type { PlanContext } from "../../../../../media/elements/element.ts";
import { elementOf } from "../../../../../media/elements/index.ts";
import { type Grid, planCuts } from "../../../../../media/elements/transcode/sections/cuts.ts";
import { ratio, toFraction, toNumber } from "../../../../../shared/basics/rational.ts";
import { isSectionFile, sectionFileName } from "../../../../../shared/files/section-files.ts";
import type { MediaFacts } from "../../../../../shared/model/asset.ts";
import type { Work } from "../../../../../shared/work/work.ts";

const film = ratio(24_000, 1001);
const pal = ratio(25);
const starts = (grids: readonly Grid[], seconds: number, total: number) =>
  planCuts(grids, seconds, ratio(total))?.map(({ from }) => toFraction(from));

describe("sections of a timeline", () => {
  test("begin with the frame nearest to each multiple of their length", () => {
    expect(starts([{ rate: pal, frames: 1 }], 3, 10)).toEqual(["0", "3", "6", "9"]);
    expect(starts([{ rate: film, frames: 1 }], 2, 5)).toEqual(["0", "2002/1000", "4004/1000"].map(plain));
  });

  test("begin where every target has a key frame", () => {
    const grids = [{ rate: pal, frames: 50 }, ...[{ rate: ratio(50), frames: 75 }]];
    expect(starts(grids, 5, 20)).toEqual(["0", "6", "12", "18"]);
  });

  test("begin with the first frame of a segment, where segments are no whole number of frames", () => {
    const found = planCuts([{ rate: film, frames: 1, seconds: 2 }], 4, ratio(9)) ?? [];
    const frames = found.map(({ from }) => Math.round(toNumber(from) * toNumber(film)));
    expect(frames).toEqual([0, 96, 192]);
    expect(frames.map((frame) => (frame * 1001) / 24_000 >= 0)).toEqual([true, true, true]);
  });

  test("are none where targets have no key frames in common", () => {
    expect(
      starts(
        [
          { rate: film, frames: 1, seconds: 2 },
          { rate: pal, frames: 1 },
        ],
        4,
        20,
      ),
    ).toBeUndefined();
  });

  test("leave no short rest, and are one for what is short", () => {
    expect(starts([{ rate: pal, frames: 1 }], 10, 20)).toEqual(["0", "10"]);
    expect(planCuts([{ rate: pal, frames: 1 }], 10, ratio(201, 10))?.length).toBe(2);
    expect(starts([{ rate: pal, frames: 1 }], 60, 10)).toEqual(["0"]);
  });
});

const plain = (fraction: string): string => {
  const [num, den] = fraction.split("/").map(Number);
  return toFraction(ratio(num ?? 0, den));
};

test("files of sections are told from all others by their names", () => {
  const name = sectionFileName({ name: "a film.mp4", uid: "target 1/x", number: 3, total: 12, jobId: 77 });
  expect(name).toBe("a film.mp4__hyseg_003_of_012_77_target_1_x");
  expect([name, "a film.mp4", "x__hyseg_1_of_2", "__hyseg_003_of_012_7_/etc"].map(isSectionFile)).toEqual([
    ...[true, false, false, false],
  ]);
});

const facts: MediaFacts = {
  ...{ format: "mov,mp4,m4a,3gp,3g2,mj2", start: ratio(0), duration: ratio(100), size: 1000, others: [] },
  video: [
    {
      ...{ index: 0, codec: "h264", timeBase: ratio(1, 12_800), start: ratio(0), duration: ratio(100), width: 1920 },
      ...{ height: 1080, pixelFormat: "yuv420p", frameRate: pal, averageFrameRate: pal, frames: 2500 },
      ...{ pixelAspect: ratio(1), fieldOrder: "progressive" },
    },
  ],
  audio: [
    {
      ...{ index: 1, codec: "aac", timeBase: ratio(1, 48_000), start: ratio(0), duration: ratio(100), channels: 2 },
      ...{ layout: "stereo", sampleRate: 48_000 },
    },
  ],
};

const element = elementOf("transcode");
const plan = (payload: object, more: Partial<PlanContext<unknown>> = {}) => {
  const parsed = element?.payload.parse({ location: { path: "/out" }, ...payload });
  const inputs = [{ version: "src", files: [{ uri: "file:///in/film.mov", facts }] }];
  const context = { uid: "tc", payload: parsed, job: { id: 7, name: "j" }, inputs, factsOf: () => undefined, ...more };
  const found = element?.plan(context);
  if (!element || !found || "need" in found) throw new Error("facts are missing");
  const tasks = found.tasks.map((task) => ({ uid: task.uid, work: element.compile(task, context) }));
  return { tasks, warnings: "warnings" in found ? found.warnings : [], stage: "stage" in found && found.stage };
};

const rendition = (width: number, height: number) => ({
  ...{ uid: `p${height}`, file_pattern: `${height}.mp4` },
  ...{ video: { codec: "h264", width, height }, audio: [{ codec: "aac" }] },
});
const ladder = [rendition(1920, 1080), rendition(1280, 720), rendition(854, 480), rendition(640, 360)];
const dividedInto = (payload: object, more?: Partial<PlanContext<unknown>>) =>
  plan(payload, more).tasks.map(
    ({ uid, work }) => `${uid}: ${Object.values(work.outputs).map(({ version }) => version)}`,
  );

describe("targets of a transcode", () => {
  test("are divided as the job asks", () => {
    const targets = ladder;
    expect(dividedInto({ targets })).toEqual(["tc: p1080,p720,p480,p360"]);
    expect(dividedInto({ targets }, { split: "disabled" })).toEqual(["tc: p1080,p720,p480,p360"]);
    expect(dividedInto({ targets }, { split: "smart" })).toEqual(["tc_0: p1080", "tc_1: p720,p480,p360"]);
    expect(dividedInto({ targets }, { split: "aggressive" })).toEqual([
      ...["tc_0: p1080", "tc_1: p720", "tc_2: p480", "tc_3: p360"],
    ]);
    const modifications = [{ kind: "transcode_auto_split", fields: { mode: "smart" } }];
    expect(dividedInto({ targets }, { modifications })).toEqual(["tc_0: p1080", "tc_1: p720,p480,p360"]);
  });

  test("stay together where something is made of all of them, which the job is told", () => {
    const payload = { targets: ladder, options: { delete_sources: true } };
    expect(dividedInto(payload, { split: "smart" })).toEqual(["tc: p1080,p720,p480,p360"]);
    expect(plan(payload, { split: "smart" }).warnings).toEqual([
      "tc: one task makes all targets, since its sources are deleted at its end",
    ]);
  });

  test("take along only the measurements that they need", () => {
    const normalize = [{ kind: "normalize", payload: { kind: "ebur128", payload: { integrated_lufs: -23 } } }];
    const loud = { ...rendition(640, 360), audio: [{ codec: "aac", filters: normalize }] };
    const { tasks } = plan({ targets: [rendition(1920, 1080), loud] }, { split: "aggressive" });
    const measured = tasks.map(({ work }) => work.steps.filter((step) => "results" in step && step.results).length);
    expect(measured).toEqual([0, expect.any(Number)]);
    expect(measured[1]).toBeGreaterThan(0);
  });

  test("take along what checks them, each its own", () => {
    const toned = (uid: string, audio: object, integrated_lufs: number) => ({
      ...{ uid, file_pattern: `${uid}.mov` },
      audio: [
        { ...audio, filters: [{ kind: "normalize", payload: { kind: "ebur128", payload: { integrated_lufs } } }] },
      ],
    });
    const targets = [
      toned("aac", { codec: "aac", bitrate_kb: 96 }, -16),
      toned("more", { codec: "aac", bitrate_kb: 192 }, -16),
      toned("pcm", { codec: "pcm" }, -16),
      toned("quiet", { codec: "pcm" }, -20),
      { uid: "plain", file_pattern: "plain.mov", audio: [{ codec: "pcm" }] },
    ];
    const { tasks } = plan({ targets }, { split: "aggressive" });
    expect(tasks.map(({ work }) => checksOf(work))).toEqual([
      [[-16, ", encoded as aac"]],
      [[-16, ", encoded as aac"]],
      [[-16, ""]],
      [[-20, ""]],
      [],
    ]);
    expect(checksOf(plan({ targets }, { split: "disabled" }).tasks[0]?.work)).toHaveLength(4);
  });
});

/** What each check wants, and the end of what it is about. */
const checksOf = (work: Work | undefined) =>
  (work?.steps ?? []).flatMap((step) =>
    Object.values((step.do === "ffmpeg" && step.results) || {}).flatMap(({ parser, options }) => {
      if (parser !== "loudness_check") return [];
      const { integrated, what } = z.looseObject({ integrated: z.number(), what: z.string() }).parse(options);
      return [[integrated, what.replace(/^.*filters\[\d+\]/, "")]];
    }),
  );

describe("a transcode in sections", () => {
  const targets = [rendition(640, 360)];
  const source_pipeline = { segmented_rendering: { duration_sec: 60 } };
  const argvOf = (work: { steps: readonly object[] }): string => {
    const found = work.steps.find((step) => "argv" in step);
    return found && "argv" in found && Array.isArray(found.argv) ? found.argv.map(String).join(" ") : "";
  };

  test("is a stage of sections first: pictures alone, with the time stamps of the whole until they are written", () => {
    const { stage, tasks } = plan({ targets, source_pipeline });
    expect(stage).toBe("sections");
    expect(tasks.map(({ uid }) => uid)).toEqual(["tc_seg#000", "tc_seg#001"]);
    expect(Object.values(tasks[1]?.work.outputs ?? {})).toEqual([
      {
        ...{ version: "p360", folder: "file:///out", name: "360.mp4__hyseg_001_of_002_7_p360", isSequence: false },
        existing: "replace",
        expect: { video: { codec: "h264", width: 640, height: 360 }, duration: { seconds: 40, tolerance: 0.5 } },
      },
    ]);
    expect(
      tasks.map(
        ({
          work: {
            steps: [step],
          },
        }) => step,
      ),
    ).toEqual([
      expect.objectContaining({ begin: 0, duration: 60 }),
      expect.objectContaining({ begin: 60, duration: 40 }),
    ]);
    const [first, second] = tasks.map(({ work }) => argvOf(work));
    expect(first).toContain("trim=start=-0.01:end=59.99[v0]");
    expect(second).toContain("-noaccurate_seek -ss 57 -itsoffset 57 -i");
    expect(second).toContain("trim=start=59.99[v0]");
    expect(second).toContain("-output_ts_offset -60 -f mp4");
    expect(second).not.toContain("-c:a");
  });

  test("then joins them without encoding them again, makes the sound, and deletes them", () => {
    const file = (number: number) => ({
      uri: `file:///out/360.mp4__hyseg_00${number}_of_002_7_p360`,
      ...{ size: 10 + number, modified: 5 },
    });
    const stageOutputs = (uid: string) => ({ t0: [file(uid.endsWith("000") ? 0 : 1)] });
    const { tasks } = plan({ targets, source_pipeline }, { stageOutputs });
    expect(tasks.map(({ uid }) => uid)).toEqual(["tc_combiner_0"]);
    const { work } = tasks[0] ?? {};
    expect(work?.steps[0]).toEqual({
      ...{ do: "join", id: "sections_0_0", to: "sections_0_0" },
      files: [
        { asset: "sections_0_0_0", seconds: "60" },
        { asset: "sections_0_0_1", seconds: "40" },
      ],
    });
    const words = argvOf({ steps: work?.steps.slice(1) ?? [] });
    expect(checksOf(work)).toEqual([]);
    const filters = [{ kind: "normalize", payload: { kind: "ebur128", payload: { integrated_lufs: -16 } } }];
    const loud = [{ ...rendition(640, 360), audio: [{ codec: "ac3", filters }] }];
    const parts = plan({ targets: loud, source_pipeline }).tasks.map((task) => checksOf(task.work));
    expect(parts).toEqual([[], []]);
    const [whole] = plan({ targets: loud, source_pipeline }, { stageOutputs }).tasks;
    expect(checksOf(whole?.work)).toEqual([[-16, ", encoded as ac3"]]);
    expect(words).toContain("-format_whitelist concat,mov -safe 0 -auto_convert 0 -f concat");
    expect(words).toContain("-map 1:0 -c:v copy -r:v 25 -map [a0_0] -c:a:0 aac");
    expect(work?.after).toEqual([{ do: "delete", id: "delete_sections", files: [file(0), file(1)] }]);
  });

  const obstacles = {
    "the filter telecine counts pictures (t)": { video: { codec: "h264", filters: [{ kind: "telecine" }] } },
    "rawvideo does not encode it in sections (t)": { file_pattern: "x.mov", video: { codec: "raw" } },
    "no picture is encoded": { video: undefined, audio: [{ codec: "aac" }] },
  };
  test.each(Object.entries(obstacles))("is made in one piece where %s, which the job is told", (why, target) => {
    const made = plan({ targets: [{ uid: "t", file_pattern: "x.mp4", ...target }], source_pipeline });
    expect(made.tasks.map(({ uid }) => uid)).toEqual(["tc"]);
    expect(made.warnings).toContain(`tc: it is made in one piece, since ${why}`);
  });
});
