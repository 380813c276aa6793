import type { PathFlavour } from "../shared/location.ts";
import { resolveUri } from "../shared/mounts.ts";
import type { Mount } from "../shared/protocol.ts";
import type { Checkpoint } from "./checkpoint.ts";
import { createPathResolver, type PathResolver } from "./path-resolver.ts";
import { createPublisher, type Publisher } from "./publish.ts";
import { createRoots } from "./roots.ts";
import { openStorages, type Providers, type StorageOf } from "./storage/index.ts";

/**
 * The node's storage as one attempt sees it: with the mounts it started with. Changing a mount meanwhile makes it
 * neither fail nor publish elsewhere.
 */
export type StorageView = {
  readonly mounts: readonly Mount[];
  readonly resolver: PathResolver;
  readonly storageOf: StorageOf;
  readonly publisher: Publisher;
};

/** Uses these mounts. Default: the current ones. */
export type StorageViewOf = (mounts?: readonly Mount[]) => StorageView;

export type StorageViewNeeds = {
  /** Folders that jobs may use, in addition to those of mounts. */
  readonly roots: readonly string[];
  readonly current: () => readonly Mount[];
  readonly flavour: PathFlavour;
  readonly providers: Providers;
  readonly checkpoint: Checkpoint;
};

export const createStorageViews =
  ({ roots: folders, current, flavour, providers, checkpoint }: StorageViewNeeds): StorageViewOf =>
  (mounts = current()) => {
    const locate = (uri: string): string => resolveUri(uri, mounts, flavour);
    const roots = createRoots(folders, () => mounts);
    const storageOf = openStorages({ mounts, providers, locate, roots, checkpoint });
    const resolver = createPathResolver({ locate, roots, storageOf });
    return { mounts, resolver, storageOf, publisher: createPublisher(storageOf) };
  };
