import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { aChain, aCopyTo, aFileSource } from "../../helpers/farm/job-builders.ts";
import { strictResult } from "../../helpers/farm/strict-result.ts";
import { writeWav } from "../../helpers/media/a-wav.ts";
import { type FarmProcesses, startFarm } from "../../helpers/processes/farm-processes.ts";
import { startReceiver } from "../../helpers/processes/receiver.ts";

let farm: FarmProcesses;
let receiver: Awaited<ReturnType<typeof startReceiver>>;
const answers: number[] = [];

beforeAll(async () => {
  receiver = await startReceiver((request, response) => {
    if (request.url === "/inwards") response.writeHead(302, { location: "http://169.254.169.254/latest" }).end();
    else response.writeHead(answers.shift() ?? 200).end(`thanks for ${request.body.length}`);
  });
  farm = await startFarm();
  await farm.startAgent("one", ["--allow-outbound", `127.0.0.1:${receiver.port}`]);
}, 120_000);

afterAll(async () => {
  await farm?.[Symbol.asyncDispose]();
  await receiver.close();
});

const told = (path: string) => receiver.received.filter(({ url }) => url === path);
const tell = (rest: object, more: object = {}) => ({ uid: "tell", kind: "notify", payload: { rest }, ...more });
const aFile = (name: string): string => writeWav(join(farm.media, name));

const resultOf = async (id: string) => {
  await farm.untilEnded(id);
  return strictResult.parse(await farm.client.getResult({ job_id: id }));
};

const receiptIn = (result: Awaited<ReturnType<typeof resultOf>>) =>
  JSON.parse(JSON.stringify(result.tasks.find(({ uid }) => uid === "tell")?.documents[0])).result_extended_payload;

test("a receiver is told once a job's file is there, with credentials that the store never shows", async () => {
  const rest = {
    ...{ url: receiver.url("/done"), username: "user", password: "a secret word" },
    headers: { "X-Api-Key": "another secret", "X-Source": "{source_name}" },
  };
  const job = aChain([aFileSource(aFile("done.wav")), aCopyTo(join(farm.folder, "out-done")), tell(rest)]);
  const id = await farm.submit(job);
  const result = await resultOf(id);
  expect(result.job.status).toBe("completed");
  const [got, ...more] = told("/done");
  expect(more).toEqual([]);
  expect(got?.headers).toMatchObject({
    ...{ authorization: `Basic ${Buffer.from("user:a secret word").toString("base64")}`, "x-source": "done.wav" },
    ...{ "x-api-key": "another secret", "idempotency-key": `mediafarm-${id}-tell` },
  });
  expect(JSON.parse(got?.body ?? "")).toMatchObject({ status: "completed", job: { name: "a test's job" } });
  expect(receiptIn(result).results).toEqual({
    notify: {
      kind: "receipt",
      value: {
        ...{ method: "rest", receiver: receiver.url("/done"), status: 200 },
        ...{ answer: `thanks for ${got?.body.length}`, key: `mediafarm-${id}-tell` },
      },
    },
  });
  const kept = await farm.stored();
  expect([kept.includes("a secret word"), kept.includes("another secret")]).toEqual([false, false]);
  expect(JSON.stringify(result)).not.toMatch(/a secret word|another secret/);
});

test("a failure is told on the error branch, in the words of what failed", async () => {
  const [source, copy] = [aFileSource(join(farm.media, "missing.wav")), aCopyTo(join(farm.folder, "out-failed"))];
  const body = '{"failed": "{failed_element}", "why": "{error_cause}"}';
  const job = {
    name: "a test's job",
    payload: {
      elements: [source, copy, tell({ url: receiver.url("/failed"), body })],
      connections: [
        { from: [{ element: "source" }], to: { success: [{ element: "copy" }], error: [{ element: "tell" }] } },
      ],
    },
  };
  const info = await farm.untilEnded(await farm.submit(job));
  expect([info.status, info.substatus]).toEqual(["completed", "handled_errors"]);
  expect(JSON.parse(told("/failed")[0]?.body ?? "")).toEqual({ failed: "source", why: "source" });
});

test("a receiver that is out of order is told again as the job's retries say, with the same key", async () => {
  answers.push(503, 204);
  const task_retry = { count: 2, delay_sec: 0 };
  const id = await farm.submit(
    aChain([aFileSource(aFile("again.wav")), tell({ url: receiver.url("/again") })], { task_retry }),
  );
  const result = await resultOf(id);
  expect(result.job.status).toBe("completed");
  expect(told("/again").map(({ headers }) => headers["idempotency-key"])).toEqual(
    Array(2).fill(`mediafarm-${id}-tell`),
  );
  expect(result.errors.map(({ message }) => message.replace(/: thanks.*/, ""))).toEqual([
    `${receiver.url("/again")} answered 503`,
  ]);
  expect(receiptIn(result).logs.history.length).toBe(2);
}, 120_000);

test("an address that the node may not reach is refused, also where a receiver leads there", async () => {
  const ids = await Promise.all(
    ["http://169.254.169.254/latest/meta-data/", "http://2130706433:1/", receiver.url("/inwards")].map((url) =>
      farm.submit(aChain([aFileSource(aFile("guard.wav")), tell({ url })])),
    ),
  );
  const errors = await Promise.all(ids.map(async (id) => (await farm.untilEnded(id)).error));
  expect(errors).toEqual([
    "tell: 169.254.169.254 is a metadata address, which this node may not reach. An owner of the farm allows it with: mediafarm outbound add 169.254.169.254; the node's operator with --allow-outbound",
    "tell: 127.0.0.1 is a loopback address, which this node may not reach. An owner of the farm allows it with: mediafarm outbound add 127.0.0.1; the node's operator with --allow-outbound",
    "tell: 169.254.169.254 is a metadata address, which this node may not reach. An owner of the farm allows it with: mediafarm outbound add 169.254.169.254; the node's operator with --allow-outbound",
  ]);
});
