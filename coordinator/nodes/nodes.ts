import type { Kernel } from "../kernel/kernel.ts";
import type { Live } from "../live/live.ts";
import type { Queues } from "../schedule/queues.ts";
import type { DowntimeLog } from "./downtimes.ts";
import type { FileLocations } from "./file-locations.ts";
import type { HealthRecord } from "./health/health-record.ts";
import type { Registry } from "./registry.ts";

/** What is known of the nodes. */
export type Nodes = Kernel &
  Queues &
  Live & {
    readonly registry: Registry;
    readonly health: HealthRecord;
    /** When nodes took no work. */
    readonly downtimes: DowntimeLog;
    /** Which nodes made or fetched which files. */
    readonly fileLocations: FileLocations;
    /** Takes over what somebody changed in the store: mounts, and the vault's entries. */
    readonly refreshRecords: () => Promise<void>;
  };
