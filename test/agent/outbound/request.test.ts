import { createServer } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { createGuard, type Resolve } from "../../../agent/outbound/guard.ts";
import { createSend, type OutboundRequest, usualLimits } from "../../../agent/outbound/request.ts";
import { systemClock } from "../../../shared/basics/system-clock.ts";
import { TaskError } from "../../../shared/model/failure.ts";
import { parseRule } from "../../../shared/outbound/rules.ts";
import { startReceiver } from "../../helpers/processes/receiver.ts";

const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

const aReceiver = async (...answer: Parameters<typeof startReceiver>) => {
  const receiver = await startReceiver(...answer);
  ends.push(receiver.close);
  return receiver;
};

type Setting = { readonly allow?: string[]; readonly resolve?: Resolve; readonly timeMs?: number };

const sender = ({ allow = ["127.0.0.1"], resolve, timeMs = 5000 }: Setting = {}) => {
  const rules = allow.map((text) => parseRule(text)).filter((rule) => rule !== undefined);
  const send = createSend(
    createGuard(() => rules, resolve),
    systemClock,
    { ...usualLimits, timeMs },
  );
  return (url: string, more: Partial<OutboundRequest> = {}) =>
    send({ method: "POST", url, headers: {}, body: "hello", signal: new AbortController().signal, ...more });
};

const problem = async (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => "no problem",
    (error) => (error instanceof TaskError ? `${error.failure.cause}: ${error.message}` : String(error)),
  );

