import { reachNeeds } from "../../shared/reach.ts";
import type { Work } from "../../shared/work.ts";
import type { Farm } from "./farm.ts";

/** What the task's addresses require of a node. */
export const reachNeedsOf = ({ registry }: Farm, work: Work): string[] => reachNeeds(work, registry.reach());
