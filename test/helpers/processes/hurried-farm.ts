import { fork } from "node:child_process";
import { once } from "node:events";
import { Agent, type IncomingMessage, request } from "node:http";
import { connect } from "node:net";
import { join } from "node:path";
import { blockedIn, loopWatch, requireFreeLoop } from "../loop/blocked.ts";
import type { HostileRequest } from "../random/hostile.ts";

type Ready = Readonly<Record<"url" | "oapiKey" | "oapiSecret" | "authKey" | "authSecret", string>>;
export type Bytes = { readonly heap: number; readonly rss: number };
type Answer = { readonly status: number; readonly text: string };

/** Who has no answer by then has none: nothing that is asked of a farm takes so long. */
const patienceMs = 60_000;

/**
 * A coordinator of its own process whose memory can be asked for, and a client that sends it anything. Its close fails if
 * it kept its loop from others for too long, unless its memory is measured: the watch needs some itself.
 */
export const startHurriedFarm = async (folder: string, isWatched = true) => {
  const file = join(import.meta.dirname, "../fixtures/hurried-coordinator.ts");
  const execArgv = ["--expose-gc", ...(isWatched ? loopWatch : [])];
  const child = fork(file, [folder], { execArgv, stdio: ["ignore", "ignore", "pipe", "ipc"] });
  let stderr = "";
  child.stderr?.on("data", (chunk) => {
    stderr += chunk;
    process.stderr.write(chunk);
  });
  const heard = async <T>(): Promise<T> => {
    const [message] = await Promise.race([once(child, "message"), once(child, "exit").then(() => refuse())]);
    return message as T; // what the program sends
  };
  const { ready } = await heard<{ ready: Ready }>();
  const agent = new Agent({ keepAlive: true, maxSockets: 32 });
  const pair = Buffer.from(`${ready.oapiKey}:${ready.oapiSecret}`).toString("base64");
  const headers = { authorization: `Basic ${pair}`, "x-service-compliance": "20261101" };

  const begin = ({ method, path, body, headers: own }: HostileRequest, signed: Readonly<Record<string, string>>) => {
    const length = body === undefined ? {} : { "content-length": Buffer.byteLength(body) };
    const all = { ...signed, "content-type": "application/json", ...own, ...length };
    const asked = request(ready.url + path, { method, agent, headers: all, timeout: patienceMs });
    asked.on("timeout", () => asked.destroy(new Error(`no answer to ${method} ${path}`)));
    asked.end(body);
    return asked;
  };
  const answered = async (asked: ReturnType<typeof begin>): Promise<Answer> => {
    const [response] = (await once(asked, "response")) as [IncomingMessage]; // Node's events say nothing of their arguments
    const parts: Buffer[] = [];
    for await (const part of response) parts.push(part);
    return { status: response.statusCode ?? 0, text: Buffer.concat(parts).toString("utf8") };
  };

  const login = { auth_key: ready.authKey, auth_secret: ready.authSecret };
  const tokenBody = { method: "POST", path: "/login", body: JSON.stringify(login) } as const;
  const { token } = JSON.parse((await answered(begin(tokenBody, headers))).text);
  const signed = { ...headers, "x-service-sapiauth": token };

  return {
    ask: (asked: HostileRequest): Promise<Answer> => answered(begin(asked, signed)),
    /** Opens a stream of events and goes away when it has begun. */
    listenAndLeave: async (): Promise<number> => {
      const asked = begin({ method: "GET", path: "/events" }, signed);
      const [response] = (await once(asked, "response")) as [IncomingMessage];
      asked.on("error", () => {}); // it is cut off on purpose
      response.destroy();
      asked.destroy();
      return response.statusCode ?? 0;
    },
    /** Bytes that are no request, or not all of one, from somebody who then hangs up. */
    mumble: async (bytes: string): Promise<void> => {
      const { hostname, port } = new URL(ready.url);
      const socket = connect(Number(port), hostname);
      socket.on("error", () => {}); // who is cut off may be told so
      await once(socket, "connect");
      socket.end(bytes, "latin1").resume();
      await once(socket, "close");
    },
    bytes: async (): Promise<Bytes> => {
      child.send("how many?");
      return (await heard<{ bytes: Bytes }>()).bytes;
    },
    close: async (): Promise<void> => {
      agent.destroy();
      const gone = once(child, "exit");
      child.disconnect();
      await gone;
      requireFreeLoop(blockedIn(stderr));
    },
  };
};

const refuse = (): never => {
  throw new Error("the coordinator has ended; what it said stands above");
};
