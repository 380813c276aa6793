import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Webhook } from "standardwebhooks";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createAlerts } from "../../../coordinator/alerts/alerts.ts";
import { createBackups } from "../../../coordinator/backup/backups.ts";
import type { Webhook as FarmWebhook } from "../../../coordinator/webhooks/config.ts";
import { Secret } from "../../../shared/basics/secret.ts";
import {
  type AlertChannel,
  type AlertSettings,
  alertChannel,
  type GivenAlertChannel,
  usualAlerts,
} from "../../../shared/outbound/alerts.ts";
import type { Delivery } from "../../../shared/outbound/delivery.ts";
import { damage } from "../../helpers/farm/damage.ts";
import { aFolder, openTestFarm, removeFolder, type TestFarm } from "../../helpers/farm/farm.ts";

const minute = 60_000;
let folder: string;
let world: TestFarm;
let alerts: ReturnType<typeof createAlerts>;
let sent: Delivery[];
let refusals: string[];
let silent: FarmWebhook[];
const webhooks = { silent: () => silent };

const hook = alertChannel.parse({
  kind: "webhook",
  url: "https://chat.example/hooks/a-secret-key",
  authorization: "Bearer s3cret",
} satisfies GivenAlertChannel);
/** Nothing but what a test means: its own disk may be full. */
const only = (...kinds: (keyof AlertSettings["rules"])[]): AlertSettings => ({
  ...usualAlerts,
  rules: Object.fromEntries(
    Object.entries(usualAlerts.rules).map(([kind, rule]) => [
      kind,
      { ...rule, is_on: (kinds as string[]).includes(kind) },
    ]),
  ) as AlertSettings["rules"],
});

beforeEach(async () => {
  folder = aFolder();
  [sent, refusals, silent] = [[], [], []];
  world = await openTestFarm(folder, { config: { backupDir: join(folder, "backups") } });
  alerts = createAlerts({
    ...{
      farm: world.farm,
      backups: createBackups(world.farm),
      tls: undefined,
      webhooks,
      dashboard: () => "https://farm/",
    },
    deliver: async (delivery) => {
      const refusal = refusals.shift();
      if (refusal !== undefined) throw new Error(refusal);
      sent.push(delivery);
      return { isTaken: true, status: 200, answer: "200" };
    },
  });
});
afterEach(async () => {
  await world.close();
  removeFolder(folder);
});

const pass = async (ms: number): Promise<void> => {
  await world.clock.advance(ms);
  await alerts.look();
  await alerts.deliver();
};
const bodies = () => sent.map(({ way }) => (way.by === "request" ? JSON.parse(way.body) : way));
/** Backups cannot be written where a file is in the place of their folder. */
const breakBackups = () => {
  rmSync(join(folder, "backups"), { recursive: true, force: true });
  writeFileSync(join(folder, "backups"), "");
};

test("a failure is told within a minute, once, and its end as well", async () => {
  await alerts.putChannel("chat", hook);
  await alerts.setSettings({ ...only("backup_failed"), pause_minutes: 0 });
  await pass(0);
  breakBackups();
  for (let times = 0; times < 30; times++) await pass(10_000);
  expect(bodies().map(({ title }) => title)).toEqual(["The farm has no backup"]);
  rmSync(join(folder, "backups"));
  mkdirSync(join(folder, "backups"));
  for (let times = 0; times < 30; times++) await pass(10_000);
  expect(bodies().map(({ title }) => title)).toEqual(["The farm has no backup", "The farm has a backup again"]);
  const { messages } = await alerts.view();
  expect(messages.map(({ state, tries, answer }) => [state, tries, answer])).toEqual([
    ["told", 1, "200"],
    ["told", 1, "200"],
  ]);
});

