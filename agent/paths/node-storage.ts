import type { Clock } from "../../shared/basics/clock.ts";
import { openCache } from "../cache/index.ts";
import type { Checkpoint } from "../checkpoint.ts";
import type { AgentConfig } from "../config.ts";
import type { Workdir } from "../disk/workdir.ts";
import type { ReadForeign } from "../foreign/pool.ts";
import type { Log } from "../log.ts";
import type { Guard } from "../outbound/guard.ts";
import type { OpenFilesFactory } from "../roots/open-files.ts";
import { openHostKeys } from "../storage/host-keys.ts";
import type { Providers } from "../storage/index.ts";
import { createPatience } from "../storage/retry.ts";
import { flavour } from "./flavour.ts";
import { openMountTable } from "./mounts.ts";
import { createStorageViews } from "./storage-view.ts";

type AgentStorageNeeds = {
  readonly workdir: Workdir;
  readonly farmId: string;
  readonly providers: Providers;
  readonly guard: Guard;
  readonly holder: OpenFilesFactory;
  readonly checkpoint: Checkpoint;
  readonly clock: Clock;
  readonly read: ReadForeign;
  readonly log: Log;
};

/** The storage of this node: its mounts, its cache of remote files, and views for attempts. */
export const openAgentStorage = async (config: AgentConfig, needs: AgentStorageNeeds) => {
  const { workdir, farmId, clock, log, ...rest } = needs;
  const own = config.mounts;
  const mounts = await openMountTable({ path: workdir.mounts, farmId, own, flavour, log });
  const cache = await openCache({ folder: workdir.cache, limit: () => config.cacheBytes, clock });
  const viewOf = createStorageViews({
    ...{ ...rest, flavour, cache, clock },
    roots: config.roots,
    own: config.ownDirs,
    current: mounts.current,
    patience: createPatience(config.storagePatienceSec),
    hostKeys: openHostKeys(workdir.hostKeys),
  });
  return { mounts, cache, viewOf };
};
