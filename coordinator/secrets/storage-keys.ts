import { messageOf } from "../../shared/basics/errors.ts";
import { getOrInsert } from "../../shared/basics/get-or-insert.ts";
import { type Key, keyFor } from "../../shared/credentials/credentials.ts";
import { redactText } from "../../shared/credentials/redact.ts";
import { entryNeed } from "../../shared/credentials/vault.ts";
import { isRemote } from "../../shared/files/storage.ts";
import type { ElementSpec } from "../../shared/model/job.ts";
import type { Fence } from "../../shared/protocol/messages.ts";
import type { Work } from "../../shared/work/work.ts";
import type { JobValue } from "../kernel/job-value.ts";
import type { Transaction } from "../kernel/transaction.ts";
import { urisOf } from "../schedule/reach.ts";
import type { TaskRow } from "../store/rows.ts";
import { defaultKeys, type EntryKey, entryNamed, isFor, refusal } from "./credentials.ts";
import { accessIn } from "./job-credentials.ts";
import { openPayload } from "./sealing.ts";
import { signedByEntry } from "./secret-words.ts";
import type { Secrets } from "./secrets.ts";

/**
 * The credentials for the remote storage that a task's work names: from its own element first, then from the job's
 * other elements (whose files come along connections), then from the vault. Decrypted for one assignment and stored
 * nowhere; undefined if the work uses only mounts and folders.
 */
export const storageKeysFor = (
  farm: Secrets,
  job: JobValue,
  elementUid: string,
  work: Work,
  nodeId: number,
): Key[] | undefined => {
  const uris = remoteUris(work);
  if (uris.length === 0) return undefined;
  const keys = wanted(
    keysOf(farm, job, elementUid).filter((key) => isFor(farm, key, nodeId)),
    uris,
  );
  for (const { entry } of keys) if (entry) noteReading(farm, entry.name, job, elementUid, nodeId);
  return keys.length > 0 ? keys.map(({ prefix, credential }) => ({ prefix, credential })) : undefined;
};

/** A node that asks again and again, as for a watched folder, is told once a minute. */
const noteReading = ({ trail }: Secrets, entry: string, { row }: JobValue, element: string, nodeId: number): void =>
  trail.note({
    ...{ who: `node ${nodeId}`, origin: "", action: "readSecret", isRepeated: true },
    about: { entry, job_id: String(row?.id), element },
  });

/** The bound entries of the vault that open the storage of the work or sign its requests: only nodes that may use them are given the task. */
export const credentialNeeds = (farm: Secrets, job: JobValue, elementUid: string, work: Work): string[] => {
  const uris = remoteUris(work);
  if (![...farm.credentials.values()].some(({ bound }) => bound)) return [];
  const opening = uris.length === 0 ? [] : wanted(keysOf(farm, job, elementUid), uris);
  const signing = signedByEntry(farm, work.steps).map(({ row }) => ({ entry: row }));
  return [...opening, ...signing].flatMap(({ entry }) => (entry?.bound ? [entryNeed(entry.name)] : []));
};

const keysOf = (farm: Secrets, job: JobValue, elementUid: string): EntryKey[] => {
  const own = job.specs.get(elementUid);
  const payloads = [...(own ? [own] : []), ...withAccess(job.specs)].map(({ payload }) => payload);
  return [...payloads.flatMap((payload) => keysIn(farm, payload)), ...defaultKeys(farm)];
};

/** The same for a stored task. */
export const storageKeysOfTask = (
  farm: Secrets,
  draft: Transaction,
  task: TaskRow,
  nodeId: number,
): Key[] | undefined => {
  const work = draft.works([task.id]).get(task.id);
  return work && storageKeysFor(farm, draft.job(task.job_id), task.element_uid, work, nodeId);
};

/** Answers an agent that restarted: only the node that holds the attempt gets its keys. */
export const answerKeys = (farm: Secrets, nodeId: number, fence: Fence): Promise<void> =>
  farm.change([], (draft) => {
    const attempt = draft.attemptOf(fence);
    if (attempt?.node_id !== nodeId) return;
    // What has ended is only to be tidied up. A node that is not trusted does not learn secrets that changed since.
    if (attempt.ended !== null && farm.registry.row(nodeId)?.health.state !== "sound") return;
    const task = draft.task({ job_id: attempt.job_id, id: attempt.task_id });
    const keys = (task && storageKeysOfTask(farm, draft, task, nodeId)) ?? [];
    draft.after(() => farm.registry.send(nodeId, { type: "keys", epoch: farm.epoch, fence, keys }));
  });

/** Elements of a job that name what opens storage: most name none, and a claim must not open the payloads of all. */
const withAccess = (specs: JobValue["specs"]): readonly ElementSpec[] =>
  getOrInsert(namingAccess, specs, () =>
    [...specs.values()].filter(({ payload }) => /"(\$sealed|access)"|:\/\/[^"/]*@/.test(JSON.stringify(payload))),
  );

const namingAccess = new WeakMap<JobValue["specs"], readonly ElementSpec[]>();

const keysIn = (farm: Secrets, payload: Record<string, unknown>): EntryKey[] => {
  try {
    const { keys, named } = accessIn(openPayload(farm.vault, payload));
    return [...keys, ...named.flatMap((each) => namedKey(farm, each))];
  } catch (problem) {
    // The node reports an address without credentials; invalid credentials were reported at submission.
    farm.log.warn(`credentials of a job cannot be used: ${redactText(messageOf(problem))}`);
    return [];
  }
};

/** None where the entry must not be used: it may have changed since the job was submitted. */
const namedKey = (farm: Secrets, { prefix, name }: { readonly prefix: string; readonly name: string }): EntryKey[] => {
  const found = entryNamed(farm, name);
  return found.entry && refusal(found.entry, prefix) === undefined ? [{ prefix, ...found }] : [];
};

const remoteUris = (work: Work): string[] => urisOf(work).filter(isRemote);

/** Only credentials that the task needs are sent: a node learns no more than its work requires. */
const wanted = (all: readonly EntryKey[], uris: readonly string[]): EntryKey[] => {
  const needed = new Set(uris.flatMap((uri) => keyFor(uri, all) ?? []));
  return all.filter(({ credential }) => needed.has(credential));
};
