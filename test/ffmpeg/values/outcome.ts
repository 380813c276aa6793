import { existsSync, readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { elementOf } from "../../../media/elements/index.ts";
import { parseJob } from "../../../media/jobs/parse-job.ts";
import { AppError } from "../../../shared/basics/errors.ts";
import type { Asset } from "../../../shared/model/asset.ts";
import { TaskError } from "../../../shared/model/failure.ts";
import { mediaNode } from "../../helpers/media/media-job.ts";
import { probe } from "../../helpers/media/media-tools.ts";

/** What becomes of a job with one value in it. */
export type Outcome =
  /** The files that it made, each of which was read again; `work` tells what was done. */
  | { readonly is: "made"; readonly work: string }
  /** Nobody takes such a job: at its submission, or when its task is planned. */
  | { readonly is: "refused" | "planned"; readonly says: string }
  | { readonly is: "wrong"; readonly says: string };

const done = new Map<string, Outcome>();

/** Submits, plans, performs and reads again. Work that was done for another value is not done once more. */
export const outcomeOf = async (payload: object, source: Asset, folder: string): Promise<Outcome> => {
  const out = join(folder, "out");
  rmSync(out, { recursive: true, force: true });
  try {
    const written = { ...payload, location: { storage_provider: "local", path: pathToFileURL(out).href } };
    const { elements } = parseJob({ name: "j", payload: { elements: [{ uid: "t", kind: "transcode", payload: written }] } });
    const node = mediaNode(folder);
    const [element] = elements;
    const context = {
      ...{ uid: "t", payload: elementOf("transcode")?.payload.parse(element?.payload), job: { id: 1, name: "j" } },
      ...{ inputs: [source], factsOf: () => undefined },
    };
    const plan = elementOf("transcode")?.plan(context);
    const [task] = plan && "tasks" in plan ? plan.tasks : [];
    if (!task) return { is: "wrong", says: `nothing was planned: ${JSON.stringify(plan)}` };
    const work = elementOf("transcode")?.compile(task, context);
    if (!work) return { is: "wrong", says: "nothing was compiled" };
    const { notes: _none, ...acts } = work;
    const key = JSON.stringify(acts);
    const before = done.get(key);
    if (before) return before;
    const { paths, verified } = await node.perform(work, written);
    await verified();
    for (const path of paths) await read(path);
    const made: Outcome = { is: "made", work: key };
    done.set(key, made);
    return made;
  } catch (problem) {
    if (problem instanceof AppError) return { is: "refused", says: problem.message };
    if (problem instanceof TaskError && problem.failure.argv === undefined)
      return { is: "planned", says: problem.message };
    return { is: "wrong", says: `${problem}\n${(problem as TaskError).failure?.stderr?.slice(-600) ?? ""}` };
  }
};

/** Every file that an output is made of has something in it, and one that is not a text or a list is media. */
const read = async (path: string): Promise<void> => {
  if (!existsSync(path)) throw new Error(`${path} was not made`);
  const isFolder = statSync(path).isDirectory();
  const files = isFolder ? readdirSync(path, { recursive: true }).map((name) => join(path, String(name))) : [path];
  for (const file of files.filter((each) => statSync(each).isFile())) {
    if (statSync(file).size === 0) throw new Error(`${file} is empty`);
    if (isFolder || /\.(srt|vtt|ass|ttml|xml|stl|scc|mcc|alaw|al|mulaw|ul)$/.test(file)) continue;
    const { video, audio, others } = await probe(file);
    if (video.length + audio.length + others.length === 0) throw new Error(`nothing is to be read in ${file}`);
  }
};

/** Whether a refusal names the field and the value, so that people find both in their job. */
export const isNamed = (says: string, field: string, value: unknown): boolean =>
  says.includes(field) && [value].flat().every((each) => says.includes(String(each)));
