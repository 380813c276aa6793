import { joinUri } from "../../../shared/files/location.ts";
import type { ObjectOptions } from "../../../shared/files/object-options.ts";
import { abilities } from "../../../shared/files/storage.ts";
import { capabilityError, definitionError } from "../../../shared/model/failure.ts";
import { isTempName } from "../../../shared/work/temp-names.ts";
import { holds } from "../hidden-names.ts";
import { drain } from "../http/request.ts";
import { expectStatus, storingError } from "../http/status.ts";
import { writeResuming } from "../resuming-write.ts";
import type { Provider, Sending, Storage, StorageNeeds } from "../storage.ts";
import { lastName } from "../temp-name.ts";
import { copyObject, listObjects, readObject, removeObject, statObject } from "./objects.ts";
import { createSessions, readAddress, type Session } from "./session.ts";

const has = abilities("atomicReplace", "showsWhole", "rename", "ranges", "listing", "writing", "attributes");

/**
 * OpenStack's object store with its native protocol. A file waits under a hidden name, and the service copies it to
 * publish it.
 */
export const swift: Provider = { abilities: has, open: (needs) => openContainers(needs) };

const openContainers = ({ keys, guard, clock, patience }: StorageNeeds): Storage => {
  const sessions = createSessions(guard);
  const session = (uri: string): Session => sessions(keys.of(uri, "swift"), uri);
  // The service applies conditions only to the source of a copy, not its target, so "only if free" is impossible.
  const show = async (from: string, to: string): Promise<void> => {
    await copyObject(session(to), from, to);
    await removeObject(session(from), from);
  };
  return {
    abilities: has,
    patience,
    stat: async (uri) => statObject(session(uri), uri),
    list: (folder) => listObjects(session(folder), folder),
    read: (uri, range, signal) => readObject(session(uri), uri, range, signal),
    refuse: async (folder) => {
      readAddress(folder);
      session(folder);
    },
    prepare: async (folder) => {
      const { object } = readAddress(folder);
      const container = folder.slice(0, folder.length - object.length).replace(/\/+$/, "");
      // The credentials are those of the folder: they may not cover the whole container.
      const answer = await session(folder).ask({ method: "HEAD", uri: container });
      await drain(answer);
      if (answer.status === 404) throw definitionError(`${container}: there is no such container`);
      await expectStatus(answer, 200, 204);
    },
    holds: (uri, wanted) =>
      holds(
        {
          stat: async (each) => statObject(session(each), each),
          read: (each, range, signal) => readObject(session(each), each, range, signal),
        },
        uri,
        wanted,
      ),
    remove: async (uri) => removeObject(session(uri), uri),
    removeFolder: (uri) => removeBelow(session(uri), uri),
    stage: async (sending) => {
      const { signal, onBreak } = sending;
      const { temp, final } = sending.move;
      await writeResuming({ uri: temp, clock, patience, signal, onBreak, write: () => send(session(final), sending) });
      return temp;
    },
    discard: async (address) => {
      if (!isTempName(lastName(address))) return;
      await removeObject(session(address), address);
      await removeBelow(session(address), address);
    },
    isOurs: async () => false, // a copy shows only complete objects
    replace: ({ temp, final }) => show(temp, final),
    setAside: async (uri, to) => {
      if (await statObject(session(to), to)) return false;
      await show(uri, to);
      return true;
    },
  };
};

const removeBelow = async (session: Session, uri: string): Promise<void> => {
  if (readAddress(uri).object === "") throw definitionError(`${uri} is a whole container: it is not removed`);
  for await (const { name } of listObjects(session, uri, true)) await removeObject(session, joinUri(uri, name));
};

/** The maximum size of one object; larger ones need segments, which are not implemented. */
const mostBytes = 5 * 1024 ** 3;

const send = async (session: Session, { path, move, object, signal, pace, onBytes }: Sending): Promise<void> => {
  const { size } = move;
  if (size > mostBytes) {
    const advice = "use the service's S3 interface, whose uploads have parts";
    throw capabilityError(`${move.final}: Swift objects above ${mostBytes} bytes are not implemented; ${advice}`);
  }
  const wish = {
    method: "PUT",
    uri: move.temp,
    headers: headersOf(object),
    body: { path, from: 0, length: size, pace, onBytes },
    signal,
  };
  const answer = await session.ask(wish);
  await drain(answer).catch(() => undefined); // the status says enough
  if (answer.status !== 201) throw storingError(answer, move.final);
};

const plainHeaders = ["content-type", "content-disposition", "content-encoding", "cache-control", "expires"];

/** Converts a job's attributes to the service's headers. Throws `definition` for unknown ones. */
const headersOf = ({ attributes = [] }: ObjectOptions = {}): Record<string, string> =>
  Object.fromEntries(
    attributes.map(({ name, value }) => {
      const plain = name.toLowerCase().replace(/^(content|cache)-?/, "$1-");
      if (plainHeaders.includes(plain)) return [plain, value];
      const meta = /^(?:x-amz-meta-|x-object-meta-)(.+)$/.exec(name.toLowerCase())?.[1];
      if (meta !== undefined) return [`x-object-meta-${meta}`, value];
      throw definitionError(`attributes: objects of Swift have no attribute "${name}"`);
    }),
  );
