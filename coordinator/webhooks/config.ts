import { z } from "zod";
import { AppError } from "../../shared/basics/errors.ts";
import { Secret, toRevealedJson } from "../../shared/basics/secret.ts";
import {
  type NewWebhook,
  type WebhookChange,
  type WebhookRotation,
  webhookEventNames,
  webhookOffs,
} from "../../shared/outbound/webhooks.ts";
import { originOf } from "../outbound/shown-address.ts";
import type { Secrets } from "../secrets/secrets.ts";

type Needs = Pick<Secrets, "store" | "vault">;

const recordKey = "webhooks";
/** Each is asked about with every decision, and has connections of its own. */
export const mostWebhooks = 50;
/** That sign at once, the newest first. */
const mostSecrets = 3;
const hourMs = 3_600_000;

const webhook = z.strictObject({
  name: z.string(),
  /** What may be shown of its address. */
  origin: z.string(),
  /** Its address and its secrets. */
  sealed: z.string(),
  events: z.array(z.enum(webhookEventNames)),
  tags: z.array(z.string()),
  users: z.array(z.string()),
  made: z.number(),
  /** Until when the secrets before the newest sign as well; null: there are none. In the farm's time, as all times here. */
  rotates_until: z.number().nullable(),
  /** When it last took a message; null: never. Noted only when it had failed before. */
  failing_since: z.number().nullable(),
  off: z.enum(webhookOffs).nullable(),
  off_since: z.number().nullable(),
});
export type Webhook = z.output<typeof webhook>;

const stored = z.array(webhook);

/** What is sealed of a webhook. */
export type Target = {
  readonly url: Secret;
  /** The newest first; `until` is when one signs no longer, null for the newest. */
  readonly secrets: readonly { readonly secret: Secret; readonly until: number | null }[];
};

const sealedTarget = z.strictObject({
  url: z.string(),
  secrets: z.array(z.strictObject({ secret: z.string(), until: z.number().nullable() })),
});

export const targetOf = ({ vault }: Pick<Needs, "vault">, { sealed }: Webhook): Target => {
  const { url, secrets } = sealedTarget.parse(JSON.parse(vault.open(sealed)));
  return {
    url: new Secret(url),
    secrets: secrets.map(({ secret, until }) => ({ secret: new Secret(secret), until })),
  };
};

const sealed = ({ vault }: Pick<Needs, "vault">, target: Target): Pick<Webhook, "sealed" | "origin"> => ({
  sealed: vault.seal(toRevealedJson(target)),
  origin: originOf(target.url),
});

export const signingSecrets = ({ secrets }: Target, now: number): Secret[] =>
  secrets.filter(({ until }) => until === null || until > now).map(({ secret }) => secret);

export const readWebhooks = async ({ store }: Pick<Needs, "store">): Promise<readonly Webhook[]> =>
  parse(await store.records.get("farm", recordKey));

/** Stores what `decide` makes of the webhooks, and gives them. */
export const changeWebhooks = async (
  { store }: Pick<Needs, "store">,
  decide: (before: readonly Webhook[]) => readonly Webhook[],
): Promise<readonly Webhook[]> => {
  const { after } = await store.records.change("farm", recordKey, (text) => JSON.stringify(decide(parse(text))));
  return parse(after);
};

/** One of them replaced by what `decide` makes of it. Throws AppError if there is none of this name. */
export const changeOne = (
  needs: Pick<Needs, "store">,
  name: string,
  decide: (before: Webhook) => Webhook,
): Promise<readonly Webhook[]> =>
  changeWebhooks(needs, (all) => {
    if (!all.some((each) => each.name === name)) throw noSuchWebhook(name);
    return all.map((each) => (each.name === name ? decide(each) : each));
  });

export const noSuchWebhook = (name: string): AppError => new AppError("NOT_FOUND", `There is no webhook "${name}"`);

export const withAdded = (
  needs: Pick<Needs, "vault">,
  all: readonly Webhook[],
  { name, url, events, tags, users, secret }: NewWebhook,
  now: number,
): Webhook[] => {
  if (all.some((each) => each.name === name)) throw new AppError("CONFLICT", `There is a webhook "${name}" already`);
  if (all.length >= mostWebhooks)
    throw new AppError("CONFLICT", `The farm has ${mostWebhooks} webhooks already: delete one first`);
  const added: Webhook = {
    ...{ name, events, tags, users, made: now },
    ...sealed(needs, { url, secrets: [{ secret, until: null }] }),
    ...{ rotates_until: null, failing_since: null, off: null, off_since: null },
  };
  return [...all, added].sort((a, b) => (a.name < b.name ? -1 : 1));
};

/** Whoever gives it another address, or switches it on, begins anew. */
export const changed = (
  needs: Pick<Needs, "vault">,
  before: Webhook,
  { url, is_on, ...filters }: WebhookChange,
  now: number,
): Webhook => {
  const moved = url && sealed(needs, { ...targetOf(needs, before), url });
  const isFresh = url !== undefined || is_on === true;
  const off = is_on === false ? { off: "hand" as const, off_since: now } : {};
  const on = is_on === true ? { off: null, off_since: null } : {};
  return { ...before, ...given(filters), ...moved, ...(isFresh && { failing_since: null }), ...off, ...on };
};

/** Without the fields that were not named. */
const given = (filters: Omit<WebhookChange, "url" | "is_on">): Partial<Webhook> =>
  Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== undefined));

/** The new secret signs from now on; what signed until now signs beside it for some hours. */
export const rotated = (
  needs: Pick<Needs, "vault">,
  before: Webhook,
  { secret, keep_hours }: WebhookRotation,
  now: number,
): Webhook => {
  const target = targetOf(needs, before);
  const until = now + keep_hours * hourMs;
  const kept = target.secrets
    .filter((each) => each.until === null || each.until > now)
    .map((each) => ({ ...each, until: Math.min(each.until ?? until, until) }))
    .filter((each) => each.until > now)
    .slice(0, mostSecrets - 1);
  const secrets = [{ secret, until: null }, ...kept];
  return { ...before, ...sealed(needs, { ...target, secrets }), rotates_until: kept[0]?.until ?? null };
};

const parse = (text: string | undefined): readonly Webhook[] =>
  text === undefined ? [] : stored.parse(JSON.parse(text));
