import { join } from "node:path";
import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { aChain, aCopyTo, aFileSource } from "../../helpers/farm/job-builders.ts";
import { type FarmProcesses, kill, startFarm, until } from "../../helpers/processes/farm-processes.ts";
import { startReceiver } from "../../helpers/processes/receiver.ts";

const secret = `whsec_${Buffer.alloc(32, 5).toString("base64")}`;

describe("a program in the farm's own network", () => {
  let farm: FarmProcesses;
  let receiver: Awaited<ReturnType<typeof startReceiver>>;
  let forbidden: Awaited<ReturnType<typeof startReceiver>>;
  let status = 204;
  let location: string | undefined;
  beforeAll(async () => {
    forbidden = await startReceiver();
    receiver = await startReceiver(
      (_request, response) => void response.writeHead(status, location === undefined ? {} : { location }).end(),
    );
    farm = await startFarm({ timing: { tickMs: 50 } });
    await farm.client.changeOutbound({ add: [`127.0.0.1:${receiver.port}`] });
    await farm.client.createWebhook({
      ...{ name: "archive", url: receiver.url("/hooks/a-secret-path"), secret, tags: [], users: [] },
      events: ["job.submitted", "job.completed", "job.failed", "outputs.published"],
    });
  }, 120_000);
  afterAll(async () => {
    await farm?.[Symbol.asyncDispose]();
    await receiver?.close();
    await forbidden?.close();
  });

  /** What came and was signed, as the reference library sees it. */
  const heard = () =>
    receiver.received.map(({ body, headers }) => {
      const message = new Webhook(secret).verify(body, headers as Record<string, string>); // Node joins what comes twice
      return { ...(message as { type: string; data: { job?: { id: string } } }), id: headers["webhook-id"] };
    });
  const missing = (name: string) => ({
    ...aChain([aFileSource(join(farm.media, `${name}.wav`)), aCopyTo(join(farm.folder, "out"))]),
    name,
  });
  const taken = () =>
    until("everything to be taken", async () => (await farm.client.listWebhooks({})).items[0]?.counts.waiting === 0);

  test("hears of a job, signed; a redirect to a forbidden address leads nowhere", async () => {
    await farm.startAgent("one");
    [status, location] = [307, forbidden.url("/inside")];
    const id = await farm.submit(missing("one"));
    await farm.untilEnded(id);
    await until("the redirect to be tried", () => receiver.received.length > 0);
    const { items } = await farm.client.listWebhookMessages({ name: "archive" });
    expect(items.some(({ answer }) => /answered 307: redirects are not followed/.test(answer ?? ""))).toBe(true);
    [status, location] = [204, undefined];
    await farm.client.changeWebhook({ name: "archive", is_on: true });
    await taken();
    expect(forbidden.received).toEqual([]);
    const told = new Set(heard().flatMap(({ type, data }) => (data.job?.id === id ? [type] : [])));
    expect([...told].sort()).toEqual(["job.failed", "job.submitted"]);
  });

  test("hears of every job that was accepted, though the coordinator is killed meanwhile", async () => {
    status = 503;
    const ids = await Promise.all(["a", "b", "c", "d"].map((name) => farm.submit(missing(name))));
    await kill(farm.coordinator());
    await farm.restartCoordinator();
    status = 204;
    await farm.client.changeWebhook({ name: "archive", is_on: true });
    for (const id of ids) await farm.untilEnded(id);
    await taken();
    const submitted = heard().filter(({ type }) => type === "job.submitted");
    expect(ids.every((id) => submitted.some(({ data }) => data.job?.id === id))).toBe(true);
  });

  test("and its address and secret are neither stored nor logged as they are", async () => {
    const kept = await farm.stored();
    const shown = JSON.stringify([
      await farm.client.listWebhooks({}),
      await farm.client.listWebhookMessages({ name: "archive" }),
    ]);
    for (const word of ["a-secret-path", secret.slice(6)])
      expect([kept, shown, farm.coordinator().stderr()].map((text) => text.includes(word))).toEqual([
        false,
        false,
        false,
      ]);
    expect(farm.errors()).toEqual([]);
  });
});
