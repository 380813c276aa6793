import { z } from "zod";
import { alertContent, alertMessageStates, alertSettings } from "../outbound/alerts.ts";

/** Where messages go, without what is secret. */
export const alertChannelView = z.strictObject({
  name: z.string(),
  kind: z.enum(["email", "webhook", "desktop"]),
  /** The recipients, or the origin of the webhook's address; empty for desktops. */
  target: z.string(),
});

/** A message as the log shows it. */
export const alertMessage = z.strictObject({
  id: z.string(),
  channel: z.string(),
  made: z.iso.datetime(),
  content: alertContent,
  /** The same in plain words: the subject of mails. */
  title: z.string(),
  state: z.enum(alertMessageStates),
  tries: z.number().int(),
  /** When it was told or given up. */
  ended: z.iso.datetime().nullable(),
  next_try: z.iso.datetime().nullable(),
  /** What the receiver answered, or why the last try failed. */
  answer: z.string().nullable(),
});
export type AlertMessage = z.output<typeof alertMessage>;

export const alertsView = z.strictObject({
  settings: alertSettings,
  channels: z.array(alertChannelView),
  /** What was told last, the newest first. */
  messages: z.array(alertMessage),
});
export type AlertsView = z.output<typeof alertsView>;
export type AlertChannelView = z.output<typeof alertChannelView>;
