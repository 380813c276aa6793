import { elementOf } from "../../media/elements/index.ts";
import { type ResolvedElement, valuesOf } from "../../shared/api/resolved.ts";
import { redact } from "../../shared/credentials/redact.ts";
import type { ElementSpec } from "../../shared/model/job.ts";
import { openPayload, openText } from "../secrets/sealing.ts";
import type { Secrets } from "../secrets/secrets.ts";

type Parts = Pick<Secrets, "store" | "vault">;

/** The final values of a job's elements, without credentials. */
export const resolveElements = async (farm: Parts, jobId: number): Promise<ResolvedElement[]> => {
  const made = await farm.store.load.row("definitions", jobId);
  if (!made) return [];
  const sent = sentPayloads(JSON.parse(openText(farm.vault, made.definition)));
  return made.elements.map((spec) => resolvedElementOf(farm, spec, sent.get(spec.uid)));
};

const resolvedElementOf = (farm: Parts, spec: ElementSpec, sent: unknown): ResolvedElement => {
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
