import { z } from "zod";
import { secretOf } from "../basics/secret.ts";
import { parseMailServer } from "./mail-server.ts";
import { receiverAddress } from "./receiver-address.ts";
import { webhookSecret } from "./webhook-secret.ts";

/**
 * What the farm tells people who are not looking. A sighting has an end (a node comes back) or is told once (a job failed);
 * `limit` says what its number means, where it has one.
 */
export const alertKinds = {
  job_failed: { title: "A job failed", hasEnd: false, limit: null },
  job_late: { title: "A job is late", hasEnd: false, limit: { unit: "hours", usual: 24, most: 8760 } },
  node_lost: { title: "A node is lost", hasEnd: true, limit: { unit: "minutes", usual: 5, most: 10_080 } },
  disk_low: { title: "A disk is almost full", hasEnd: true, limit: { unit: "percent", usual: 5, most: 90 } },
  stands_still: {
    title: "Work waits and nothing moves",
    hasEnd: true,
    limit: { unit: "minutes", usual: 60, most: 10_080 },
  },
  store_fails: { title: "The farm's database fails", hasEnd: true, limit: null },
  backup_failed: { title: "A backup failed", hasEnd: true, limit: null },
  webhook_off: { title: "A webhook was switched off", hasEnd: true, limit: null },
  certificate_ends: { title: "The certificate ends soon", hasEnd: true, limit: { unit: "days", usual: 14, most: 365 } },
} as const satisfies Record<string, AlertKindFacts>;

type AlertKindFacts = {
  readonly title: string;
  readonly hasEnd: boolean;
  readonly limit: {
    readonly unit: "minutes" | "hours" | "days" | "percent";
    readonly usual: number;
    readonly most: number;
  } | null;
};

export type AlertKind = keyof typeof alertKinds;
export const alertKindNames = Object.keys(alertKinds) as [AlertKind, ...AlertKind[]]; // Object.keys forgets the names

/** In which languages messages speak. Pages say them in the reader's own. */
export const alertLanguages = ["en", "de", "fr"] as const;
export type AlertLanguage = (typeof alertLanguages)[number];

/** Whether a kind is told, whether it breaks the quiet hours, and from when on (the unit is in `alertKinds`). */
export const alertRule = z.strictObject({
  is_on: z.boolean(),
  is_urgent: z.boolean(),
  limit: z.number().positive().nullable(),
});
export type AlertRule = z.output<typeof alertRule>;

const timeOfDay = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, "it must be a time such as 22:30");
const timeZone = z.string().max(100).refine(isTimeZone, "it must be a time zone such as Europe/Vienna");

/** All rules, and when messages go out. */
export const alertSettings = z
  .strictObject({
    rules: z.record(z.enum(alertKindNames), alertRule),
    /** No message goes out in between, unless something in it is urgent; null: none. */
    quiet: z.strictObject({ from: timeOfDay, to: timeOfDay }).nullable(),
    /** Quiet hours are by it, and times in messages. */
    time_zone: timeZone,
    /** Of messages to channels that have no language of their own. */
    language: z.enum(alertLanguages).default("en"),
    /** What happens within this time of the first thing is one message. */
    gather_seconds: z.number().int().min(0).max(3600),
    /** The next message to a channel comes no earlier than this after the last. */
    pause_minutes: z.number().int().min(0).max(1440),
  })
  .superRefine(({ rules }, context) => {
    for (const kind of alertKindNames) {
      const { limit } = alertKinds[kind];
      const given = rules[kind].limit;
      const path = ["rules", kind, "limit"];
      if ((given === null) !== (limit === null))
        context.addIssue({
          code: "custom",
          path,
          message: limit ? `it must be a number of ${limit.unit}` : "it must be null",
        });
      else if (limit && given !== null && given > limit.most)
        context.addIssue({ code: "custom", path, message: `it must be ${limit.most} ${limit.unit} at most` });
    }
  });
export type AlertSettings = z.output<typeof alertSettings>;

