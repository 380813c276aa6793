import { createTransport } from "nodemailer";
import { messageOf } from "../../shared/basics/errors.ts";
import { TaskError } from "../../shared/model/failure.ts";
import type { MailServer } from "../../shared/outbound/mail-server.ts";

export type Letter = {
  readonly recipients: readonly string[];
  readonly subject: string;
  readonly body: string;
  readonly key: string;
  readonly signal: AbortSignal;
};

export type Posted = { readonly accepted: readonly string[]; readonly status: number; readonly answer: string };

/** Sends one mail. Throws TaskError if the server accepts it for none, or not for all, of the recipients. */
export type SendMail = (letter: Letter) => Promise<Posted>;

export type MailSettings = { readonly server: MailServer; readonly from: string; readonly ca?: string };

const times = { connectionTimeout: 15_000, greetingTimeout: 15_000, socketTimeout: 30_000, dnsTimeout: 10_000 };

export const createSendMail = ({ server, from, ca }: MailSettings): SendMail => {
  const { host, port, isSecure, needsTls, username, password } = server;
  const transport = createTransport({
    ...{ host, port, secure: isSecure, requireTLS: needsTls && !isSecure, ...times },
    ...(username !== undefined && { auth: { user: username, pass: password?.reveal() ?? "" } }),
    ...{ tls: { minVersion: "TLSv1.2", ...(ca && { ca }) }, disableFileAccess: true, disableUrlAccess: true },
  });
  return async ({ recipients, subject, body, key, signal }) => {
    const messageId = `<${key}@mediafarm>`;
    const headers = { "X-Mediafarm-Notification": key, "Auto-Submitted": "auto-generated" };
    try {
      const letter = { from, to: [...recipients], subject, text: body, messageId, headers, signal };
      const { accepted, rejected, response } = await transport.sendMail(letter);
      if (rejected.length > 0) throw new TaskError("receiver", `${host} refuses ${rejected.join(", ")}: ${response}`);
      const status = Number(/^\d{3}/.exec(response)?.[0] ?? 250);
      return { accepted: accepted.map(String), status, answer: response };
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof TaskError) throw error;
      throw failureOf(error, `${host}:${port}`);
    }
  };
};

/** Errors of mail servers, by nodemailer's codes. */
const failureOf = (error: unknown, server: string): TaskError => {
  const code = Reflect.get(Object(error), "code");
  const words = messageOf(error).replaceAll(/\s+/g, " ").slice(0, 1000);
  if (code === "EAUTH")
    return new TaskError("receiver", `${server} does not accept the user name and password: ${words}`);
  if (code === "ETLS") return new TaskError("receiver", `${server} cannot be reached with encryption: ${words}`);
  if (code === "EENVELOPE") return new TaskError("receiver", `${server} refuses a sender or recipient: ${words}`);
  return new TaskError("receiver", `${server}: ${words}`);
};
