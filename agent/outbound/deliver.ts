import type { Clock } from "../../shared/basics/clock.ts";
import { secretsOfRequest, withoutSecrets } from "../../shared/credentials/secrets-of-request.ts";
import type { Deliver, Receipt } from "../../shared/outbound/delivery.ts";
import { parseRule, usualRules } from "../../shared/outbound/rules.ts";
import { createGuard } from "./guard.ts";
import { createSend, type OutboundAnswer, usualLimits } from "./request.ts";

const longestMs = 60_000;

/**
 * Delivers messages of the farm itself, as nodes deliver those of jobs: requests pass the same guard. The mail server is one
 * that an owner named, as its operator names that of a node.
 */
export const createDeliver =
  (clock: Clock): Deliver =>
  async ({ key, way }, ending) => {
    const late = new AbortController();
    const stop = clock.after(longestMs, () => late.abort(new Error(`No answer within ${longestMs / 1000} s`)));
    const signal = AbortSignal.any([ending, late.signal]);
    try {
      if (way.by === "mail") {
        const { server, from, recipients, subject, body } = way;
        const { createSendMail } = await import("./mail.ts"); // few farms send mail
        const { answer } = await createSendMail({ server, from })({ recipients, subject, body, key, signal });
        return { isTaken: true, status: null, answer };
      }
      const guard = createGuard(() => [...usualRules, ...way.rules].flatMap((text) => parseRule(text) ?? []));
      const { url, headers, body } = way;
      const send = createSend(guard, clock, { ...usualLimits, redirects: 0 });
      const answer = await send({ method: "POST", url, headers, body, signal });
      return receiptOf(answer, secretsOfRequest(url, headers));
    } finally {
      stop();
    }
  };

/** A receiver's words without what it was sent as a secret: hidden before they are cut, as half a key is not found. */
const receiptOf = ({ status, from, body, retryAfterMs }: OutboundAnswer, secrets: readonly string[]): Receipt => {
  const answered = `${from} answered ${status}`;
  if (status >= 200 && status <= 299) return { isTaken: true, status, answer: answered };
  const isElsewhere = status >= 300 && status <= 399;
  const why = isElsewhere
    ? "redirects are not followed: name the address where it is now"
    : withoutSecrets(body, secrets).slice(0, 200);
  const asksToWait = (status === 429 || status === 503) && retryAfterMs > 0;
  return { isTaken: false, status, answer: `${answered}: ${why}`, ...(asksToWait && { retryAfterMs }) };
};
