import { takeReport } from "../../../coordinator/attempts/report.ts";
import { ratio } from "../../../shared/basics/rational.ts";
import type { MediaFacts } from "../../../shared/model/asset.ts";
import { aConnection, aReport, aSource, openTestFarm } from "./farm.ts";
import { stored } from "./stored.ts";
import { submitJob } from "./submit-job.ts";
import { aWorldPerFile } from "./worlds.ts";

/** Thirty seconds of HD, with six channels of sound in a language that nobody knows. */
const timeline: MediaFacts = {
  ...{ format: "mov", start: ratio(0), duration: ratio(30), size: 1000, others: [] },
  video: [
    {
      ...{ index: 0, codec: "h264", timeBase: ratio(1, 12288), start: ratio(0), duration: ratio(30), width: 1920 },
      ...{ height: 1080, pixelFormat: "yuv420p", frameRate: ratio(24), averageFrameRate: ratio(24), frames: 720 },
      ...{ pixelAspect: ratio(1), fieldOrder: "progressive" },
    },
  ],
  audio: [
    {
      ...{ index: 1, codec: "aac", timeBase: ratio(1, 48000), start: ratio(0), duration: ratio(30), channels: 6 },
      ...{ layout: "5.1", sampleRate: 44_100, language: "und" },
    },
  ],
};

/** What became of a job: how it failed, what its submission warned of, and the words of its commands. */
export type Planned = {
  readonly failures: readonly { readonly cause: string; readonly message: string }[];
  readonly warnings: readonly string[];
  readonly words: readonly string[];
};

/** One farm and one node for all tests of a file, and a way to see what the farm makes of an element behind a source. */
export const usePlanning = () => {
  const world = aWorldPerFile({
    open: async (folder) => {
      const farm = await openTestFarm(folder);
      return { ...farm, machine: await farm.node() };
    },
    close: ({ close }) => close(),
  });

  /** The element is `tc`; `more` are fields of its own. */
  const planned = async (
    kind: string,
    payload: object,
    more: object = {},
    definitions: object = {},
  ): Promise<Planned> => {
    const { farm, machine } = world();
    const elements = [aSource(), { uid: "tc", kind, payload, ...more }];
    const job = { name: "a job", definitions, payload: { elements, connections: [aConnection("src", ["tc"])] } };
    const jobId = await submitJob(farm, job);
    const probe = await machine.assigned();
    const file = { uri: probe.work.assets["0"]?.uri ?? "", size: 1000, modified: 5, facts: timeline };
    const found = { probe_0: { unchanged: false, tool: "probe-1", file } };
    const published = { outputs: {}, found };
    await takeReport(farm, machine.id, aReport(probe, { outcome: { outcome: "published", published } }));
    const tasks = stored(farm).tasks(jobId);
    const steps = tasks.flatMap(({ id }) => stored(farm).work(id)?.steps ?? []);
    return {
      failures: tasks.flatMap(({ failure }) => (failure ? [{ cause: failure.cause, message: failure.message }] : [])),
      warnings: stored(farm).graph(jobId).warnings,
      words: steps.flatMap((step) => (step.do === "ffmpeg" ? step.argv.map((word) => JSON.stringify(word)) : [])),
    };
  };

  return {
    planned,
    /** The words of a transcode's command, as ffmpeg gets them. */
    words: async (target: object): Promise<string[]> => {
      const { failures, words } = await planned("transcode", { targets: [target] });
      if (failures[0]) throw new Error(failures[0].message);
      return words.map((word) => (word.startsWith('"') ? JSON.parse(word) : word));
    },
  };
};
