import { existsSync, mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { elementOf } from "../../../media/elements/index.ts";
import { parseJob } from "../../../media/jobs/parse-job.ts";
import { AppError } from "../../../shared/basics/errors.ts";
import type { Asset } from "../../../shared/model/asset.ts";
import { TaskError } from "../../../shared/model/failure.ts";
import type { Work } from "../../../shared/work/work.ts";
import { mediaNode } from "../../helpers/media/media-job.ts";
import { probe } from "../../helpers/media/media-tools.ts";

/** What a farm says to a job: what is to be done, or why nothing is. */
export type Answer =
  | { readonly work: Work; readonly payload: object }
  /** Nobody takes such a job, or its task cannot be planned for this source. */
  | { readonly refusal: string; readonly when: "submitted" | "planned" };

/** Submits a transcode of the source into this folder, and plans it. */
export const answerTo = (payload: object, source: Asset, folder: string): Answer => {
  const location = { storage_provider: "local", path: pathToFileURL(join(folder, "out")).href };
  const written = { ...payload, location };
  try {
    const job = { name: "a job", payload: { elements: [{ uid: "t", kind: "transcode", payload: written }] } };
    const [element] = parseJob(job).elements;
    const kind = elementOf("transcode");
    const context = {
      ...{ uid: "t", payload: kind?.payload.parse(element?.payload), job: { id: 1, name: "a job" } },
      ...{ inputs: [source], factsOf: () => undefined },
    };
    const plan = kind?.plan(context);
    const [task] = plan && "tasks" in plan ? plan.tasks : [];
    if (!kind || !task) throw new Error(`nothing was planned: ${JSON.stringify(plan)}`);
    const { notes: _told, ...work } = kind.compile(task, context);
    return { work, payload: written };
  } catch (problem) {
    if (problem instanceof AppError) return { refusal: problem.message, when: "submitted" };
    if (problem instanceof TaskError) return { refusal: problem.message, when: "planned" };
    throw problem;
  }
};

const done = new Map<string, Promise<string | undefined>>();

/** Why what was to be done was not done, or cannot be read again. The same work is not done twice. */
export const faultOf = (work: Work, payload: object, folder: string): Promise<string | undefined> => {
  const key = JSON.stringify(work);
  const known = done.get(key) ?? performed(work, payload, folder);
  done.set(key, known);
  return known;
};

const performed = async (work: Work, payload: object, folder: string): Promise<string | undefined> => {
  const own = mkdtempSync(join(folder, "case-"));
  try {
    const { paths, verified } = await mediaNode(folder).perform(movedTo(own, folder, work), payload);
    await verified();
    // A name with a number is that of many files in a folder.
    for (const path of paths) await read(/%0?\d*d/.test(path) ? dirname(path) : path);
    return undefined;
  } catch (problem) {
    const { stderr = "" } = problem instanceof TaskError ? problem.failure : {};
    return `${problem instanceof Error ? problem.message : problem}\n${stderr.slice(-600)}`;
  } finally {
    rmSync(own, { recursive: true, force: true });
    for (const name of readdirSync(folder).filter((each) => each.startsWith(".scratch")))
      rmSync(join(folder, name), { recursive: true });
  }
};

/** The same work with its outputs in a folder of their own. */
const movedTo = (own: string, folder: string, work: Work): Work =>
  JSON.parse(JSON.stringify(work).replaceAll(pathToFileURL(join(folder, "out")).href, pathToFileURL(own).href));

/** Texts, keys and lists of files are no media. */
const noMedia = /\.(srt|vtt|ass|ttml|xml|stl|scc|mcc|alaw|al|mulaw|ul|key|m3u8|mpd|ism|ismc|bin)$/;

/** Every file that an output is made of has something in it; media are read by ffprobe. */
const read = async (path: string): Promise<void> => {
  if (!existsSync(path)) throw new Error(`${path} was not made`);
  const isFolder = statSync(path).isDirectory();
  const files = isFolder ? readdirSync(path, { recursive: true }).map((name) => join(path, String(name))) : [path];
  for (const file of files.filter((each) => statSync(each).isFile())) {
    if (statSync(file).size === 0) throw new Error(`${file} is empty`);
    if (isFolder || noMedia.test(file)) continue;
    const { video, audio, others } = await probe(file);
    if (video.length + audio.length + others.length === 0) throw new Error(`nothing is to be read in ${file}`);
  }
};

/** What follows a field, or an object around it, that is refused with any value. */
const whole = [" is not implemented", " needs ", ": "];

/**
 * Whether a refusal tells people where it is in their job: it names the value, and the field or another one that
 * contradicts it, or it refuses an object around the field whole.
 */
export const isNamed = (refusal: string, path: string, value: unknown): boolean => {
  if (!refusal.includes("targets[0]") && !refusal.includes("source_pipeline")) return false;
  const parts = path.split(".");
  const objects = parts.slice(1).map((_, at) => parts.slice(0, at + 2).join("."));
  if (objects.some((each) => whole.some((words) => refusal.includes(`${each}${words}`)))) return true;
  return [value].flat().every((each) => refusal.includes(String(each)));
};
