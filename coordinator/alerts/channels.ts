import { z } from "zod";
import type { AlertChannelView } from "../../shared/api/alerts.ts";
import { AppError } from "../../shared/basics/errors.ts";
import { toRevealedJson } from "../../shared/basics/secret.ts";
import { secretsOfAddress } from "../../shared/credentials/secrets-of-request.ts";
import {
  type AlertChannel,
  type AlertSettings,
  alertChannel,
  alertSettings,
  usualAlerts,
} from "../../shared/outbound/alerts.ts";
import { originOf } from "../outbound/shown-address.ts";
import type { Secrets } from "../secrets/secrets.ts";

type Needs = Pick<Secrets, "store" | "vault">;

const recordKey = "alerts";
const mostChannels = 20;

const stored = z.strictObject({
  settings: alertSettings,
  /** Each as a whole is sealed: an address or a password in it may be secret. */
  channels: z.array(z.strictObject({ name: z.string(), sealed: z.string() })),
});
type Stored = z.output<typeof stored>;

export type NamedChannel = { readonly name: string; readonly channel: AlertChannel };
export type AlertConfig = { readonly settings: AlertSettings; readonly channels: readonly NamedChannel[] };

export const readAlertConfig = async ({ store, vault }: Needs): Promise<AlertConfig> => {
  const { settings, channels } = parse(await store.records.get("farm", recordKey));
  return {
    settings,
    channels: channels.map(({ name, sealed }) => ({
      name,
      channel: alertChannel.parse(JSON.parse(vault.open(sealed))),
    })),
  };
};

export const writeAlertSettings = (needs: Needs, settings: AlertSettings): Promise<void> =>
  change(needs, (before) => ({ ...before, settings }));

/** Adds a channel, or replaces the one of this name as a whole: what was secret in it is given anew. */
export const writeChannel = (needs: Needs, name: string, channel: AlertChannel): Promise<void> =>
  change(needs, ({ settings, channels }) => {
    const others = channels.filter((each) => each.name !== name);
    if (others.length >= mostChannels)
      throw new AppError("CONFLICT", `The farm has ${mostChannels} channels already: remove one first`);
    const added = { name, sealed: needs.vault.seal(toRevealedJson(channel)) };
    return { settings, channels: [...others, added].sort((a, b) => (a.name < b.name ? -1 : 1)) };
  });

export const removeChannel = (needs: Needs, name: string): Promise<void> =>
  change(needs, ({ settings, channels }) => {
    const left = channels.filter((each) => each.name !== name);
    if (left.length === channels.length) throw noSuchChannel(name);
    return { settings, channels: left };
  });

export const noSuchChannel = (name: string): AppError => new AppError("NOT_FOUND", `There is no channel "${name}"`);

const change = async ({ store }: Needs, decide: (before: Stored) => Stored): Promise<void> => {
  await store.records.change("farm", recordKey, (text) => JSON.stringify(decide(parse(text))));
};

const parse = (text: string | undefined): Stored =>
  text === undefined ? { settings: usualAlerts, channels: [] } : stored.parse(withNewRules(JSON.parse(text)));

/** What was stored before there was a kind of alert lacks its rule. */
const withNewRules = (kept: Stored): unknown => {
  const rules = { ...usualAlerts.rules, ...kept.settings.rules };
  return { ...kept, settings: { ...kept.settings, rules } };
};

/** What may be shown of a channel. An address of a webhook may hold its key, so only its origin is shown. */
export const viewOfChannel = ({ name, channel }: NamedChannel): AlertChannelView => ({
  ...{ name, kind: channel.kind, target: targetOf(channel) },
});

const targetOf = (channel: AlertChannel): string => {
  if (channel.kind === "email") return channel.recipients.join(", ");
  return channel.kind === "webhook" ? originOf(channel.url) : "";
};

/** What is secret in a channel: passwords, and all of an address but its origin. */
export const secretsOf = (channel: AlertChannel): string[] => {
  if (channel.kind === "desktop") return [];
  if (channel.kind === "email") return channel.password === undefined ? [] : [channel.password.reveal()];
  const authorization = channel.authorization?.reveal() ?? "";
  return [...secretsOfAddress(channel.url.reveal()), authorization, ...authorization.split(" ").slice(1)];
};