export const usualAlerts: AlertSettings = {
  rules: Object.fromEntries(
    alertKindNames.map((kind) => [
      kind,
      { is_on: true, is_urgent: false, limit: alertKinds[kind].limit?.usual ?? null },
    ]),
  ) as AlertSettings["rules"], // fromEntries forgets the names
  quiet: null,
  ...{ time_zone: "UTC", language: "en" },
  gather_seconds: 60,
  pause_minutes: 10,
};

export const alertChannelName = z.string().trim().min(1).max(60);

const mailServer = z
  .string()
  .max(300)
  .refine((text) => parseMailServer(text) !== undefined && !text.includes("@"), {
    message:
      "it must be smtp://host:587 or smtps://host, without a user name and password: they have fields of their own",
  });

/** Absent: the farm's. */
const channelLanguage = z.enum(alertLanguages).optional();

/** Where messages go. Passwords and the whole address of a webhook are secret. */
export const alertChannel = z.discriminatedUnion("kind", [
  z.strictObject({
    kind: z.literal("email"),
    server: mailServer,
    from: z.email().max(320),
    recipients: z.array(z.email().max(320)).min(1).max(50),
    username: z.string().min(1).max(300).optional(),
    password: secretOf(z.string().min(1).max(1000)).optional(),
    language: channelLanguage,
  }),
  z.strictObject({
    kind: z.literal("webhook"),
    url: receiverAddress,
    /** The value of the header Authorization. */
    authorization: secretOf(
      z
        .string()
        .min(1)
        .max(2000)
        .regex(/^[\x20-\x7e]+$/, "it must be one line of plain characters"),
    ).optional(),
    /** Signs what is sent, by the rules of Standard Webhooks. */
    secret: webhookSecret.optional(),
    language: channelLanguage,
  }),
  z.strictObject({ kind: z.literal("desktop") }),
]);
export type AlertChannel = z.output<typeof alertChannel>;
/** As people give it. */
export type GivenAlertChannel = z.input<typeof alertChannel>;

function isTimeZone(text: string): boolean {
  try {
    new Intl.DateTimeFormat("en", { timeZone: text });
    return true;
  } catch {
    return false;
  }
}

/** Why a thing is told, where the farm says so itself: each is a text of every language. */
export const alertReasons = [
  "sent",
  "last_heard",
  "disk_free",
  "tasks_wait",
  "newest_backup",
  "receiver_gone",
  "receiver_silent",
  "ends",
] as const;
export type AlertReason = (typeof alertReasons)[number];

/** One thing that happened, or is over. `count` more of the kind stand behind one without a subject. */
export const alertNotice = z.strictObject({
  kind: z.enum(alertKindNames),
  /** The job's or node's id; empty: the farm, or several. */
  subject: z.string(),
  name: z.string(),
  /** In English, or as a program said it. */
  detail: z.string(),
  /** The same as data, where it is the farm's own sentence. */
  reason: z
    .strictObject({
      code: z.enum(alertReasons),
      values: z.record(z.string().max(20), z.union([z.string().max(2000), z.number()])),
    })
    .optional(),
  at: z.iso.datetime(),
  is_over: z.boolean(),
  count: z.number().int().positive(),
});
export type AlertNotice = z.output<typeof alertNotice>;

/** What goes out at once: everything that came together, of which the first things are named. */
export const alertContent = z.strictObject({
  /** How many things of each kind, those that are over apart. */
  counts: z.array(
    z.strictObject({ kind: z.enum(alertKindNames), is_over: z.boolean(), n: z.number().int().positive() }),
  ),
  notices: z.array(alertNotice),
  is_test: z.boolean(),
});
export type AlertContent = z.output<typeof alertContent>;

/** A part of a message's title. `subject` and `name` are empty where several things stand behind it. */
export const alertPart = z.strictObject({
  kind: z.enum(alertKindNames),
  is_over: z.boolean(),
  n: z.number().int().positive(),
  ...{ subject: z.string(), name: z.string() },
});
export type AlertPart = z.output<typeof alertPart>;

export const alertMessageStates = ["waiting", "told", "given_up"] as const;
export type AlertMessageState = (typeof alertMessageStates)[number];
