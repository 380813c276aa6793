import type { Clock } from "../../shared/basics/clock.ts";
import { parseMailServer } from "../../shared/outbound/mail-server.ts";
import type { AgentConfig } from "../config.ts";
import { type Engine, findEngine } from "../containers/engine.ts";
import type { ReadForeign } from "../foreign/pool.ts";
import { createRunScript, type RunScript } from "../javascript/run.ts";
import type { Log } from "../log.ts";
import type { Guard } from "../outbound/guard.ts";
import type { MailSettings, SendMail } from "../outbound/mail.ts";
import { createSend, type Send } from "../outbound/request.ts";
import type { Run } from "../process/run.ts";

/** What steps can use beside files and media tools: sending notifications, and running code that jobs bring. */
export type Services = {
  /** Unix milliseconds. */
  readonly now: () => number;
  readonly send: Send;
  /** Absent if the operator configured no mail server. */
  readonly sendMail?: SendMail;
  readonly runScript: RunScript;
  readonly read: ReadForeign;
  /** Absent if the operator allows no containers, or no engine works. */
  readonly engine?: Engine;
  /** Calls the function again and again until the one returned is called. */
  readonly every: Clock["every"];
};

type ServiceNeeds = {
  readonly clock: Clock;
  readonly run: Run;
  readonly folder: string;
  readonly log: Log;
  readonly guard: Guard;
  readonly read: ReadForeign;
};

/** The services of a node, and the capabilities by which tasks find them. */
export const openServices = async (
  config: AgentConfig,
  { clock, run, folder, log, guard, read }: ServiceNeeds,
): Promise<{ readonly services: Services; readonly capabilities: readonly string[] }> => {
  const engine = config.containers ? await findEngine({ run, folder, log, searchPath: config.searchPath }) : undefined;
  const { smtpUrl, mailFrom } = config;
  const send = createSend(guard, clock);
  const server = smtpUrl === undefined ? undefined : parseMailServer(smtpUrl.reveal());
  const mail = server && (await openMail({ server, from: mailFrom ?? `mediafarm@${server.host}` }));
  return {
    services: {
      now: clock.now,
      send,
      runScript: createRunScript(clock),
      read,
      every: clock.every,
      ...mail,
      ...(engine && { engine }),
    },
    capabilities: ["request", "javascript", ...(mail ? ["email"] : []), ...(engine ? containerCapabilities : [])],
  };
};

/** Agents of earlier versions run containers too, but do not know secrets in their environment. */
const containerCapabilities = ["container", "container:secret-env", "container:folders"];

/** The library is loaded only by nodes that send mail. */
const openMail = async (settings: MailSettings): Promise<Pick<Services, "sendMail">> => {
  const { createSendMail } = await import("../outbound/mail.ts");
  return { sendMail: createSendMail(settings) };
};
