import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Asset, MediaFacts } from "../../shared/asset.ts";
import { TaskError } from "../../shared/causes.ts";
import { resolveDefinitions } from "../../shared/definitions.ts";
import type { PlanContext } from "../../shared/elements/element.ts";
import { elementOf } from "../../shared/elements/index.ts";
import { feedersOf } from "../../shared/graph.ts";
import { parseJob } from "../../shared/parse-job.ts";
import { ratio } from "../../shared/rational.ts";

/** Job files of the API family, read where they lie. */
export const samplesFolder = process.env.MEDIAFARM_SAMPLES ?? join(import.meta.dirname, "../../../shared/samples");
export const hasSamples = existsSync(samplesFolder);

export const sampleNames = (): string[] =>
  readdirSync(samplesFolder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".json"))
    .map((name) => name.replaceAll("\\", "/"))
    .sort();

/**
 * Why a sample cannot be performed, in the words that its job would fail with; undefined where nothing stands against
 * it. Every element is planned, each source being a timeline with so many tracks of sound that the sample's maps fit it.
 */
export const obstacleOf = (sample: string): string | undefined => {
  const found = [16, 2, 1].map((tracks) => obstacleWith(richTimeline(tracks), sample));
  return found.includes(undefined) ? undefined : found[0];
};

const obstacleWith = (timeline: MediaFacts, sample: string): string | undefined => {
  const spec = parseJob(resolveDefinitions(JSON.parse(readFileSync(join(samplesFolder, sample), "utf8"))));
  const made = new Map<string, readonly Asset[]>();
  const runs = spec.elements.map(({ uid }) => ({ uid, state: "succeeded" as const }));
  for (let left = [...spec.elements]; left.length > 0; ) {
    const feeders = (uid: string) => feedersOf(uid, runs, spec.connections);
    const next = left.find(({ uid }) => feeders(uid).every((each) => made.has(each))) ?? left[0];
    if (!next) break;
    left = left.filter((element) => element !== next);
    const inputs = feeders(next.uid).flatMap((uid) => made.get(uid) ?? []);
    const result = planned(next, inputs, timeline);
    if (typeof result === "string") return result;
    made.set(next.uid, result);
  }
  return undefined;
};

type Element = ReturnType<typeof parseJob>["elements"][number];

const planned = (
  { uid, kind, payload }: Element,
  inputs: readonly Asset[],
  facts: MediaFacts,
): readonly Asset[] | string => {
  const element = elementOf(kind);
  if (!element) return `no element of kind ${kind}`;
  const context: PlanContext<unknown> = {
    ...{ uid, payload: element.payload.parse(payload), job: { id: 1, name: "sample" }, inputs },
    factsOf: () => ({ size: 1000, modified: 1, facts }),
    manifestOf: (uri) => ({
      ...{ kind: "imf", isMaster: false },
      sections: [{ tracks: [{ takes: ["video", "audio"], pieces: [{ uri: `${uri}.mxf` }] }] }],
    }),
  };
  try {
    const plan = element.plan(context);
    if ("need" in plan) return `${uid} asks for facts without end`;
    if ("stage" in plan) return `${uid} waits for its stage ${plan.stage}`;
    for (const task of plan.tasks) element.compile(task, context);
    return plan.assets ?? [{ version: uid, files: [{ uri: "file:///made.mov", facts }] }];
  } catch (error) {
    if (error instanceof TaskError) return error.message;
    throw error;
  }
};

const lasts = { start: ratio(0), duration: ratio(600) };

/** Ten minutes of everything. */
const richTimeline = (tracks: number): MediaFacts => ({
  ...{ format: "mov,mp4,m4a,3gp,3g2,mj2", ...lasts, size: 1000, timecode: "01:00:00:00" },
  video: [
    {
      ...{ index: 0, codec: "prores", timeBase: ratio(1, 24_000), ...lasts, width: 1920, height: 1080 },
      ...{ pixelFormat: "yuv420p", frameRate: ratio(24), averageFrameRate: ratio(24), pixelAspect: ratio(1) },
      ...{ fieldOrder: "progressive" },
    },
  ],
  audio: Array.from({ length: tracks }, (_, track) => ({
    ...{ index: track + 1, codec: "pcm_s16le", timeBase: ratio(1, 48_000), ...lasts, channels: 8, layout: "7.1" },
    ...{ sampleRate: 48_000, language: "eng" },
  })),
  others: [],
});
