import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type AlertSettings, usualAlerts } from "../../../shared/outbound/alerts.ts";
import { aChain, aCopyTo, aFileSource } from "../../helpers/farm/job-builders.ts";
import { type FarmProcesses, startFarm, until } from "../../helpers/processes/farm-processes.ts";
import { startReceiver } from "../../helpers/processes/receiver.ts";
import { mailUser, startPostfix, whyNoPostfix } from "./postfix.ts";

const missing = whyNoPostfix();
if (missing) console.warn(`Alerts through a real mail server are not tested here: ${missing}`);

/** The owner of a farm at its pages. */
const ownerOf = async (farm: FarmProcesses) => {
  const { origin } = new URL(farm.baseUrl);
  const code = new URL((farm.secrets.first_sign_in_url ?? "").replace("#/", "")).searchParams.get("code");
  const headers: Record<string, string> = { "content-type": "application/json", origin };
  const ask = async (method: string, path: string, body?: object) => {
    const response = await fetch(`${origin}/ui/v1/${path}`, {
      method,
      headers,
      ...(body && { body: JSON.stringify(body) }),
    });
    const [cookie] = response.headers.getSetCookie();
    if (cookie) headers.cookie = cookie.split(";")[0] ?? "";
    return { status: response.status, body: JSON.parse((await response.text()) || "{}") };
  };
  await ask("POST", "first-session", { code, name: "owner", password: "long enough for all" });
  return ask;
};

/** Failed jobs alone, at once: the machine's own disk may be full. */
const atOnce: AlertSettings = {
  ...usualAlerts,
  ...{ gather_seconds: 0, pause_minutes: 0 },
  rules: Object.fromEntries(
    Object.entries(usualAlerts.rules).map(([kind, rule]) => [kind, { ...rule, is_on: kind === "job_failed" }]),
  ) as AlertSettings["rules"], // fromEntries forgets the names
};

const failOne = async (farm: FarmProcesses, name: string): Promise<void> => {
  const job = aChain([aFileSource(join(farm.media, `${name}.wav`)), aCopyTo(join(farm.folder, "out"))]);
  expect((await farm.untilEnded(await farm.submit({ ...job, name }))).status).toBe("failed");
};

describe("a receiver in the farm's own network", () => {
  let farm: FarmProcesses;
  let receiver: Awaited<ReturnType<typeof startReceiver>>;
  const answers: number[] = [];
  beforeAll(async () => {
    receiver = await startReceiver(
      (_request, response) => void response.writeHead(answers.shift() ?? 200).end("heard"),
    );
    farm = await startFarm({ timing: { tickMs: 50 } });
    await farm.startAgent("one");
  }, 120_000);
  afterAll(async () => {
    await farm?.[Symbol.asyncDispose]();
    await receiver?.close();
  });

  test("is told of a failed job once a rule allows its address; the address and its password stay secret", async () => {
    const owner = await ownerOf(farm);
    const channel = { kind: "webhook", url: receiver.url("/hooks/a-secret-key"), authorization: "Bearer s3cret-word" };
    expect((await owner("POST", "alerts/channels", { name: "chat", channel })).status).toBe(200);
    expect((await owner("PUT", "alerts", atOnce)).status).toBe(200);
    const refused = await owner("POST", "alerts/channels/chat/tests", {});
    expect([refused.status, refused.body.message]).toEqual([
      409,
      expect.stringMatching(/did not arrive: 127\.0\.0\.1 is a loopback address.*mediafarm outbound add 127\.0\.0\.1/),
    ]);
    expect(receiver.received).toEqual([]);
    await farm.client.changeOutbound({ add: [`127.0.0.1:${receiver.port}`] });
    expect((await owner("POST", "alerts/channels/chat/tests", {})).status).toBe(200);
    const [trial] = receiver.received;
    expect(trial?.headers).toMatchObject({ authorization: "Bearer s3cret-word", "content-type": "application/json" });
    expect(JSON.parse(trial?.body ?? "")).toMatchObject({ is_test: true });
    // Nothing of before is told: the first look comes before the failure.
    await until("the farm to look", async () => (await owner("GET", "alerts")).body.channels.length === 1);
    answers.push(503);
    await until("the failed job to be told", async () => {
      await failOne(farm, "Trailer of the night");
      return receiver.received.some(({ body }) => body.includes("Trailer of the night"));
    });
    const told = receiver.received.filter(({ body }) => body.includes("job_failed"));
    expect(JSON.parse(told[0]?.body ?? "").notices[0]).toMatchObject({
      kind: "job_failed",
      name: "Trailer of the night",
    });
    const alerts = async () => (await owner("GET", "alerts")).body;
    const isNoted = ({ messages }: { messages: readonly { answer: string }[] }): boolean =>
      messages.some(({ answer }) => /answered 503/.test(answer));
    await until("the refusal to be noted", async () => isNoted(await alerts()));
    const body = await alerts();
    const kept = await farm.stored();
    expect(`${kept} ${JSON.stringify(body)}`).not.toMatch(/a-secret-key|s3cret-word/);
    expect(farm.errors()).toEqual([]);
  });

  test("is for owners alone", async () => {
    const { origin } = new URL(farm.baseUrl);
    expect((await fetch(`${origin}/ui/v1/alerts`)).status).toBe(401);
  });
});

describe.skipIf(missing)("a mail server with STARTTLS and passwords", () => {
  test("puts the alert of a failed job into the mailbox", async () => {
    const postfix = await startPostfix();
    await using farm = await startFarm({
      timing: { tickMs: 50 },
      env: { NODE_EXTRA_CA_CERTS: postfix.certificate },
    });
    await farm.startAgent("one");
    const owner = await ownerOf(farm);
    const channel = {
      ...{ kind: "email", server: `smtp://localhost:${postfix.port}`, from: "farm@studio.example" },
      ...{ recipients: ["owner@studio.example"], username: mailUser.name, password: mailUser.password },
    };
    expect((await owner("POST", "alerts/channels", { name: "night", channel })).status).toBe(200);
    await owner("PUT", "alerts", atOnce);
    expect(await owner("POST", "alerts/channels/night/tests", {})).toMatchObject({ status: 200 });
    await until("the mail in its box", () =>
      postfix.mails().some((mail) => /Subject: \[Mediafarm\] A test/.test(mail)),
    );
    await failOne(farm, "Spot 12"); // once: of several, a message tells their number
    await until("the mail about the job", () =>
      postfix.mails().some((mail) => /Subject: \[Mediafarm\] Spot 12 failed/.test(mail)),
    );
    const mails = postfix.mails().join("\n");
    expect(mails).toContain("with ESMTPSA"); // encrypted, and after a password
    expect(mails).toMatch(/#\/jobs\/\d+/);
    postfix.stop();
  });
});
