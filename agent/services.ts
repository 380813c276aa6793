import type { Clock } from "../shared/clock.ts";
import { parseMailServer } from "../shared/outbound/mail-server.ts";
import { parseRule, usualRules } from "../shared/outbound/rules.ts";
import type { AgentConfig } from "./config.ts";
import { createRunScript, type RunScript } from "./javascript/run.ts";
import { createGuard } from "./outbound/guard.ts";
import { createSendMail, type SendMail } from "./outbound/mail.ts";
import { createSend, type Send } from "./outbound/request.ts";

/** What steps use beside files and media tools: ways to tell others, and to run what jobs bring along. */
export type Services = {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly send: Send;
  /** Absent where the operator named no mail server. */
  readonly sendMail?: SendMail;
  readonly runScript: RunScript;
};

/** The services of a node, and the capabilities that tasks find them by. */
export const openServices = (
  { allowOutbound, smtpUrl, mailFrom }: AgentConfig,
  clock: Clock,
): { readonly services: Services; readonly capabilities: readonly string[] } => {
  const rules = allowOutbound?.map(parseRule).filter((rule) => rule !== undefined) ?? usualRules;
  const send = createSend(createGuard(rules), clock);
  const server = smtpUrl === undefined ? undefined : parseMailServer(smtpUrl);
  const mail = server && { sendMail: createSendMail({ server, from: mailFrom ?? `mediafarm@${server.host}` }) };
  return {
    services: { now: clock.now, send, runScript: createRunScript(clock), ...mail },
    capabilities: ["request", "javascript", ...(mail ? ["email"] : [])],
  };
};
