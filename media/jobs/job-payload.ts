import { z } from "zod";
import { taskOptions, uidText } from "../../shared/model/job.ts";
import { elementKinds, elements } from "../elements/index.ts";

const element = z.looseObject({
  uid: uidText,
  kind: z.enum([...elementKinds]),
  name: z.string().max(2000).optional(),
  task: taskOptions.optional(),
  preset: z.looseObject({ key: z.string().max(200).optional() }).optional(),
  payload: z.looseObject({}).default({}),
});

const uids = z.array(z.looseObject({ element: z.string() })).max(10_000);

const connection = z.looseObject({
  from: uids.min(1),
  to: z.looseObject({ success: uids.default([]), error: uids.default([]) }),
});
const connections = z.array(connection).max(10_000).default([]);

/** A job's payload, without the elements' own payloads. */
export const jobPayload = z.looseObject({ elements: z.array(element).min(1).max(10_000), connections });

/** A job's whole payload: the allowed fields of an element depend on its kind. */
export const wholePayload = z.looseObject({ elements: z.array(anyElement()).min(1).max(10_000), connections });

function anyElement() {
  const [first, ...rest] = elements.map(({ kind, payload }) =>
    element.extend({ kind: z.literal(kind), payload: payload.prefault({}) }),
  );
  if (!first) throw new Error("there is no kind of element");
  return z.discriminatedUnion("kind", [first, ...rest]);
}
