import type { Clock } from "../../shared/basics/clock.ts";
import { toRevealedJson } from "../../shared/basics/secret.ts";
import { type Key, keyFor } from "../../shared/credentials/credentials.ts";
import type { PathFlavour } from "../../shared/files/location.ts";
import { type Mount, resolveUri } from "../../shared/files/mounts.ts";
import type { Cache } from "../cache/index.ts";
import type { Checkpoint } from "../checkpoint.ts";
import { defaultPatienceSec } from "../config.ts";
import type { ReadForeign } from "../foreign/pool.ts";
import type { Guard } from "../outbound/guard.ts";
import { noOpenFiles, type OpenFiles, type OpenFilesFactory } from "../roots/open-files.ts";
import { prepareRoots, type Roots } from "../roots/roots.ts";
import type { HostKeys } from "../storage/host-keys.ts";
import { openStorages, type Providers, type StorageOf } from "../storage/index.ts";
import { createKeys } from "../storage/keys.ts";
import { createPublisher, type Publisher } from "../storage/publish.ts";
import { createPatience, type Patience } from "../storage/retry.ts";
import { createOpenOutput } from "./open-output.ts";
import { createPathResolver, type PathResolver } from "./path-resolver.ts";
import type { ResolvedOutput } from "./resolved-paths.ts";

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
  /** The text as people may read it: with names instead of the paths of held files, and without secrets. */
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
  readonly read: ReadForeign;
  readonly patience?: Patience;
  readonly holder?: OpenFilesFactory;
};

export const createStorageViews = ({
  roots: folders,
  own,
  current,
  flavour,
  cache,
  holder = noOpenFiles,
  patience = createPatience(defaultPatienceSec),
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
    const keys = createKeys(secrets);
    const storageOf = openStorages({ ...needs, patience, mounts, locate, roots, keys });
    const user = String(++views);
    const keyringOf = (uri: string): string => toRevealedJson(keyFor(uri, secrets) ?? null);
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
      named: (text) => keys.hide(holds.named(text)),
      open,
      release,
    };
  };
};

const keepingFolders = (roots: Roots, holds: OpenFiles): Roots => ({
  ...roots,
  openFolder: (path) => holds.folder(path, () => roots.openFolder(path)),
});
