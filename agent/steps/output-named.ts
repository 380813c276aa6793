import { TaskError } from "../../shared/causes.ts";
import type { ResolvedOutput } from "../path-resolver.ts";
import type { StepContext } from "./step.ts";

/** The output that a step names. Throws TaskError if the task does not have it. */
export const outputNamed = (id: string, { paths }: Pick<StepContext, "paths">): ResolvedOutput => {
  const output = paths.outputs.get(id);
  if (output) return output;
  throw new TaskError("definition", `A step names output ${id}, which the task does not have`);
};
