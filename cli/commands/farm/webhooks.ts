import type { Client } from "../../../shared/api/client.ts";
import type { WebhookDelivery, WebhookView } from "../../../shared/api/webhooks.ts";
import { webhookDeliveryStates } from "../../../shared/outbound/webhooks.ts";
import type { ParsedCommand } from "../../command/command.ts";
import { one, runSubcommand, type Subcommand } from "../../command/subcommands.ts";
import { numberFlag, parseChoice, textFlag, UsageError } from "../../terminal/flags.ts";
import { readJsonObject } from "../../terminal/json-file.ts";
import type { Column } from "../../text/table.ts";
import { newWebhookSecret } from "./webhook-secret.ts";

const mostMessages = 500;
const usualMessages = 50;
const longestKeepHours = 168;

/** What programs are told of events, where it goes, and whether it arrived. */
export const webhooks: ParsedCommand = {
  details:
    'add reads a JSON object: {"name": "studio", "url": "https://hooks.studio.example/farm", "events": ["job.completed", "job.failed"]}, and optionally "tags" and "users", which narrow it. Without "secret", add makes one and prints it once; the farm never shows it. change reads the same object with nothing but the name and what changes; on and off take a NAME, and messages of one that is off wait. rotate makes a new secret and prints it, or takes it from FILE ({"secret": "whsec_…"}); the old one signs as well for some hours. Addresses and secrets are read from files since they may hold keys, which other users of this machine could see in a command line. messages lists what a webhook was told, the newest first; message shows one as it was sent.',
  flags: {
    state: {
      type: "string",
      value: "STATE",
      offers: webhookDeliveryStates,
      help: `With messages: only those that are ${webhookDeliveryStates.join(", ")}.`,
    },
    take: {
      type: "string",
      value: "N",
      help: `With messages: how many, up to ${mostMessages}.`,
      default: `${usualMessages}`,
    },
    skip: { type: "string", value: "N", help: "With messages: how many of the newest are left out." },
    "keep-hours": {
      type: "string",
      value: "N",
      help: `With rotate: for how long the old secret signs as well, up to ${longestKeepHours}.`,
      default: "24",
    },
    "given-up": { type: "boolean", help: "With send-again: all messages that were given up." },
  },
  offers: ["add", "change", "on", "off", "remove", "rotate", "test", "messages", "message", "send-again"],
  examples: [
    ["mediafarm webhooks add studio.json", "adds the webhook in the file, and prints its secret"],
    ["mediafarm webhooks test studio", "sends a test now; exit status 1 if the receiver did not take it"],
    ["mediafarm webhooks messages studio --state given_up", "lists what did not arrive, and why"],
    ["mediafarm webhooks send-again studio --given-up", "sends all of it again, with the same ids"],
  ],
  exits: ["1 also means: the receiver did not take the test"],
  run: (call) =>
    runSubcommand("webhooks", call, verbs, async ({ client, output }) =>
      output.list(
        (await client().listWebhooks({})).items,
        columns,
        "There are no webhooks. Add one: mediafarm webhooks add FILE",
      ),
    ),
};

const add = one("FILE, or - for standard input", async ({ client: open, output, world }, file) => {
  const client = open();
  const given = await readJsonObject(file, world);
  const made = "secret" in given ? undefined : newWebhookSecret();
  const wanted = { ...given, ...(made !== undefined && { secret: made }) };
  const view = await client.createWebhook(wanted as Parameters<Client["createWebhook"]>[0]); // checked there
  output.answer({ ...view, ...(made !== undefined && { secret: made }) }, `${told(view)}${secretLine(made)}`);
});

const change = one("FILE, or - for standard input", async ({ client: open, output, world }, file) => {
  const client = open();
  const wanted = await readJsonObject(file, world);
  if (!("name" in wanted) || typeof wanted.name !== "string" || wanted.name === "")
    throw new UsageError(`${file} does not say which webhook to change: it needs "name"`);
  const view = await client.changeWebhook(wanted as Parameters<Client["changeWebhook"]>[0]); // checked there
  output.answer(view, told(view));
});

const turn = (is_on: boolean): Subcommand =>
  one("NAME", async ({ client, output }, name) => {
    const view = await client().changeWebhook({ name, is_on });
    output.answer(view, told(view));
  });

const remove = one("NAME", async ({ client, output }, name) => {
  await client().deleteWebhook({ name });
  output.answer({ removed: name }, `Webhook "${name}" is removed; what waited for it is not sent\n`);
});

