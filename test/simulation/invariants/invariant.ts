import type { Farm } from "../../../coordinator/farm.ts";
import type { Batch } from "../../../coordinator/store/batch.ts";
import type { AgentMessage, CoordinatorMessage } from "../../../shared/protocol/messages.ts";
import type { Volume } from "../system/volume.ts";
import type { Machine } from "../world/machine.ts";
import type { Sent } from "../world/people.ts";
import type { StoreServer } from "../world/store-server.ts";
import type { Choice, OpenTurn } from "../world/turns.ts";

/** What the checks may look at; no machine of the farm sees so much. */
export type Seen = {
  readonly now: () => number;
  readonly share: Volume;
  readonly coordinators: readonly Machine[];
  /** On whose disk the store lies. */
  readonly storeAt: Machine;
  readonly agents: readonly Machine[];
  /** The coordinators that lead, or think so. */
  readonly acting: () => readonly Machine[];
  readonly sent: () => readonly Sent[];
  readonly commitWaitMs: number;
  /** Whether some machine did not always see the present state of the share. */
  readonly isViewLate: () => boolean;
  /** Nothing is wrong with the machine's disk, nor with the share. */
  readonly isDiskCalm: (machine: Machine) => boolean;
  /** Turns of jobs whose claims are under way at the coordinator that leads. */
  readonly openTurns: () => readonly OpenTurn[];
  /** How many tasks of a tag people let run. */
  readonly limits: () => ReadonlyMap<string, number>;
  /** What only its owner may know. */
  readonly secrets: () => ReadonlySet<string>;
  /** What several coordinators share. */
  readonly leading?: (Pick<StoreServer, "lease" | "linkOf"> & { readonly isCalm: () => boolean }) | undefined;
  /** The farm of the coordinator that leads, if one does. */
  readonly farm: () => Farm | undefined;
};

/** A check of one invariant: what it looks at as it happens, and at the end. Each text it returns is a violation. */
export type Check = {
  /** A message leaves for the other side. */
  readonly said?: (node: string, message: AgentMessage | CoordinatorMessage, text: string) => readonly string[];
  /** A node takes what a coordinator said. */
  readonly heard?: (node: string, message: CoordinatorMessage) => readonly string[];
  /** A coordinator takes what this node said. */
  readonly heardFrom?: (node: string) => readonly string[];
  /** A program of this machine starts another one. */
  readonly started?: (machine: Machine, program: string, args: readonly string[]) => readonly string[];
  /** A node is given a task. */
  readonly chosen?: (farm: Farm, choice: Choice) => readonly string[];
  /** The turns of jobs whose claims are under way. */
  readonly turns?: (open: readonly OpenTurn[]) => readonly string[];
  /** Programs see other bytes, or bytes under another name, on the share from now on. */
  readonly shown?: (path: string, bytes: Buffer) => readonly string[];
  /** A message leaves from the coordinator at this address. */
  readonly told?: (host: string, message: CoordinatorMessage) => readonly string[];
  /** A batch of this coordinator is durable from now on. */
  readonly written?: (batch: Batch, by: Machine) => readonly string[];
  /** A coordinator has begun to lead. */
  readonly led?: (by: Machine, farm: Farm) => readonly string[];
  /** A coordinator has given the lead away, and begins anew. */
  readonly gave?: (by: Machine) => readonly string[];
  /** Asked every quarter of a second where there are several coordinators. */
  readonly passed?: () => readonly string[];
  /** Everything decided about these jobs is durable. */
  readonly settled?: (farm: Farm, jobs: readonly number[]) => readonly string[];
  /** Everything is healed and has had its time. */
  readonly ended?: () => readonly string[];
};

/** What must hold whatever happens. `says` is printed in docs/guarantees.md. */
export type Invariant = { readonly name: string; readonly says: string; readonly check: (seen: Seen) => Check };
