import { z } from "zod";
import { jobInfo } from "../model/job-info.ts";
import { receiverAddress } from "./receiver-address.ts";
import { webhookSecret } from "./webhook-secret.ts";

/** What programs may be told of, in the order in which people read it. `shape` says what `data` of the message holds. */
export const webhookEvents = {
  "job.submitted": { shape: "job", means: "a job was accepted, also one that a watched folder began" },
  "job.started": { shape: "job", means: "its first task was given to a node, or it runs again after a retry" },
  "job.completed": { shape: "job", means: "it ended, and all that failed was handled" },
  "job.failed": { shape: "job", means: "it ended with a failure" },
  "job.stopped": { shape: "job", means: "somebody stopped it" },
  "outputs.published": { shape: "outputs", means: "a task's files are whole and in their place" },
  "node.lost": { shape: "node", means: "it was not heard for too long: what it ran goes to others" },
  "node.back": { shape: "node", means: "it is connected again after it was lost or off" },
  "node.off": { shape: "node", means: "it said goodbye, or fell asleep with nothing to do" },
} as const satisfies Readonly<Record<string, { readonly shape: "job" | "outputs" | "node"; readonly means: string }>>;

export type WebhookEvent = keyof typeof webhookEvents;
export const webhookEventNames = Object.keys(webhookEvents) as [WebhookEvent, ...WebhookEvent[]]; // Object.keys forgets the names

/** Nobody subscribes to it: it is what a test sends. */
export const testEvent = "webhook.test";

/** A message lists so many files; the others are counted. */
export const mostOutputsTold = 50;

/** What a message's `data` holds. */
export const webhookData = {
  job: z.strictObject({ job: jobInfo }),
  outputs: z.strictObject({
    job: jobInfo.pick({ id: true, name: true, user_tag: true, owner: true }),
    task_id: z.string(),
    element_uid: z.string(),
    outputs: z.array(
      z.strictObject({
        uri: z.string(),
        size: z.number().int().nullable(),
        checksum: z.string().nullable().describe("`sha256:…`; null where the file was copied without being read"),
      }),
    ),
    count: z.number().int().describe(`of all files; ${mostOutputsTold} of them are listed at most`),
  }),
  node: z.strictObject({
    node: z.strictObject({
      id: z.string(),
      name: z.string(),
      tags: z.array(z.string()),
      group: z.string().nullable(),
      last_seen: z.string(),
    }),
  }),
  test: z.strictObject({ webhook: z.string().describe("its name") }),
} as const;
export type WebhookData = { readonly [S in keyof typeof webhookData]: z.output<(typeof webhookData)[S]> };

export const webhookName = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9_.-]{0,59}$/, "it must be 1 to 60 letters, digits, dots, dashes and underscores");

const filterWords = z.array(z.string().min(1).max(200)).max(50);

/** Where messages go, and of what. */
const wanted = {
  /** All of it is secret but its origin: it may hold a key. */
  url: receiverAddress,
  events: z.array(z.enum(webhookEventNames)).min(1).max(50),
  /** Only jobs with one of these user tags, and nodes with one of these tags; empty: all. */
  tags: filterWords,
  /** Only jobs that one of these people or API users sent, by name; empty: everybody's, and nodes. */
  users: filterWords,
};

export const newWebhook = z.strictObject({
  name: webhookName,
  ...wanted,
  tags: filterWords.default([]),
  users: filterWords.default([]),
  secret: webhookSecret,
});
export type NewWebhook = z.output<typeof newWebhook>;

/** What is not named stays. */
export const webhookChange = z.strictObject({
  url: wanted.url.optional(),
  events: wanted.events.optional(),
  tags: filterWords.optional(),
  users: filterWords.optional(),
  /** Messages of one that is off wait until it is on again. */
  is_on: z.boolean().optional(),
});
export type WebhookChange = z.output<typeof webhookChange>;

/** For so many hours the secret before signs as well, if nothing else was said. */
const usualKeepHours = 24;
export const webhookRotation = z.strictObject({
  secret: webhookSecret,
  keep_hours: z.number().min(0).max(168).default(usualKeepHours),
});
export type WebhookRotation = z.output<typeof webhookRotation>;

/** hand: somebody switched it off · failing: it took nothing for days · gone: its receiver said so (410). */
export const webhookOffs = ["hand", "failing", "gone"] as const;
export type WebhookOff = (typeof webhookOffs)[number];

export const webhookDeliveryStates = ["waiting", "delivered", "given_up"] as const;
export type WebhookDeliveryState = (typeof webhookDeliveryStates)[number];