const rotate: Subcommand = {
  takes: "one NAME, and at most one FILE with a secret",
  fits: (words) => words === 1 || words === 2,
  run: async ({ client: open, values, output, world }, [name = "", file]) => {
    const keep_hours = numberFlag(values, "keep-hours", longestKeepHours);
    const client = open();
    const made = file === undefined ? newWebhookSecret() : undefined;
    const given = file === undefined ? { secret: made } : await readJsonObject(file, world);
    const wanted = { ...(keep_hours !== undefined && { keep_hours }), ...given, name };
    const view = await client.rotateWebhook(wanted as Parameters<Client["rotateWebhook"]>[0]); // checked there
    const beside =
      view.rotates_until === null ? " alone" : `, and until ${view.rotates_until} with the old one as well`;
    const line = `Webhook "${name}" signs with the new secret${beside}\n`;
    output.answer({ ...view, ...(made !== undefined && { secret: made }) }, `${line}${secretLine(made)}`);
  },
};

const test = one("NAME", async ({ client, output }, name) => {
  const message = await client().testWebhook({ name });
  const isTaken = message.state === "delivered";
  output.answer(message, `${isTaken ? "The test arrived" : "The test did not arrive"}: ${message.answer ?? "-"}\n`);
  return isTaken ? 0 : 1;
});

const messages = one("NAME", async ({ client, values, output }, name) => {
  const text = textFlag(values, "state");
  const state = text === undefined ? undefined : parseChoice("state", text, webhookDeliveryStates);
  const take = numberFlag(values, "take", mostMessages) ?? usualMessages;
  const skip = numberFlag(values, "skip", Number.MAX_SAFE_INTEGER) ?? 0;
  const { items, count } = await client().listWebhookMessages({ name, skip, take, ...(state && { state }) });
  output.list(items, messageColumns, `No message of "${name}" matches.`);
  if (count > skip + items.length && items.length > 0) output.problem(`${items.length} of ${count} messages`);
});

const message: Subcommand = {
  takes: "one NAME and the ID of a message",
  fits: (words) => words === 2,
  run: async ({ client, output }, [name = "", message_id = ""]) => {
    const found = await client().getWebhookMessage({ name, message_id });
    output.answer(found, `${JSON.stringify(found, null, 2)}\n`);
  },
};

const sendAgain: Subcommand = {
  takes: "one NAME, and IDs of messages or --given-up",
  fits: (words) => words > 0,
  run: async ({ client, values, output }, [name = "", ...ids]) => {
    const isAll = values["given-up"] === true;
    if (ids.length > 0 === isAll) throw new UsageError("webhooks send-again takes IDs of messages, or --given-up");
    const answer = await client().sendWebhookMessages({ name, ...(isAll ? { all_given_up: true } : { ids }) });
    output.answer(answer, `Sent again: ${answer.count} ${answer.count === 1 ? "message" : "messages"}\n`);
  },
};

const verbs: Readonly<Record<string, Subcommand>> = {
  ...{ add, change, on: turn(true), off: turn(false), remove, rotate, test, messages, message },
  "send-again": sendAgain,
};

const told = ({ name, origin, off }: WebhookView): string =>
  `Webhook "${name}" ${off === null ? "is told at" : "is off; it would be told at"} ${origin}\n`;

const secretLine = (secret: string | undefined): string =>
  secret === undefined ? "" : `secret  ${secret}  (shown only once)\n`;

const stateOf = ({ off, failing_since }: WebhookView): string => {
  if (off !== null) return { hand: "off", failing: "off: it took nothing for days", gone: "off: it is gone" }[off];
  return failing_since === null ? "on" : `on, failing since ${failing_since}`;
};

const columns: readonly Column<WebhookView>[] = [
  { title: "NAME", text: ({ name }) => name },
  { title: "ADDRESS", text: ({ origin }) => origin, shrinks: true },
  { title: "STATE", text: stateOf },
  { title: "WAITING", text: ({ counts }) => String(counts.waiting), align: "right" },
  { title: "DELIVERED", text: ({ counts }) => String(counts.delivered), align: "right" },
  { title: "GIVEN UP", text: ({ counts }) => String(counts.given_up), align: "right" },
  { title: "EVENTS", text: ({ events }) => events.join(","), shrinks: true },
];

const messageColumns: readonly Column<WebhookDelivery>[] = [
  { title: "ID", text: ({ id }) => id },
  { title: "MADE", text: ({ made }) => made },
  { title: "EVENT", text: ({ type }) => type },
  { title: "ABOUT", text: ({ about }) => about || "-" },
  { title: "STATE", text: ({ state }) => state },
  { title: "TRIES", text: ({ tries }) => String(tries), align: "right" },
  { title: "NEXT TRY", text: ({ next_try }) => next_try ?? "-" },
  { title: "ANSWER", text: ({ answer }) => answer ?? "-", shrinks: true },
];
