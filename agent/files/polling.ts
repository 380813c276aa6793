import { TaskError } from "../shared/causes.ts";
import type { Clock } from "../shared/clock.ts";
import type { Key } from "../shared/credentials.ts";
import type { Answer, AnswerOf, Question, QuestionOf } from "../shared/looks.ts";
import { oldMs, type Sighting } from "../shared/waiting.ts";
import type { FolderFile } from "../shared/watching.ts";
import { whyIncomplete } from "./manifest-files.ts";
import { isUnfinished } from "./mp4-boxes.ts";
import type { PathResolver, ResolvedFile } from "./path-resolver.ts";
import type { StorageViewOf } from "./storage-view.ts";
import { failureOf } from "./task-failure.ts";

/** Looks at what tasks wait for. Looks take no slot, and few of them are made at a time. */
export type Looks = { look(question: Question, keys?: readonly Key[]): AsyncIterable<Answer>; stop(): void };

type LooksNeeds = { readonly viewOf: StorageViewOf; readonly clock: Clock };

const atOnce = 4;

export const createLooks = ({ viewOf, clock }: LooksNeeds): Looks => {
  const abort = new AbortController();
  const waiting: (() => void)[] = [];
  let busy = 0;

  const turn = async (): Promise<void> => {
    if (busy >= atOnce) await new Promise<void>((resolve) => waiting.push(resolve));
    else busy += 1;
  };
  const pass = (): void => {
    const next = waiting.shift();
    if (next) next();
    else busy -= 1;
  };

  return {
    look: async function* (question, keys) {
      await turn();
      const view = viewOf({ secrets: keys });
      try {
        yield* answersOf(question, { resolver: view.resolver, clock, signal: abort.signal });
      } catch (error) {
        yield { what: "failure", failure: failureOf(error) };
      } finally {
        await view.release();
        pass();
      }
    },
    stop: () => abort.abort(),
  };
};

export type Looker = { readonly resolver: PathResolver; readonly clock: Clock; readonly signal: AbortSignal };

async function* answersOf(question: Question, looker: Looker): AsyncGenerator<Answer> {
  if (question.what === "folder") yield* lookAtFolder(question, looker);
  else yield { what: "sources", saw: await lookAtSources(question.sources, looker) };
}

/** Files that one answer tells of: some hundred kB. */
const inOneAnswer = 2000;

async function* lookAtFolder(
  { folder, selection, last }: QuestionOf<"folder">,
  { resolver, signal }: Looker,
): AsyncGenerator<AnswerOf<"folder">> {
  let files: AnswerOf<"folder">["files"] = [];
  let isEmpty = true;
  for await (const file of resolver.list({ folder, selection }, signal)) {
    if (files.length >= inOneAnswer) {
      yield { what: "folder", files, isLast: false };
      files = [];
    }
    isEmpty = false;
    const before = last[file.uri];
    const isStill = before?.size === file.size && before.modified === file.modified;
    files.push(isStill ? await completed(file, resolver) : file);
  }
  const place = await resolver.place(folder, isEmpty);
  yield { what: "folder", files, isLast: true, ...(place && { place }) };
}

/** The file, with what it lacks. One that went meanwhile is missed at the next look. */
const completed = async (found: FolderFile, resolver: PathResolver): Promise<FolderFile> => {
  if (found.lacks !== undefined) return found;
  const file = await resolver.stat({ uri: found.uri });
  return file && (await breaksOff(file)) ? { ...found, lacks: "its end is missing" } : found;
};

/** What is seen of each source. */
export const lookAtSources = async (
  sources: QuestionOf<"sources">["sources"],
  looker: Looker,
): Promise<Record<string, Sighting>> => {
  const saw: Record<string, Sighting> = {};
  for (const [id, source] of Object.entries(sources)) {
    looker.signal.throwIfAborted();
    saw[id] = await lookAt(source, looker);
  }
  return saw;
};

type Source = QuestionOf<"sources">["sources"][string];

const lookAt = async ({ asset, isManifest, last }: Source, looker: Looker): Promise<Sighting> => {
  const file = await statOf(asset, looker);
  if (!file) return null;
  const { size, modified } = file;
  const seen = { size, modified, isOld: looker.clock.now() - modified >= oldMs };
  if (isManifest) return { ...seen, ...(await lacksOfManifest(asset.uri, looker)) };
  const isStill = last?.size === size && last.modified === modified;
  return isStill && (await breaksOff(file)) ? { ...seen, lacks: "its end is missing" } : seen;
};

/** Undefined while a file is missing, also where it went during the look. */
const statOf = async (asset: Source["asset"], { resolver }: Looker): Promise<ResolvedFile | undefined> => {
  try {
    return await resolver.stat(asset);
  } catch (error) {
    if (error instanceof TaskError && error.failure.cause === "source" && !(await resolver.stat(asset)))
      return undefined;
    throw error;
  }
};

const lacksOfManifest = async (uri: string, { resolver, signal }: Looker): Promise<{ lacks?: string }> => {
  const why = await whyIncomplete(uri, resolver, signal);
  return why ? { lacks: why.message.slice(0, 4000) } : {};
};

/** The end of a remote file is not looked at: its size tells. */
const breaksOff = async ({ path, remote }: ResolvedFile): Promise<boolean> => !remote && isUnfinished(path);
