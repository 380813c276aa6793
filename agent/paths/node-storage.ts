import type { Clock } from "../shared/clock.ts";
import { openCache } from "./cache/index.ts";
import type { Checkpoint } from "./checkpoint.ts";
import type { AgentConfig } from "./config.ts";
import { flavour } from "./flavour.ts";
import type { Holder } from "./holds.ts";
import type { Log } from "./log.ts";
import { openMountTable } from "./mount-table.ts";
import type { Guard } from "./outbound/guard.ts";
import { openHostKeys } from "./storage/host-keys.ts";
import type { Providers } from "./storage/index.ts";
import { patienceOf } from "./storage/retry.ts";
import { createStorageViews } from "./storage-view.ts";
import type { Workdir } from "./workdir.ts";

type AgentStorageNeeds = {
  readonly workdir: Workdir;
  readonly farmId: string;
  readonly providers: Providers;
  readonly guard: Guard;
  readonly holder: Holder;
  readonly checkpoint: Checkpoint;
  readonly clock: Clock;
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
    patience: patienceOf(config.storagePatienceSec),
    hostKeys: openHostKeys(workdir.hostKeys),
  });
  return { mounts, cache, viewOf };
};
