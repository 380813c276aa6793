import { TaskError } from "../../shared/model/failure.ts";
import { type AgentMessage, agentMessage, maxMessageBytes, type Report } from "../../shared/protocol/messages.ts";

/**
 * Why the coordinator would refuse a message, or undefined. A refused message would be sent again after every
 * reconnection and keep all later ones from arriving.
 */
const invalidMessage = (message: AgentMessage): string | undefined => {
  const bytes = Buffer.byteLength(JSON.stringify(message));
  if (bytes > maxMessageBytes) return `it has ${bytes} bytes, and ${maxMessageBytes} are the limit`;
  const [issue] = agentMessage.safeParse(message).error?.issues ?? [];
  return issue && `${issue.path.join(".").slice(0, 500)}: ${issue.message.slice(0, 500)}`;
};

/** Throws TaskError `media` if the coordinator would refuse the message. */
export const refuseInvalidMessage = (message: AgentMessage): void => {
  const why = invalidMessage(message);
  if (why !== undefined) throw new TaskError("media", wordsOf(why));
};

/** The report, or the report of a failure with a message if the coordinator would refuse it. */
export const acceptableReport = (report: Report): Report => {
  const why = invalidMessage({ type: "report", report });
  if (why === undefined) return report;
  const { fence, taskId, outcome, log } = report;
  // The message of a failure is kept if it is the part that fits.
  const message = outcome.outcome === "failed" ? outcome.failure.message.slice(0, 4000) : wordsOf(why);
  const cause = outcome.outcome === "failed" ? outcome.failure.cause : "media";
  return {
    fence,
    taskId,
    outcome: { outcome: "failed", failure: { cause, message } },
    stats: { wallMs: Math.max(0, report.stats.wallMs) },
    log: log.slice(-maxLogCharacters),
  };
};

const maxLogCharacters = 100_000;

const wordsOf = (why: string): string => `The result of this task does not fit in a message to the coordinator: ${why}`;
