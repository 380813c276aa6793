import { TaskError } from "../../causes.ts";
import type { Plan, PlanContext } from "../element.ts";
import type { CopyPayload } from "./schema.ts";

/** One task copies all that came in. */
export const planCopy = ({ uid, payload, inputs }: PlanContext<CopyPayload>): Plan<null> => {
  const { options } = payload;
  const notYet = Object.entries({
    delete_sources: options.delete_sources,
    delete_source_on_completion: options.delete_source_on_completion,
    restore_from_glacier: options.restore_from_glacier,
    throttle_byte_per_sec: options.throttle_byte_per_sec !== undefined,
    "multi_source_mode: concatenate": options.multi_source_mode === "concatenate",
  }).find(([, wanted]) => wanted);
  if (notYet) throw new TaskError("capability", `${uid}.payload.options.${notYet[0]} is not implemented yet`);
  if (inputs.length === 0) throw new TaskError("definition", `${uid} has nothing to copy: no element feeds it`);
  return { tasks: [{ uid, name: uid, requires: [], weight: "light", detail: null }] };
};