describe("a request", () => {
  test("arrives whole, and its answer comes back", async () => {
    const receiver = await aReceiver((_request, response) =>
      response.writeHead(202, { "content-type": "text/plain" }).end("taken"),
    );
    const answer = await sender()(receiver.url("/hook?token=secret"), { headers: { "x-a": "b" } });
    expect(answer).toEqual({
      ...{ status: 202, type: "text/plain", body: "taken", isCut: false },
      ...{ from: receiver.url("/hook"), redirects: 0, retryAfterMs: 0 },
    });
    expect(receiver.received).toMatchObject([
      { method: "POST", url: "/hook?token=secret", body: "hello", headers: { "x-a": "b", "content-length": "5" } },
    ]);
  });

  test.each([
    "http://127.0.0.1:1/",
    "http://2130706433/",
    "http://0x7f.1/",
    "http://0177.0.0.1/",
    "http://[::1]/",
    "http://[::ffff:127.0.0.1]/",
    "http://127.1:8080/",
    "http://169.254.169.254/latest/meta-data/",
    "http://[fd00:ec2::254]/",
    "http://10.0.0.1/",
    "http://0/",
  ])("to %s is refused", async (url) => {
    expect(await problem(sender({ allow: ["public"] })(url))).toMatch(
      /^capability: \S+ is a (loopback|metadata|private) address, which this node may not reach\./,
    );
  });

  test.each(["file:///etc/passwd", "ftp://127.0.0.1/", "nonsense", "gopher://127.0.0.1/"])(
    "to %s is no request",
    async (url) => {
      expect(await problem(sender()(url))).toMatch(/^definition: ".*" is no http or https address$/);
    },
  );

  test("goes to the address that was checked, whatever its name says afterwards", async () => {
    const receiver = await aReceiver();
    const said = ["127.0.0.1", "169.254.169.254"];
    const send = sender({ resolve: async () => [said.shift() ?? "169.254.169.254"] });
    const answer = await send(`http://rebinding.example:${receiver.port}/`);
    expect([answer.status, receiver.received[0]?.headers.host]).toEqual([200, `rebinding.example:${receiver.port}`]);
    expect(await problem(send(`http://rebinding.example:${receiver.port}/`))).toContain("metadata address");
  });

  test("is refused where one of several addresses of a name is forbidden", async () => {
    const send = sender({ allow: ["public"], resolve: async () => ["93.184.216.34", "127.0.0.1"] });
    expect(await problem(send("http://two.example/"))).toBe(
      "capability: two.example (127.0.0.1) is a loopback address, which this node may not reach. An owner of the farm allows it with: mediafarm outbound add two.example; the node's operator with --allow-outbound",
    );
  });

  test("follows a redirect to another origin without credentials", async () => {
    const target = await aReceiver();
    const first = await aReceiver((_request, response) =>
      response.writeHead(307, { location: target.url("/there") }).end(),
    );
    const headers = { authorization: "Basic x", "x-key": "y", "idempotency-key": "k" };
    const answer = await sender()(first.url(), { headers, method: "GET", body: undefined });
    expect([answer.status, answer.redirects, answer.from]).toEqual([200, 1, target.url("/there")]);
    const [got] = target.received;
    expect([got?.method, got?.body, got?.headers["idempotency-key"]]).toEqual(["GET", "", "k"]);
    expect([got?.headers.authorization, got?.headers["x-key"]]).toEqual([undefined, undefined]);
  });

  test.each([307, 308])("brings no body to another origin, whatever it redirects by: %s", async (status) => {
    const target = await aReceiver();
    const first = await aReceiver((_request, response) => response.writeHead(status, { location: target.url() }).end());
    expect(await problem(sender()(first.url()))).toBe(
      `receiver: 127.0.0.1:${first.port} redirects to 127.0.0.1:${target.port}, which was not named to get what is sent: name its address instead`,
    );
    expect(target.received).toEqual([]);
  });

  test("brings a body to another path of its own origin", async () => {
    const receiver = await aReceiver(({ url }, response) =>
      (url === "/hook" ? response.writeHead(307, { location: "/there" }) : response.writeHead(200)).end(),
    );
    expect((await sender()(receiver.url("/hook"))).redirects).toBe(1);
    expect(receiver.received.map(({ body }) => body)).toEqual(["hello", "hello"]);
  });

  test("does not follow a redirect to a forbidden address", async () => {
    for (const location of ["http://169.254.169.254/latest", "http://[::1]:1/", "http://0x7f000002/"]) {
      const receiver = await aReceiver((_request, response) => response.writeHead(302, { location }).end());
      expect(await problem(sender()(receiver.url()))).toContain("which this node may not reach");
    }
  });

  test("does not follow a redirect to another protocol, nor in circles", async () => {
    const file = await aReceiver((_request, response) => response.writeHead(302, { location: "file:///etc/x" }).end());
    expect(await problem(sender()(file.url()))).toBe(
      "receiver: The receiver redirects to file:, which is neither http nor https",
    );
    const circle = await aReceiver((_request, response) => response.writeHead(302, { location: "/again" }).end());
    expect(await problem(sender()(circle.url("/a")))).toBe(`receiver: ${circle.url("/a")} redirects more than 5 times`);
  });

  test("ends when the receiver is silent for too long, or never stops", async () => {
    const silent = await aReceiver(() => undefined);
    expect(await problem(sender({ timeMs: 100 })(silent.url()))).toBe(
      `receiver: ${silent.url()} did not answer within 0.1 s`,
    );
    const slow = await aReceiver((_request, response) => void response.writeHead(200).write("a"));
    expect(await problem(sender({ timeMs: 100 })(slow.url()))).toContain("did not answer within");
    const endless = await aReceiver((_request, response) => {
      const more = () => {
        while (response.write("x".repeat(10_000)));
      };
      response.on("drain", more);
      more();
    });
    const answer = await sender()(endless.url());
    expect([answer.status, answer.body.length, answer.isCut]).toEqual([200, usualLimits.answerBytes, true]);
  });

  test("ends when a name is never found", async () => {
    const send = sender({ timeMs: 100, resolve: () => new Promise(() => undefined) });
    expect(await problem(send("http://slow.example/"))).toBe(
      "receiver: http://slow.example/ did not answer within 0.1 s",
    );
  });

  test("fails where the receiver dies, lies about its answer, speaks another language or is not there", async () => {
    const dying = await aReceiver((_request, response) => void response.destroy());
    expect(await problem(sender()(dying.url()))).toBe(
      `receiver: ${dying.url()}: the receiver closed the connection before its answer was whole`,
    );
    const lying = await aReceiver((_request, response) => {
      response.writeHead(200, { "content-length": "100" });
      response.write("short");
      setTimeout(() => response.destroy(), 20);
    });
    expect(await problem(sender()(lying.url()))).toContain("before its answer was whole");
    const babble = createServer((socket) => void socket.resume().end("220 mail.example ESMTP\r\n"));
    await new Promise<void>((resolve) => babble.listen(0, "127.0.0.1", resolve));
    ends.push(() => new Promise((resolve) => babble.close(resolve)));
    const { port } = babble.address() as { port: number };
    expect(await problem(sender()(`http://127.0.0.1:${port}/`))).toMatch(/^receiver: .*(Parse Error|closed)/);
    const gone = await startReceiver();
    await gone.close();
    expect(await problem(sender()(gone.url()))).toMatch(/^receiver: .*ECONNREFUSED/);
  });

  test("ends with its attempt", async () => {
    const silent = await aReceiver(() => undefined);
    const attempt = new AbortController();
    const sending = sender()(silent.url(), { signal: attempt.signal });
    setTimeout(() => attempt.abort(new Error("stopped")), 20);
    expect(await problem(sending)).toBe("Error: stopped");
  });
});
