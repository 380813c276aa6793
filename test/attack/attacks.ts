import type { Attack } from "./attack.ts";
import { exchanges } from "./exchanges.ts";

/** Everything that is tried against a farm. */
export const attacks: readonly Attack[] = [exchanges];
