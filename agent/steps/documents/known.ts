import type { Performer } from "../step.ts";

/** Stores a result that the plan already knew. */
export const performKnown: Performer<"known"> = async ({ id, result }, { keepResult }) => {
  keepResult(id, result);
};
