import { elementOf } from "../../shared/elements/index.ts";
import type { ElementSpec } from "../../shared/job.ts";
import { redact } from "../../shared/redact.ts";
import { type ResolvedElement, valuesOf } from "../../shared/resolved.ts";
import type { Farm } from "./farm.ts";
import { openPayload, openText } from "./sealed.ts";

/** The final values of a job's elements, without credentials. */
export const resolvedOf = async (farm: Farm, jobId: number): Promise<ResolvedElement[]> => {
  const [text, specs] = await Promise.all([farm.store.jobs.definition(jobId), farm.store.jobs.specs(jobId)]);
  const sent = text === undefined ? new Map() : sentPayloads(JSON.parse(openText(farm.vault, text)));
  return specs.map((spec) => resolvedElementOf(farm, spec, sent.get(spec.uid)));
};

const resolvedElementOf = (farm: Farm, spec: ElementSpec, sent: unknown): ResolvedElement => {
  const filled = openPayload(farm.vault, spec.payload);
  const parsed = elementOf(spec.kind)?.payload.safeParse(filled);
  const whole = parsed?.success ? parsed.data : filled;
  const values = valuesOf({ sent: redact(sent), filled: redact(filled), whole: redact(whole) });
  return { uid: spec.uid, kind: spec.kind, ...values };
};

type Sent = { readonly payload?: { readonly elements?: unknown } };

/** The payloads of a submission as they were written, by the uid of their element. */
const sentPayloads = ({ payload }: Sent): ReadonlyMap<string, unknown> => {
  const elements = Array.isArray(payload?.elements) ? payload.elements : [];
  return new Map(elements.flatMap((each) => (each?.uid === undefined ? [] : [[String(each.uid), each.payload]])));
};
