import { attempts } from "./attempts.ts";
import { counts } from "./counts.ts";
import type { Invariant } from "./invariant.ts";
import { leading } from "./leading.ts";
import { order } from "./order.ts";
import { owners } from "./owners.ts";
import { publishing } from "./publishing.ts";
import { requests } from "./requests.ts";
import { secrets } from "./secrets.ts";
import { slots } from "./slots.ts";
import { store } from "./store.ts";
import { told } from "./told.ts";
import { watching } from "./watching.ts";

/** What must hold whatever happens. */
export const invariants: readonly Invariant[] = [
  ...requests,
  ...publishing,
  ...attempts,
  ...told,
  ...store,
  ...slots,
  ...order,
  ...counts,
  ...watching,
  ...owners,
  ...secrets,
  ...leading,
];
