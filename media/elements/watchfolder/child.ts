import { nameOf } from "../../../shared/files/location.ts";
import { definitionError } from "../../../shared/model/failure.ts";

type Json = Readonly<Record<string, unknown>>;
type End = { readonly element: string };
type Connection = { readonly from: readonly End[]; readonly to: { readonly success?: End[]; readonly error?: End[] } };
type Element = Json & { readonly uid: string; readonly kind: string; readonly payload?: { readonly source?: Json } };
type Payload = Json & { readonly elements: readonly Element[]; readonly connections?: readonly Connection[] };

/** A job with a watchfolder as it was accepted: its definitions are filled in, its aliases are the specification's. */
export type Parent = Json & { readonly name: string; readonly payload: Payload };

/**
 * The job that a file of a watched folder begins: what stands behind the watchfolder, with the file as its source. Throws
 * TaskError `definition` where that is no job of its own.
 */
export const childJob = ({ payload, ...parent }: Parent, uid: string, fileUri: string): Record<string, unknown> => {
  const { elements, connections = [] } = payload;
  const watch = elements.find((each) => each.uid === uid);
  const behind = behindOf(uid, connections);
  refuseMixed(uid, behind, elements, connections);
  const { start_after: _start, paused: _paused, definitions: _definitions, ...rest } = parent;
  const source = {
    uid,
    kind: "source",
    name: nameOf(fileUri),
    payload: { kind: "asset_url", payload: { ...placeOf(watch?.payload?.source), url: fileUri } },
  };
  return {
    ...rest,
    name: `${parent.name}: ${nameOf(fileUri)}`.slice(0, 2000),
    payload: {
      ...payload,
      elements: [source, ...elements.filter((each) => behind.has(each.uid))],
      connections: connections.flatMap((each) => connectionWithin(each, uid, behind)),
    },
  };
};

const placeOf = ({ storage_provider, access }: Json = {}): Json => ({
  ...(storage_provider !== undefined && { storage_provider }),
  ...(access !== undefined && { access }),
});

/** All elements that a success of the watchfolder leads to. */
const behindOf = (uid: string, connections: readonly Connection[]): ReadonlySet<string> => {
  const behind = new Set<string>();
  const open = [uid];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    for (const next of nextOf(at, connections, at !== uid)) {
      if (behind.has(next)) continue;
      behind.add(next);
      open.push(next);
    }
  }
  return behind;
};

const nextOf = (uid: string, connections: readonly Connection[], withErrors: boolean): string[] =>
  connections
    .filter(({ from }) => from.some(({ element }) => element === uid))
    .flatMap(({ to }) => [...(to.success ?? []), ...(withErrors ? (to.error ?? []) : [])])
    .map(({ element }) => element);

const refuseMixed = (
  uid: string,
  behind: ReadonlySet<string>,
  elements: readonly Element[],
  connections: readonly Connection[],
): void => {
  if (behind.size === 0) throw definitionError(`${uid}: no element is connected behind the watchfolder`);
  const other = elements.find((each) => each.kind === "watchfolder" && behind.has(each.uid));
  if (other) throw definitionError(`${other.uid}: a watchfolder cannot stand behind the watchfolder ${uid}`);
  for (const { from, to } of connections) {
    const target = [...(to.success ?? []), ...(to.error ?? [])].find(({ element }) => behind.has(element));
    const stranger = from.find(({ element }) => element !== uid && !behind.has(element));
    if (!target || !stranger) continue;
    const message = `${target.element} stands behind the watchfolder ${uid} and behind ${stranger.element}, which does not`;
    throw definitionError(message);
  }
};

const connectionWithin = ({ from, to }: Connection, uid: string, behind: ReadonlySet<string>): Connection[] => {
  if (!from.some(({ element }) => element === uid || behind.has(element))) return [];
  const within = (ends: readonly End[] = []) => ends.filter(({ element }) => behind.has(element));
  return [{ from, to: { success: within(to.success), error: within(to.error) } }];
};
