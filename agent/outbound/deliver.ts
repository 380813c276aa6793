import type { Clock } from "../../shared/basics/clock.ts";
import { TaskError } from "../../shared/model/failure.ts";
import type { Deliver } from "../../shared/outbound/delivery.ts";
import { parseRule, usualRules } from "../../shared/outbound/rules.ts";
import { createGuard } from "./guard.ts";
import { createSend } from "./request.ts";

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
        return (await createSendMail({ server, from })({ recipients, subject, body, key, signal })).answer;
      }
      const guard = createGuard(() => [...usualRules, ...way.rules].flatMap((text) => parseRule(text) ?? []));
      const { url, headers, body } = way;
      const answer = await createSend(guard, clock)({ method: "POST", url, headers, body, signal });
      if (answer.status < 200 || answer.status > 299)
        throw new TaskError("receiver", `${answer.from} answered ${answer.status}: ${answer.body.slice(0, 200)}`);
      return `${answer.from} answered ${answer.status}`;
    } finally {
      stop();
    }
  };
