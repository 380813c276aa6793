import { Secret } from "../../shared/basics/secret.ts";
import type { AlertChannel } from "../../shared/outbound/alerts.ts";
import type { Delivery } from "../../shared/outbound/delivery.ts";
import { parseMailServer } from "../../shared/outbound/mail-server.ts";
import { signatureHeaders } from "../outbound/signature.ts";
import type { AlertMessageRow } from "../store/alerts.ts";
import { bodyOf, textOf, titleOf, type Voice } from "./letter.ts";

type Around = {
  readonly dashboard: string;
  readonly now: number;
  readonly rules: readonly string[];
  /** The farm's; a channel may have a language of its own. */
  readonly voice: Voice;
};

/** How a message goes out. Every try of it carries the same key, by which receivers know repeats. */
export const deliveryOf = (
  { id, made, content }: Pick<AlertMessageRow, "id" | "made" | "content">,
  channel: Exclude<AlertChannel, { kind: "desktop" }>,
  { dashboard, now, rules, voice: farms }: Around,
): Delivery => {
  const voice = { ...farms, language: channel.language ?? farms.language };
  const key = `mediafarm-alert-${id}-${made}`;
  if (channel.kind === "webhook") {
    const { url, authorization, secret } = channel;
    const body = bodyOf(key, content, dashboard, voice);
    const headers = {
      "Content-Type": "application/json",
      "Idempotency-Key": key,
      ...(authorization !== undefined && { Authorization: authorization.reveal() }),
      ...(secret !== undefined && signatureHeaders({ id: key, at: now, body }, [secret])),
    };
    return { key, way: { by: "request", url: url.reveal(), headers, body, rules } };
  }
  const { recipients, from } = channel;
  const subject = `[Mediafarm] ${titleOf(content, voice)}`.slice(0, 300);
  const letter = { subject, body: textOf(content, dashboard, voice) };
  return { key, way: { by: "mail", server: mailServerOf(channel), from, recipients, ...letter } };
};

const mailServerOf = ({ server, username, password }: Extract<AlertChannel, { kind: "email" }>) => {
  const parsed = parseMailServer(server);
  if (!parsed) throw new Error("The channel's mail server is not an address");
  if (username === undefined) return parsed;
  // A password goes over an encrypted connection, or nowhere.
  return { ...parsed, username, password: password ?? new Secret(""), needsTls: true };
};
