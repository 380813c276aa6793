import { capabilityError, definitionError } from "../../../shared/model/failure.ts";
import { fillLine, fillText, type MessageValues } from "../../../shared/texts/message-text.ts";
import type { StepOf } from "../../../shared/work/work.ts";
import type { PlanContext } from "../element.ts";
import type { NotifyPayload } from "./schema.ts";
import { keyOf, statusOf } from "./values.ts";

/** One mail to all recipients. */
export const emailStep = (context: PlanContext<NotifyPayload>, values: MessageValues): StepOf<"email"> => {
  const { uid, payload, job } = context;
  const { email } = payload;
  if (!email?.recipients) throw definitionError(`${uid}.payload.email.recipients is missing`);
  if (/\{account_owner_email\}/i.test(email.recipients) && job.ownerEmail === undefined) {
    const remedy = "its operator names one with --owner-email";
    throw capabilityError(`{account_owner_email}: this farm does not know its owner's address; ${remedy}`);
  }
  return {
    ...{ do: "email", id: "notify", key: keyOf(context) },
    recipients: recipientsOf(fillLine(email.recipients, values), `${uid}.payload.email.recipients`),
    subject: fillLine(email.subject ?? "Job {job_id} ({job_name}): {status}", values).slice(0, 1000),
    body: fillText(email.body ?? usualBody(context), values).slice(0, 128_000),
  };
};

const usualBody = (context: PlanContext<unknown>): string =>
  [
    "Job {job_id}, {job_name}",
    `{source_name} is ${statusOf(context)}.`,
    ...(statusOf(context) === "failed" ? ["", "{failed_element}: {error}"] : []),
    "",
  ].join("\n");

/** Only addresses, separated by commas or semicolons: a display name could inject headers. */
const recipientsOf = (text: string, what: string): string[] => {
  const list = text
    .split(/[,;]/)
    .map((word) => word.trim())
    .filter(Boolean);
  const wrong = list.find((word) => !/^[^\s@<>"(),:;\\[\]]{1,64}@[^\s@<>"(),:;\\]{1,255}$/.test(word));
  if (wrong !== undefined) throw definitionError(`${what}: "${wrong.slice(0, 320)}" is not an e-mail address`);
  if (list.length === 0) throw definitionError(`${what} contains no address`);
  if (list.length > 100) throw definitionError(`${what} names ${list.length} addresses, but at most 100 are allowed`);
  return list;
};