test("a message is tried again with the same key until it arrives, also after a restart", async () => {
  await alerts.putChannel("chat", hook);
  await alerts.setSettings({ ...only("backup_failed"), gather_seconds: 0 });
  breakBackups();
  refusals = ["refused once", "refused twice"];
  await pass(0);
  expect((await alerts.view()).messages[0]).toMatchObject({ state: "waiting", tries: 1, answer: "refused once" });
  alerts = createAlerts({
    ...{
      farm: world.farm,
      backups: createBackups(world.farm),
      tls: undefined,
      webhooks,
      dashboard: () => "https://farm/",
    },
    deliver: async (delivery) => {
      sent.push(delivery);
      return { isTaken: true, status: 204, answer: "204" };
    },
  });
  await pass(10_000); // not due yet
  expect(sent).toEqual([]);
  await pass(20_000);
  expect(sent.map(({ key }) => key)).toEqual([expect.stringMatching(/^mediafarm-alert-1-\d+$/)]);
  expect((await alerts.view()).messages).toMatchObject([{ state: "told", tries: 2, answer: "204" }]);
});

test("without a channel nothing is noticed, and a new channel hears nothing of before", async () => {
  await alerts.setSettings({ ...only("job_failed", "backup_failed"), gather_seconds: 0 });
  await pass(0);
  expect(await world.farm.store.alerts.state()).toBeUndefined();
  await alerts.putChannel("chat", hook);
  await pass(minute);
  expect(sent).toEqual([]);
  expect(await world.farm.store.alerts.state()).toContain("failed_until");
});

test("the address and the password of a channel are neither shown nor stored as they are", async () => {
  await alerts.putChannel("chat", hook);
  const mail: AlertChannel = {
    ...{ kind: "email", server: "smtp://mail.example:587", from: "farm@studio.example" },
    ...{ recipients: ["night@studio.example"], username: "farm", password: new Secret("a secret word") },
  };
  await alerts.putChannel("mail", mail);
  const view = await alerts.view();
  expect(view.channels).toEqual([
    { name: "chat", kind: "webhook", target: "https://chat.example" },
    { name: "mail", kind: "email", target: "night@studio.example" },
  ]);
  const stored = (await world.farm.store.records.get("farm", "alerts")) ?? "";
  expect(stored).toContain("chat");
  expect(`${JSON.stringify(view)} ${stored}`).not.toMatch(/a-secret-key|s3cret|a secret word/);
});

test("a test goes out at once, and says what the receiver says against it", async () => {
  await alerts.putChannel("chat", hook);
  const { messages } = await alerts.test("chat");
  expect(bodies()).toMatchObject([{ is_test: true, title: "A test of this channel" }]);
  expect(messages).toMatchObject([{ channel: "chat", state: "told", title: "A test of this channel" }]);
  refusals = ["chat.example answered 403: no"];
  await expect(alerts.test("chat")).rejects.toThrow("The test did not arrive: chat.example answered 403: no");
  expect((await alerts.view()).messages[0]).toMatchObject({
    state: "given_up",
    answer: "chat.example answered 403: no",
  });
  await pass(10 * minute);
  expect(sent).toHaveLength(1); // a test is not repeated
  await expect(alerts.test("gone")).rejects.toThrow('There is no channel "gone"');
});

test("mails go to the channel's server, encrypted where there is a password", async () => {
  const mail: AlertChannel = {
    ...{ kind: "email", server: "smtp://mail.example:587", from: "farm@studio.example" },
    ...{ recipients: ["night@studio.example"], username: "farm", password: new Secret("a secret word") },
  };
  await alerts.putChannel("mail", mail);
  await alerts.test("mail");
  expect(sent[0]?.way).toMatchObject({
    ...{ by: "mail", from: "farm@studio.example", recipients: ["night@studio.example"] },
    server: { host: "mail.example", port: 587, needsTls: true, username: "farm" },
    subject: "[Mediafarm] A test of this channel",
  });
  const way = sent[0]?.way;
  expect(way?.by === "mail" && way.server.password?.reveal()).toBe("a secret word");
});

