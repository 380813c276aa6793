import { unknownPlaceholders } from "../../../shared/texts/message-text.ts";
import type { Work } from "../../../shared/work/work.ts";
import { defineElement, type PlanContext } from "../element.ts";
import { snsStep, sqsStep } from "./aws.ts";
import { emailStep } from "./email.ts";
import { restStep } from "./rest.ts";
import { type NotifyMethod, type NotifyPayload, notifyPayload } from "./schema.ts";
import { messageValues } from "./values.ts";

/** How each method sends, and what a node needs for it. */
const methods = {
  email: { step: emailStep, requires: "email" },
  rest: { step: restStep, requires: "request" },
  sns: { step: snsStep, requires: "request" },
  sqs: { step: sqsStep, requires: "request" },
} as const satisfies Record<NotifyMethod, unknown>;

export const notify = defineElement({
  kind: "notify",
  title: "Notify",
  effort: 1,
  passesInputs: true,
  payload: notifyPayload,
  plan: ({ uid, payload }) => ({
    tasks: [{ uid, name: uid, requires: [methods[payload.notify_method].requires], weight: "light", detail: null }],
  }),
  compile: (_task, context) => compileNotify(context),
});

const compileNotify = (context: PlanContext<NotifyPayload>): Work => {
  const { payload } = context;
  const values = messageValues(context);
  const notes = unknownPlaceholders(JSON.stringify(payload[payload.notify_method] ?? {}), values).map(
    (name) => `${name} is not a placeholder of notifications and stays unchanged`,
  );
  const step = methods[payload.notify_method].step(context, values);
  return { assets: {}, outputs: {}, steps: [step], ...(notes.length > 0 && { notes: notes.slice(0, 20) }) };
};
