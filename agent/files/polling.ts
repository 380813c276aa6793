import type { Clock } from "../../shared/basics/clock.ts";
import type { Key } from "../../shared/credentials/credentials.ts";
import { TaskError } from "../../shared/model/failure.ts";
import type { PollRequest, PollRequestOf, PollResponse, PollResponseOf } from "../../shared/protocol/polling.ts";
import type { FolderFile } from "../../shared/work/folder-watch.ts";
import { oldMs, type Sighting } from "../../shared/work/polling.ts";
import { toFailure } from "../disk/task-failure.ts";
import { whyIncomplete } from "../formats/manifest-files.ts";
import { isUnfinished } from "../formats/mp4-boxes.ts";
import type { PathResolver } from "../paths/path-resolver.ts";
import type { ResolvedFile } from "../paths/resolved-paths.ts";
import type { StorageViewOf } from "../paths/storage-view.ts";

/** Looks at what tasks wait for. Looks take no slot, and few of them are made at a time. */
export type Polling = { poll(question: PollRequest, keys?: readonly Key[]): AsyncIterable<PollResponse>; stop(): void };

type PollingNeeds = { readonly viewOf: StorageViewOf; readonly clock: Clock };

const atOnce = 4;

export const createPolling = ({ viewOf, clock }: PollingNeeds): Polling => {
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
    poll: async function* (question, keys) {
      await turn();
      const view = viewOf({ secrets: keys });
      try {
        yield* answersOf(question, { resolver: view.resolver, clock, signal: abort.signal });
      } catch (error) {
        yield { what: "failure", failure: toFailure(error, view.named) };
      } finally {
        await view.release();
        pass();
      }
    },
    stop: () => abort.abort(),
  };
};

export type PollNeeds = { readonly resolver: PathResolver; readonly clock: Clock; readonly signal: AbortSignal };

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
const completed = async (found: FolderFile, resolver: PathResolver): Promise<FolderFile> => {
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

const lacksOfManifest = async (uri: string, { resolver, signal }: PollNeeds): Promise<{ lacks?: string }> => {
  const why = await whyIncomplete(uri, resolver, signal);
  return why ? { lacks: why.message.slice(0, 4000) } : {};
};

/** The end of a remote file is not looked at: its size tells. */
const breaksOff = async ({ path, remote }: ResolvedFile): Promise<boolean> => !remote && isUnfinished(path);
