import type { Performer } from "./step.ts";

/** Keeps a result that the plan knew already. */
export const performKnown: Performer<"known"> = async ({ id, result }, { keepResult }) => {
  keepResult(id, result);
  return undefined;
};
