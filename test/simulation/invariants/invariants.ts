import { attempts } from "./attempts.ts";
import type { Invariant } from "./invariant.ts";
import { leading } from "./leading.ts";
import { publishing } from "./publishing.ts";
import { requests } from "./requests.ts";
import { slots } from "./slots.ts";
import { store } from "./store.ts";

/** What must hold whatever happens. */
export const invariants: readonly Invariant[] = [
  ...requests,
  ...publishing,
  ...attempts,
  ...store,
  ...slots,
  ...leading,
];
