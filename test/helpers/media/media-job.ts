import { mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { type Verified, verifyOutputs } from "../../../agent/attempt/verify.ts";
import { refuseUnsafeInputs } from "../../../agent/paths/input-guard.ts";
import { writeInputLists } from "../../../agent/paths/input-lists.ts";
import { createRun } from "../../../agent/process/run.ts";
import { createAttemptLog } from "../../../agent/steps/attempt-log.ts";
import { performStep } from "../../../agent/steps/index.ts";
import type { Found } from "../../../agent/steps/step.ts";
import { createMediaTools } from "../../../agent/tools/media-tools.ts";
import { describeInvalidWork } from "../../../coordinator/planning/invalid-work.ts";
import type { JsonObject } from "../../../media/analyses/analysis.ts";
import type { FactRequest, PlanContext } from "../../../media/elements/element.ts";
import { elementOf } from "../../../media/elements/index.ts";
import { mergeParts } from "../../../media/results/analysis.ts";
import type { Clock } from "../../../shared/basics/clock.ts";
import { systemClock } from "../../../shared/basics/system-clock.ts";
import { secretIn } from "../../../shared/credentials/secret-words.ts";
import type { Asset, AssetFile } from "../../../shared/model/asset.ts";
import type { StepResult, StepResults } from "../../../shared/model/step-result.ts";
import { answers } from "../../../shared/work/frame-listing.ts";
import type { Work } from "../../../shared/work/work.ts";
import { aStorageView } from "../agent/agent-fixture.ts";
import { readForeign } from "../agent/read-foreign.ts";
import { noServices } from "../agent/services.ts";
import { manifestFaults } from "../manifests/manifest-faults.ts";
import { arrived } from "./arrived.ts";
import { fdkaacPath, ffmpegPath, ffprobePath, packagerPath } from "./media-tools.ts";

type Performed = {
  readonly paths: string[];
  readonly outputs: Readonly<Record<string, readonly AssetFile[]>>;
  readonly verified: () => Promise<Verified[]>;
  readonly found: Found[];
  readonly results: StepResults;
  readonly log: string;
};

/** Work as a node reads it: JSON, within the limits of a message. */
const asSent = (planned: Work): Work => {
  const misfit = describeInvalidWork(planned);
  if (misfit !== undefined) throw new Error(misfit);
  return JSON.parse(JSON.stringify(planned));
};

/**
 * A node without a farm, whose root is this folder: elements are planned here, and the agent's own performers carry out
 * what follows. A tracer gives a program to be run instead of each tool,
 * and the clock tells how long a source is awaited.
 */
export const mediaNode = (folder: string, tracer?: (path: string) => string, waits: Clock = systemClock) => {
  const run = createRun({ clock: systemClock, env: { PATH: process.env.PATH ?? "" } });
  const tool = (path: string | undefined) => ({
    path: tracer && path ? tracer(path) : (path ?? "none"),
    version: "test",
    build: "test",
  });
  const tools = createMediaTools(
    {
      ...{
        ffmpeg: tool(ffmpegPath),
        ffprobe: tool(ffprobePath),
        packager: tool(packagerPath),
        fdkaac: tool(fdkaacPath),
      },
      capabilities: [],
    },
    run,
    readForeign,
  );
  const { resolver, storageOf } = aStorageView(folder);
  let counter = 0;

  /** Performs every step; outputs get their final names at once. */
  const perform = async (planned: Work, payload: object = {}): Promise<Performed> => {
    counter += 1;
    const work = asSent(planned);
    const scratch = join(folder, `.scratch-${counter}`);
    const log = createAttemptLog();
    const { signal } = new AbortController();
    await arrived(work, resolver, waits);
    const paths = await resolver.resolve(work, { fence: { epoch: 1, counter }, scratch }, { signal });
    await refuseUnsafeInputs(work, paths);
    mkdirSync(scratch, { recursive: true });
    await writeInputLists(paths);
    const outputs = [...paths.outputs].map(([id, place]) => {
      const folder = dirname(place.final);
      mkdirSync(folder, { recursive: true });
      return [
        id,
        { ...place, made: place.output.isSequence || place.output.isPackage ? folder : place.final },
      ] as const;
    });
    const found: Found[] = [];
    const results = new Map<string, StepResult>();
    const keepResult = (id: string, result: StepResult) => void results.set(id, result);
    for (const step of work.steps) {
      const result = await performStep(step, {
        ...{
          work,
          paths: { ...paths, outputs: new Map(outputs) },
          resolver,
          tools,
          log,
          scratch,
          storageOf,
          clock: systemClock,
        },
        ...{
          services: noServices,
          secret: (word) => (typeof word === "string" ? word : (secretIn(payload, word.secret)?.reveal() ?? "")),
        },
        ...{ signal, onProgress: () => {}, onUsage: () => {}, results, keepResult },
      });
      if (result) found.push(result);
    }
    const faults = outputs.flatMap(([, { final }]) => manifestFaults(final));
    if (faults.length > 0) throw new Error(["A manifest is wrong", ...new Set(faults)].join("\n"));
    return {
      paths: outputs.map(([, { final }]) => final),
      outputs: Object.fromEntries(outputs.map(([id, { final }]) => [id, [{ uri: pathToFileURL(final).href }]])),
      /** Checks what was made as the agent does before it publishes. */
      verified: () =>
        verifyOutputs({ work, paths: { ...paths, outputs: new Map(outputs) }, tools, signal, moved: () => undefined }),
      found,
      results: Object.fromEntries(results),
      log: log.text(),
    };
  };

  const gather = async (need: readonly FactRequest[]): Promise<Found[]> => {
    const work: Work = { assets: {}, outputs: {}, steps: [] };
    for (const [index, { fact, uri, pieces, images, question, waitSec }] of need.entries()) {
      const [id, asset] = [String(index), String(index)];
      work.assets[index] = { uri, images, waitSec, ...(pieces && { pieces: [...pieces] }) };
      if (fact !== "frames") work.steps.push({ do: fact, id, asset });
      else if (question) work.steps.push({ do: fact, id, asset, question });
    }
    return (await perform(work)).found;
  };

  const planned = async (
    kind: string,
    payload: object,
    inputs: readonly Asset[],
    analyses: PlanContext<unknown>["analyses"] = [],
  ) => {
    const element = elementOf(kind);
    if (!element) throw new Error(`no element ${kind}`);
    const known: Found[] = [];
    const staged = new Map<string, Performed>();
    const context: PlanContext<unknown> = {
      ...{ uid: kind, payload: element.payload.parse(payload), job: { id: 1, name: "test" }, inputs, analyses },
      stageResults: (uid) => staged.get(uid)?.results,
      stageOutputs: (uid) => staged.get(uid)?.outputs,
      factsOf: (uri) => {
        const file = known.find((each) => each.file.uri === uri && each.file.facts)?.file;
        const { facts, size = 0, modified = 0, images } = file ?? {};
        return facts && { facts, size, modified, ...(images && { images }) };
      },
      manifestOf: (uri) => known.find((each) => each.file.uri === uri && each.manifest)?.manifest,
      framesOf: (uri, question) =>
        known.find((each) => each.file.uri === uri && each.frames && answers(each.frames, question))?.frames,
    };
    for (;;) {
      const plan = element.plan(context);
      if ("stage" in plan) {
        for (const task of plan.tasks) staged.set(task.uid, await perform(element.compile(task, context)));
        continue;
      }
      if ("tasks" in plan) return { element, context, plan };
      known.push(...(await gather(plan.need)));
    }
  };

  return {
    perform,
    /** The assets of a source's payload. */
    assets: async (source: object): Promise<readonly Asset[]> => {
      const { plan } = await planned("source", source, []);
      return plan.assets ?? [];
    },
    /** What an element finds out of these, merged. */
    results: async (kind: string, payload: object, inputs: readonly Asset[]) => {
      const { element, context, plan } = await planned(kind, payload, inputs);
      const results = await Promise.all(plan.tasks.map((task) => perform(element.compile(task, context))));
      const values = results.flatMap((each) => Object.values(each.results).map(({ value }) => value as JsonObject));
      return mergeParts(values);
    },
    /** The files that an element makes of these, by the names of its outputs, and what its log says. */
    made: async (kind: string, payload: object, inputs: readonly Asset[]) => {
      const { element, context, plan } = await planned(kind, payload, inputs);
      const [task] = plan.tasks;
      if (!task) throw new Error("nothing was planned");
      const work = element.compile(task, context);
      const { paths, verified, log } = await perform(work, payload);
      return { work, paths, verified, log };
    },
    /** The same for an element of several tasks, which may come after stages. */
    all: async (kind: string, payload: object, inputs: readonly Asset[]) => {
      const { element, context, plan } = await planned(kind, payload, inputs);
      const made: { uid: string; work: Work; paths: string[] }[] = [];
      for (const task of plan.tasks) {
        const work = element.compile(task, context);
        const { paths, verified } = await perform(work, payload);
        await verified();
        made.push({ uid: task.uid, work, paths });
      }
      return { made, warnings: "warnings" in plan ? (plan.warnings ?? []) : [] };
    },
    /** The work of one transcode, behind analyses if there are any. */
    work: async (
      payload: object,
      inputs: readonly Asset[],
      analyses?: PlanContext<unknown>["analyses"],
    ): Promise<Work> => {
      const { element, context, plan } = await planned("transcode", payload, inputs, analyses);
      const [task] = plan.tasks;
      if (!task) throw new Error("nothing was planned");
      return element.compile(task, context);
    },
  };
};
