import type { Watches } from "../watch/watches.ts";
import type { NodeRequests } from "./node-requests.ts";

export type Files = Watches & { readonly nodeRequests: NodeRequests; readonly sweeper: Sweeper };

export type Sweeper = {
  /** Begins, if it is time to; nobody waits for it. */
  readonly look: () => void;
  /** A job was deleted: there may be something to remove now. */
  readonly soon: () => void;
};
