import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { type WebSocket, WebSocketServer } from "ws";
import { toRevealedJson } from "../../../shared/basics/secret.ts";
import { encodeJoinToken } from "../../../shared/credentials/join-token.ts";
import {
  type AgentMessage,
  type Assignment,
  agentMessage,
  type CoordinatorMessage,
  coordinatorMessage,
  type Fence,
  fenceKey,
  type Hello,
  protocolVersion,
} from "../../../shared/protocol/messages.ts";

type Kind = AgentMessage["type"];
type Of<K extends Kind> = Extract<AgentMessage, { type: K }>;

export type FakeCoordinatorOptions = {
  readonly epoch?: number;
  /** An agent takes a coordinator for silent after three of them: by default longer than a busy machine stands still. */
  readonly heartbeatMs?: number;
  readonly port?: number;
  /** Answers to hello; by default a welcome that keeps everything. */
  readonly answer?: (hello: Hello) => CoordinatorMessage | undefined;
  readonly grants?: boolean;
  readonly takes?: boolean;
  readonly answersPings?: boolean;
};

/** A real WebSocket server that plays the coordinator, one agent at a time. */
export const startFakeCoordinator = async (options: FakeCoordinatorOptions = {}) => {
  const { epoch = 1, heartbeatMs = 20_000, grants = true, takes = true } = options;
  const { answersPings: autoPong = true } = options;
  const server = new WebSocketServer({ port: options.port ?? 0, host: "127.0.0.1", path: "/v1/agent", autoPong });
  let pings = 0;
  await once(server, "listening");
  const received: AgentMessage[] = [];
  const waiting = new Set<() => void>();
  let socket: WebSocket | undefined;

  const welcome = (hello: Hello, keep?: Fence[]): CoordinatorMessage => ({
    type: "welcome",
    protocol: protocolVersion,
    epoch,
    nodeId: 7,
    nodeKey: "joinToken" in hello.credentials ? "key-of-7" : undefined,
    heartbeatMs,
    keep: keep ?? hello.attempts.map(({ fence }) => fence),
  });
  const send = (message: CoordinatorMessage): void =>
    socket?.send(toRevealedJson(coordinatorMessage.parse(JSON.parse(toRevealedJson(message)))));
  const answer = (message: AgentMessage): void => {
    if (message.type === "hello") {
      const said = options.answer ? options.answer(message) : welcome(message);
      if (said) send(said);
    }
    if (message.type === "commit" && grants) send({ type: "granted", epoch, fence: message.fence });
    if (message.type === "report" && takes) send({ type: "stored", epoch, fence: message.report.fence });
  };
  server.on("connection", (each) => {
    socket = each;
    each.on("ping", () => {
      pings += 1;
    });
    each.on("message", (data) => {
      const message = agentMessage.parse(JSON.parse(String(data)));
      received.push(message);
      answer(message);
      for (const look of waiting) look();
    });
  });

  /** The message of that kind with this index, as soon as it has come. */
  const receive = <K extends Kind>(kind: K, index = 0): Promise<Of<K>> =>
    new Promise((resolve) => {
      const look = (): void => {
        const found = received.filter((message) => message.type === kind)[index];
        if (!found) return;
        waiting.delete(look);
        resolve(found as Of<K>); // filtered by its kind just above
      };
      waiting.add(look);
      look();
    });

  const { port } = server.address() as AddressInfo; // it listens on a port, not on a pipe
  const url = `ws://127.0.0.1:${port}/v1/agent`;
  return {
    port,
    url,
    token: encodeJoinToken({ url, farmId: "farm-1", secret: "s3cret" }),
    received,
    receive,
    welcome,
    send,
    pings: () => pings,
    sendRaw: (text: string) => socket?.send(text),
    assign: (assignment: Assignment) => send({ type: "assign", epoch, assignment }),
    reportOf: async (fence: Fence) => {
      for (let index = 0; ; index++) {
        const { report } = await receive("report", index);
        if (fenceKey(report.fence) === fenceKey(fence)) return report;
      }
    },
    /** Cuts the line without a word. */
    cut: () => socket?.terminate(),
    pauseReading: () => socket?.pause(),
    stop: async () => {
      for (const client of server.clients) client.terminate();
      await new Promise((resolve) => server.close(resolve));
    },
  };
};
