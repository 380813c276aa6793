import type { Clock } from "../../shared/basics/clock.ts";
import type { Key } from "../../shared/credentials/credentials.ts";
import { TaskError } from "../../shared/model/failure.ts";
import {
  type PollRequest,
  type PollRequestOf,
  type PollResponse,
  type PollResponseOf,
  pollPatienceMs,
} from "../../shared/protocol/polling.ts";
import type { FolderFile } from "../../shared/work/folder-watch.ts";
import { oldMs, type Sighting } from "../../shared/work/polling.ts";
import { toFailure } from "../disk/task-failure.ts";
import type { ReadForeign } from "../foreign/pool.ts";
import { type ManifestNeeds, whyIncomplete } from "../formats/manifest-files.ts";
import { isUnfinished } from "../formats/mp4-boxes.ts";
import type { ResolvedFile } from "../paths/resolved-paths.ts";
import type { StorageViewOf } from "../paths/storage-view.ts";
import { createSlots } from "./slots.ts";

/** Looks at what tasks wait for. Looks take no slot, and few of them are made at a time. */
export type Polling = { poll(question: PollRequest, keys?: readonly Key[]): AsyncIterable<PollResponse>; stop(): void };

type PollingNeeds = { readonly viewOf: StorageViewOf; readonly clock: Clock; readonly read: ReadForeign };

/** Half of the looks are left for other storage. */
const slots = { atOnce: 4, atOnePlace: 2 };
/** A look that finds nothing to tell for so long ends before the coordinator asks again. */
export const mostSilentMs = pollPatienceMs - 20_000;

export const createPolling = ({ viewOf, clock, read }: PollingNeeds): Polling => {
  const abort = new AbortController();
  const take = createSlots(slots);

  return {
    poll: async function* (question, keys) {
      const leave = await take(placeOf(question));
      const view = viewOf({ secrets: keys });
      const ends = new AbortController();
      try {
        const signal = AbortSignal.any([abort.signal, ends.signal]);
        yield* talkative(answersOf(question, { resolver: view.resolver, clock, read, signal }), clock);
      } catch (error) {
        yield { what: "failure", failure: toFailure(error, view.named) };
      } finally {
        ends.abort();
        await view.release();
        leave();
      }
    },
    stop: () => abort.abort(),
  };
};

/** The server, or the disk, that a question is about. */
const placeOf = (question: PollRequest): string => {
  const uri = question.what === "folder" ? question.folder : Object.values(question.sources)[0]?.asset.uri;
  return /^file:\/\/(\/[^/]*){0,2}|^[^:]*:\/\/[^/]*/i.exec(uri ?? "")?.[0] ?? "";
};

/** Throws TaskError `storage` when an answer takes too long: a hostile tree of folders has no end. */
async function* talkative<T>(answers: AsyncGenerator<T>, clock: Clock): AsyncGenerator<T> {
  try {
    for (let next = await inTime(answers.next(), clock); !next.done; next = await inTime(answers.next(), clock))
      yield next.value;
  } finally {
    answers.return(undefined).catch(() => undefined); // what it does at the moment nobody waits for
  }
}

const inTime = async <T>(answer: Promise<T>, clock: Clock): Promise<T> => {
  const late = Promise.withResolvers<never>();
  const stop = clock.after(mostSilentMs, () => late.reject(tooSlow()));
  return Promise.race([answer, late.promise]).finally(stop);
};

const tooSlow = (): TaskError =>
  new TaskError(
    "storage",
    `Nothing was found for ${mostSilentMs / 1000} s: the storage is too slow, or has too many folders; name a folder below`,
  );

export type PollNeeds = ManifestNeeds & { readonly clock: Clock; readonly signal: AbortSignal };

async function* answersOf(question: PollRequest, looker: PollNeeds): AsyncGenerator<PollResponse> {
  if (question.what === "folder") yield* lookAtFolder(question, looker);
  else yield { what: "sources", saw: await pollSources(question.sources, looker) };
}

/** Files that one answer tells of: some hundred kB. */
const inOneAnswer = 2000;

async function* lookAtFolder(
  { folder, selection, last }: PollRequestOf<"folder">,
  { resolver, signal }: PollNeeds,
): AsyncGenerator<PollResponseOf<"folder">> {
  let files: PollResponseOf<"folder">["files"] = [];
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
const completed = async (found: FolderFile, resolver: PollNeeds["resolver"]): Promise<FolderFile> => {
  if (found.lacks !== undefined) return found;
  const file = await resolver.stat({ uri: found.uri });
  return file && (await breaksOff(file)) ? { ...found, lacks: "its end is missing" } : found;
};

/** What is seen of each source. */
export const pollSources = async (
  sources: PollRequestOf<"sources">["sources"],
  looker: PollNeeds,
): Promise<Record<string, Sighting>> => {
  const saw: Record<string, Sighting> = {};
  for (const [id, source] of Object.entries(sources)) {
    looker.signal.throwIfAborted();
    saw[id] = await lookAt(source, looker);
  }
  return saw;
};

type Source = PollRequestOf<"sources">["sources"][string];

const lookAt = async ({ asset, isManifest, last }: Source, looker: PollNeeds): Promise<Sighting> => {
  const file = await statOf(asset, looker);
  if (!file) return null;
  const { size, modified } = file;
  const seen = { size, modified, isOld: looker.clock.now() - modified >= oldMs };
  if (isManifest) return { ...seen, ...(await lacksOfManifest(asset.uri, looker)) };
  const isStill = last?.size === size && last.modified === modified;
  return isStill && (await breaksOff(file)) ? { ...seen, lacks: "its end is missing" } : seen;
};

/** Undefined while a file is missing, also where it went during the look. */
const statOf = async (asset: Source["asset"], { resolver }: PollNeeds): Promise<ResolvedFile | undefined> => {
  try {
    return await resolver.stat(asset);
  } catch (error) {
    if (error instanceof TaskError && error.failure.cause === "source" && !(await resolver.stat(asset)))
      return undefined;
    throw error;
  }
};

const lacksOfManifest = async (uri: string, { signal, ...needs }: PollNeeds): Promise<{ lacks?: string }> => {
  const why = await whyIncomplete(uri, needs, signal);
  return why ? { lacks: why.message.slice(0, 4000) } : {};
};

/** The end of a remote file is not looked at: its size tells. */
const breaksOff = async ({ path, remote }: ResolvedFile): Promise<boolean> => !remote && isUnfinished(path);
