import { passThrough } from "../../../agent/checkpoint.ts";
import type { Guard } from "../../../agent/outbound/guard.ts";
import type { HostKeys } from "../../../agent/storage/host-keys.ts";
import { openStorages, type Providers, providers } from "../../../agent/storage/index.ts";
import { createKeys } from "../../../agent/storage/keys.ts";
import { createPatience } from "../../../agent/storage/retry.ts";
import type { Storage } from "../../../agent/storage/storage.ts";
import { systemClock } from "../../../shared/basics/system-clock.ts";
import { credential as read, type WrittenCredential } from "../../../shared/credentials/credentials.ts";
import { loopbackGuard } from "./open-guard.ts";
import { readForeign } from "./read-foreign.ts";

type Wish = {
  readonly credential?: WrittenCredential | undefined;
  readonly hostKeys?: HostKeys;
  readonly guard?: Guard;
  readonly providers?: Providers;
};

/** The storage of a folder, opened as an agent opens it. */
export const openFolder = (
  folder: string,
  { credential, hostKeys, guard = loopbackGuard, providers: known = providers }: Wish = {},
): Storage =>
  openStorages({
    ...{ mounts: [], providers: known, checkpoint: passThrough, clock: systemClock, patience: createPatience(30) },
    read: readForeign,
    locate: (uri) => uri,
    roots: {} as never, // no file of this node is asked for
    keys: createKeys(credential ? [{ prefix: folder, credential: read.parse(credential) }] : []),
    guard,
    hostKeys: hostKeys ?? { check: async () => "new" as const },
  })(folder);

export const bytesAt = async (storage: Storage, uri: string, from = 0, length?: number): Promise<Buffer> => {
  const parts: Uint8Array[] = [];
  const range = length === undefined ? { from } : { from, length };
  for await (const part of storage.read(uri, range, new AbortController().signal)) parts.push(Buffer.from(part));
  return Buffer.concat(parts);
};
