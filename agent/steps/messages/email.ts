import type { Receipt } from "../../../media/results/receipt.ts";
import { capabilityError } from "../../../shared/model/failure.ts";
import type { Performer } from "../step.ts";

export const performEmail: Performer<"email"> = async (step, { services, signal, log, keepResult }) => {
  const { id, recipients, subject, body, key } = step;
  if (!services.sendMail) throw capabilityError("This node has no mail server: its operator names none");
  log.line(`mail "${subject}" to ${recipients.length} recipients`);
  const { accepted, status, answer } = await services.sendMail({ recipients, subject, body, key, signal });
  log.line(`taken for ${accepted.length}: ${answer}`);
  const receiver = accepted.join(", ").slice(0, 4000);
  const value: Receipt = { method: "email", receiver, status, answer: answer.slice(0, 2000), key };
  keepResult(id, { kind: "receipt", value });
};
