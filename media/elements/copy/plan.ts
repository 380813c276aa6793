import { capabilityError, definitionError } from "../../../shared/model/failure.ts";
import type { Plan, PlanContext } from "../element.ts";
import type { CopyPayload } from "./schema.ts";

/** One task copies all inputs. */
export const planCopy = ({ uid, payload, inputs }: PlanContext<CopyPayload>): Plan<null> => {
  if (payload.options.restore_from_glacier) {
    const what = `${uid}.payload.options.restore_from_glacier`;
    throw capabilityError(`${what} is not implemented: this farm cannot restore archives`);
  }
  if (inputs.length === 0) throw definitionError(`${uid} has nothing to copy: no element feeds it`);
  const images = inputs.flatMap(({ files }) => files).find((file) => file.images);
  if (images) throw capabilityError(`${uid}: copies of image sequences are not implemented: ${images.uri}`);
  return { tasks: [{ uid, name: uid, requires: [], weight: "light", detail: null }] };
};
