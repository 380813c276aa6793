import { mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { createAttemptLog } from "../../agent/attempt-log.ts";
import { writeInputLists } from "../../agent/input-lists.ts";
import { refuseUnsafeInputs } from "../../agent/inputs.ts";
import { createMediaTools } from "../../agent/media-tools.ts";
import { createRun } from "../../agent/process.ts";
import { performStep } from "../../agent/steps/index.ts";
import type { Found } from "../../agent/steps/step.ts";
import { type Verified, verifyOutputs } from "../../agent/verify.ts";
import type { JsonObject } from "../../shared/analyses/analysis.ts";
import type { Asset, AssetFile } from "../../shared/asset.ts";
import type { FactRequest, PlanContext } from "../../shared/elements/element.ts";
import { elementOf } from "../../shared/elements/index.ts";
import { answers } from "../../shared/frame-listing.ts";
import { mergeParts } from "../../shared/results/analysis.ts";
import type { StepResult, StepResults } from "../../shared/results/result.ts";
import { secretIn } from "../../shared/secret-words.ts";
import { systemClock } from "../../shared/system-clock.ts";
import type { Work } from "../../shared/work.ts";
import { aStorageView } from "./agent-fixture.ts";
import { arrived } from "./arrived.ts";
import { fdkaacPath, ffmpegPath, ffprobePath, packagerPath } from "./media-tools.ts";
import { noServices } from "./services.ts";

type Performed = {
  readonly paths: string[];
  readonly outputs: Readonly<Record<string, readonly AssetFile[]>>;
  readonly verified: () => Promise<Verified[]>;
  readonly found: Found[];
  readonly results: StepResults;
  readonly log: string;
};

/**
 * A node without a farm, whose root is this folder: elements are planned here, and the agent's own performers carry out
 * what follows. A tracer gives a program to be run instead of each tool.
 */
export const mediaNode = (folder: string, tracer?: (path: string) => string) => {
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
  );
  const { resolver, storageOf } = aStorageView(folder);
  let counter = 0;

  /** Performs every step; outputs get their final names at once. */
  const perform = async (work: Work, payload: object = {}): Promise<Performed> => {
    counter += 1;
    const scratch = join(folder, `.scratch-${counter}`);
    const log = createAttemptLog();
    const { signal } = new AbortController();
    await arrived(work, resolver);
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
          secret: (word) => (typeof word === "string" ? word : (secretIn(payload, word.secret) ?? "")),
        },
        ...{ signal, onProgress: () => {}, onUsage: () => {}, results, keepResult },
      });
      if (result) found.push(result);
    }
    return {
      paths: outputs.map(([, { final }]) => final),
      outputs: Object.fromEntries(outputs.map(([id, { final }]) => [id, [{ uri: pathToFileURL(final).href }]])),
      /** Checks what was made as the agent does before it publishes. */
      verified: () => verifyOutputs({ work, paths: { ...paths, outputs: new Map(outputs) }, tools, signal }),
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