test("a channel speaks its own language, and else the farm's", async () => {
  await alerts.putChannel("chat", hook);
  await alerts.putChannel("bureau", { ...hook, language: "fr" } as AlertChannel);
  await alerts.setSettings({ ...usualAlerts, language: "de" });
  await alerts.test("chat");
  await alerts.test("bureau");
  expect(bodies().map(({ title }) => title)).toEqual(["Ein Test dieses Kanals", "Un test de ce canal"]);
});

test("settings of before there were languages are English", async () => {
  const { language: _, ...before } = usualAlerts;
  const text = JSON.stringify({ settings: before, channels: [] });
  await world.farm.store.records.change("farm", "alerts", () => text);
  expect((await alerts.view()).settings.language).toBe("en");
});

test("desktops hear an event with the title", async () => {
  const heard: string[] = [];
  world.farm.events.subscribe(({ event }) => {
    if (event.type === "alert.told") heard.push(event.title);
  });
  await alerts.putChannel("desk", { kind: "desktop" });
  await alerts.test("desk");
  expect(heard).toEqual(["A test of this channel"]);
});

test("a message to a channel that was removed is given up", async () => {
  await alerts.putChannel("chat", hook);
  await alerts.setSettings({ ...only("backup_failed"), gather_seconds: 0 });
  breakBackups();
  refusals = ["refused"];
  await pass(0);
  await alerts.removeChannel("chat");
  await pass(minute);
  expect((await alerts.view()).messages).toMatchObject([
    { state: "given_up", answer: 'There is no channel "chat" any more' },
  ]);
  await expect(alerts.removeChannel("chat")).rejects.toThrow('There is no channel "chat"');
});

test("what a receiver answers is kept without the address and the password that it repeats", async () => {
  await alerts.putChannel("chat", hook);
  refusals = [
    "https://chat.example/hooks/a-secret-key answered 403: no such hook /hooks/a-secret-key for Bearer s3cret",
  ];
  await expect(alerts.test("chat")).rejects.toThrow(
    "The test did not arrive: https://chat.example… answered 403: no such hook … for …",
  );
  expect(JSON.stringify((await alerts.view()).messages)).not.toMatch(/a-secret-key|s3cret/);
});

test("a webhook with a secret gets signed messages, one without gets none", async () => {
  const secret = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;
  await alerts.putChannel("signed", alertChannel.parse({ kind: "webhook", url: "https://chat.example/", secret }));
  await alerts.putChannel("plain", hook);
  await alerts.test("signed");
  await alerts.test("plain");
  const ways = sent.map(({ way }) => (way.by === "request" ? way : undefined));
  const [signed, plain] = ways.map((way) => way?.headers ?? {});
  expect(new Webhook(secret).sign(signed?.["webhook-id"] ?? "", new Date(world.clock.now()), ways[0]?.body ?? "")).toBe(
    signed?.["webhook-signature"],
  );
  expect(signed?.["webhook-id"]).toBe(signed?.["Idempotency-Key"]);
  expect(Object.keys(plain ?? {})).not.toContain("webhook-signature");
  const shown = `${JSON.stringify(await alerts.view())} ${await world.farm.store.records.get("farm", "alerts")}`;
  expect(shown).not.toContain(secret);
});

test("a database that fails is told with the reason, and that it works again", async () => {
  await alerts.putChannel("chat", hook);
  await alerts.setSettings({ ...only("store_fails"), gather_seconds: 0, pause_minutes: 0 });
  await pass(0);
  damage(folder, "job_definitions");
  await expect(world.farm.store.load.row("definitions", 1)).rejects.toThrow("is damaged");
  await pass(minute);
  await pass(9 * minute);
  await pass(minute);
  expect(bodies().map(({ title, text }) => [title, text.includes("is damaged (SQLITE_CORRUPT")])).toEqual([
    ["The farm has a database that fails", true],
    ["The farm has a database that works again", false],
  ]);
});
