import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { createDeliver } from "../../../agent/outbound/deliver.ts";
import type { Delivery } from "../../../shared/outbound/delivery.ts";
import { createTestClock } from "../../helpers/clock.ts";
import { startReceiver } from "../../helpers/processes/receiver.ts";

type Receiver = Awaited<ReturnType<typeof startReceiver>>;
let receiver: Receiver;
let answer: Parameters<typeof startReceiver>[0];
const clock = createTestClock();
const deliver = createDeliver(clock);
const never = new AbortController().signal;

beforeEach(async () => {
  answer = (_request, response) => void response.writeHead(204).end();
  receiver = await startReceiver((request, response) => answer?.(request, response));
});
afterEach(() => receiver.close());

const message = (to: string, rules = [`127.0.0.1:${receiver.port}`]): Delivery => ({
  key: "msg_1",
  way: { by: "request", url: to, headers: { "webhook-signature": "v1,x" }, body: '{"a":1}', rules },
});
const send = () => deliver(message(receiver.url("/hook")), never);

test("a message that is taken says by which status", async () => {
  expect(await send()).toEqual({ isTaken: true, status: 204, answer: `${receiver.url("/hook")} answered 204` });
  expect(receiver.received).toMatchObject([
    { method: "POST", body: '{"a":1}', headers: { "webhook-signature": "v1,x" } },
  ]);
});

test("what a receiver repeats of its address or of secret headers is hidden, also where its words are cut", async () => {
  const key = "K".repeat(90);
  const parts: [string, string][] = [
    [`/services/T1/${key}`, `${"-".repeat(150)}<pre>Cannot POST /services/T1/${key}</pre>`],
    [`/${key}`, `bad key ${key.slice(0, 90)}`],
    [`/x?key=${key}&b=1`, `{"key":"${key}"}`],
    [`/%4b%4B/${key.replaceAll("K", "%4B")}`, `${"-".repeat(150)}${key}`],
    ["/x", `${"-".repeat(150)}Bearer ${key}`],
  ];
  for (const [path, words] of parts) {
    answer = (_request, response) => void response.writeHead(404).end(words);
    const { way, ...rest } = message(receiver.url(path));
    const secret = { authorization: `Bearer ${key}` };
    const told = await deliver(
      { ...rest, way: { ...way, ...(path === "/x" && { headers: secret }) } as typeof way },
      never,
    );
    expect(told.answer.slice(told.answer.indexOf("answered"))).not.toContain("KKKK");
  }
  const long = `/${"L".repeat(600)}`;
  expect((await deliver(message(receiver.url(long)), never)).answer).not.toContain("LL");
});

test("an address in the farm's own network is refused unless a rule allows it", async () => {
  await expect(deliver(message(receiver.url(), []), never)).rejects.toThrow("is a loopback address");
  expect(receiver.received).toEqual([]);
});

describe("a redirect is an answer, and not followed", () => {
  test.each([301, 302, 303, 307, 308])("%s to a forbidden address", async (status) => {
    const forbidden = await startReceiver();
    answer = (_request, response) => void response.writeHead(status, { location: forbidden.url("/inside") }).end();
    expect(await send()).toMatchObject({ isTaken: false, status, answer: expect.stringContaining("not followed") });
    expect([receiver.received.length, forbidden.received.length]).toEqual([1, 0]);
    await forbidden.close();
  });

  test.each(["http://169.254.169.254/latest/", "file:///etc/passwd", "/elsewhere", "not : an address"])(
    "to %s",
    async (location) => {
      answer = (_request, response) => void response.writeHead(307, { location }).end();
      expect(await send()).toMatchObject({ isTaken: false, status: 307 });
      expect(receiver.received).toHaveLength(1);
    },
  );
});

test("a receiver that never answers is given half a minute", async () => {
  answer = () => undefined;
  const sent = send();
  await vi.waitFor(() => expect(receiver.received).toHaveLength(1));
  const [problem] = await Promise.all([sent.catch(String), clock.advance(30_000)]);
  expect(problem).toMatch(/did not answer within 30 s/);
});

describe("a receiver that asks to wait", () => {
  const asked = async (status: number, header: string) => {
    answer = (_request, response) => {
      response.sendDate = false;
      response.writeHead(status, { "retry-after": header, date: "Sat, 28 Nov 2026 12:00:00 GMT" }).end();
    };
    return (await send()).retryAfterMs;
  };

  test("is heard with 429 and 503, in seconds or as a date by its own clock", async () => {
    expect(await asked(429, "120")).toBe(120_000);
    expect(await asked(503, "Sat, 28 Nov 2026 12:01:30 GMT")).toBe(90_000);
  });

  test.each([
    [429, "soon"],
    [429, "-5"],
    [503, "Sat, 28 Nov 2026 11:00:00 GMT"],
    [500, "120"],
    [204, "120"],
  ])("says nothing with %s and %s", async (status, header) => {
    expect(await asked(status, header)).toBeUndefined();
  });
});

describe("a receiver that lies", () => {
  test("about the length of its answer has not taken the message", async () => {
    answer = (_request, response) => {
      response.writeHead(200, { "content-length": "1000" }).write("ok");
      setImmediate(() => response.destroy());
    };
    await expect(send()).rejects.toThrow(/closed the connection before its answer was whole/);
  });

  test("with an answer without end costs little and is believed", async () => {
    answer = (_request, response) => {
      const more = () => response.writable && response.write("x".repeat(65_536), more);
      more();
    };
    expect(await send()).toMatchObject({ isTaken: true, status: 200 });
  });

  test("with a status that says no keeps the beginning of its words", async () => {
    answer = (_request, response) => void response.writeHead(503).end("later ".repeat(1000));
    const { isTaken, answer: said } = await send();
    expect([isTaken, said.startsWith(`${receiver.url("/hook")} answered 503: later`), said.length < 300]).toEqual([
      false,
      true,
      true,
    ]);
  });
});

test("what is under way ends with the coordinator", async () => {
  answer = () => undefined;
  const ending = new AbortController();
  const sent = deliver(message(receiver.url()), ending.signal);
  await vi.waitFor(() => expect(receiver.received).toHaveLength(1));
  ending.abort(new Error("the coordinator ends"));
  await expect(sent).rejects.toThrow("the coordinator ends");
});
