import type { Clock } from "../shared/clock.ts";
import { type Key, keyFor } from "../shared/credentials.ts";
import type { PathFlavour } from "../shared/location.ts";
import { resolveUri } from "../shared/mounts.ts";
import type { Mount } from "../shared/protocol.ts";
import type { Cache } from "./cache/index.ts";
import type { Checkpoint } from "./checkpoint.ts";
import { type Holder, type Holds, noHolder } from "./holds.ts";
import { createOpenOutput } from "./open-output.ts";
import type { Guard } from "./outbound/guard.ts";
import { createPathResolver, type PathResolver, type ResolvedOutput } from "./path-resolver.ts";
import { createPublisher, type Publisher } from "./publish.ts";
import { prepareRoots, type Roots } from "./roots.ts";
import type { HostKeys } from "./storage/host-keys.ts";
import { openStorages, type Providers, type StorageOf } from "./storage/index.ts";
import { keysOf } from "./storage/keys.ts";
import { defaultPatienceSec, type Patience, patienceOf } from "./storage/retry.ts";

/**
 * The node's storage as one attempt sees it, with the mounts it started with. If a mount changes meanwhile, the attempt
 * neither fails nor publishes elsewhere.
 */
export type StorageView = {
  readonly mounts: readonly Mount[];
  /** How long servers that do not answer are tried again. */
  readonly patience: Patience;
  readonly resolver: PathResolver;
  readonly storageOf: StorageOf;
  readonly publisher: Publisher;
  /** The text with the paths of held files replaced by their names. */
  named(text: string): string;
  /** Where programs write the output: into the folder that was checked, whatever takes its name meanwhile. */
  open(place: ResolvedOutput): Promise<ResolvedOutput>;
  /** The attempt is over: copies of remote files that it read may be evicted, and what it kept open is closed. */
  release(): Promise<void>;
};

/** Without mounts, the present ones are used. */
export type StorageViewOf = (wish?: ViewWish) => StorageView;

type ViewWish = {
  readonly mounts?: readonly Mount[] | undefined;
  /** Credentials of remote storage; never written to disk. */
  readonly secrets?: readonly Key[] | undefined;
};

export type StorageViewNeeds = {
  /** Folders that jobs may use, in addition to those of mounts. */
  readonly roots: readonly string[];
  /** Mediafarm's own folders: never for jobs. */
  readonly own: readonly string[];
  readonly current: () => readonly Mount[];
  readonly flavour: PathFlavour;
  readonly providers: Providers;
  readonly checkpoint: Checkpoint;
  readonly hostKeys: HostKeys;
  readonly guard: Guard;
  readonly cache: Cache;
  readonly clock: Clock;
  readonly patience?: Patience;
  readonly holder?: Holder;
};

export const createStorageViews = ({
  roots: folders,
  own,
  current,
  flavour,
  cache,
  holder = noHolder,
  patience = patienceOf(defaultPatienceSec),
  ...needs
}: StorageViewNeeds): StorageViewOf => {
  let views = 0;
  const rootsOf = prepareRoots(folders, own);
  return ({ mounts = current(), secrets = [] } = {}) => {
    const locate = (uri: string): string => resolveUri(uri, mounts, flavour);
    const holds = holder.begin();
    const roots = keepingFolders(
      rootsOf(() => mounts),
      holds,
    );
    const storageOf = openStorages({ ...needs, patience, mounts, locate, roots, keys: keysOf(secrets) });
    const user = String(++views);
    const keyringOf = (uri: string): string => JSON.stringify(keyFor(uri, secrets) ?? null);
    const resolver = createPathResolver({ locate, roots, storageOf, cache, keyringOf, holds, user });
    const release = (): Promise<void> => {
      cache.release(user);
      return holds.release();
    };
    const open = createOpenOutput(roots, holds);
    return {
      mounts,
      patience,
      resolver,
      storageOf,
      publisher: createPublisher(storageOf),
      named: holds.named,
      open,
      release,
    };
  };
};

const keepingFolders = (roots: Roots, holds: Holds): Roots => ({
  ...roots,
  openFolder: (path) => holds.folder(path, () => roots.openFolder(path)),
});
