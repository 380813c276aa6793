import type { Clock } from "../../shared/basics/clock.ts";
import { TaskError } from "../../shared/model/failure.ts";
import type { Ask } from "../../shared/outbound/ask.ts";
import { parseRule, usualRules } from "../../shared/outbound/rules.ts";
import { createGuard } from "./guard.ts";
import { createSend, type OutboundLimits } from "./request.ts";

/** What an identity provider has to say is a few kilobytes, and a person waits for it. */
export const askLimits: OutboundLimits = { timeMs: 10_000, answerBytes: 512 * 1024, redirects: 0 };

/** Asks for the farm itself, behind the guard that jobs' requests pass, and within limits of time and size. */
export const createAsk =
  (clock: Clock): Ask =>
  async ({ rules, ...request }) => {
    const guard = createGuard(() => [...usualRules, ...rules].flatMap((text) => parseRule(text) ?? []));
    const answer = await createSend(guard, clock, askLimits)({ ...request, signal: new AbortController().signal });
    const { status, type, body, isCut, from } = answer;
    if (isCut) throw new TaskError("receiver", `${from} answers more than ${askLimits.answerBytes / 1024} kB`);
    if (status >= 300 && status <= 399)
      throw new TaskError(
        "receiver",
        `${from} answers with a redirect, which is not followed: name the address itself`,
      );
    return { status, type, body };
  };
