import { WebSocket } from "ws";
import {
  type AgentMessage,
  type CoordinatorMessage,
  coordinatorMessage,
  type Hello,
  maxMessageBytes,
} from "../../shared/protocol/messages.ts";

export type LineNeeds = {
  /** Where to connect; asked before every try. */
  readonly url: string | (() => string);
  readonly hello: () => Hello;
  readonly onMessage: (message: CoordinatorMessage) => void;
  readonly onNonsense: (text: string) => void;
  /** Milliseconds until the next try after a lost line. */
  readonly patience: () => number;
  /** How many heartbeats it says at a time; default: one. */
  readonly beats?: number;
};

/** A node's line to the coordinator: opened again whenever it is lost, and able to freeze. */
export const openLine = ({ url, hello, onMessage, onNonsense, patience, beats = 1 }: LineNeeds) => {
  let socket: WebSocket | undefined;
  let beat: NodeJS.Timeout | undefined;
  let retry: NodeJS.Timeout | undefined;
  let isFrozen = false;
  let isOver = false;
  let held: (() => void)[] = [];
  let lastHeard = 0;
  const noteWord = (): void => {
    lastHeard = performance.now();
  };

  /** What comes while the node is frozen is there when it wakes. */
  const later = (fn: () => void): void => {
    if (isFrozen) held.push(fn);
    else fn();
  };

  const open = (): void => {
    const at = typeof url === "string" ? url : url();
    const now = new WebSocket(at, { maxPayload: maxMessageBytes, perMessageDeflate: false, handshakeTimeout: 5000 });
    socket = now;
    lastHeard = performance.now();
    now.on("pong", noteWord);
    now.on("message", noteWord);
    now.on("open", () => later(() => now.send(JSON.stringify(hello()))));
    now.on("message", (data) => later(() => now === socket && hear(String(data))));
    now.on("error", () => undefined); // the close that follows says it all
    now.on("close", () => later(() => now === socket && lost()));
  };

  const hear = (text: string) => {
    const parsed = coordinatorMessage.safeParse(JSON.parse(text));
    if (!parsed.success) return onNonsense(text.slice(0, 200));
    if (parsed.data.type === "welcome") startBeating(parsed.data.heartbeatMs);
    onMessage(parsed.data);
  };

  const startBeating = (everyMs: number): void => {
    clearInterval(beat);
    beat = setInterval(() => {
      if (isFrozen) return;
      // As a real agent does: a coordinator that is silent for three heartbeats counts as gone.
      if (performance.now() - lastHeard > 3 * everyMs) return socket?.terminate();
      for (let nth = 0; nth < beats; nth += 1) send({ type: "heartbeat" });
      if (socket?.readyState === WebSocket.OPEN) socket.ping();
    }, everyMs);
  };

  const lost = (): void => {
    clearInterval(beat);
    socket = undefined;
    if (!isOver) retry = setTimeout(open, patience());
  };

  const send = (message: AgentMessage): void => sendRaw(JSON.stringify(message));
  const sendRaw = (text: string): void => {
    if (socket?.readyState === WebSocket.OPEN) socket.send(text);
  };

  open();
  return {
    send: (message: AgentMessage): void => later(() => send(message)),
    sendRaw,
    cut: (): void => socket?.terminate(),
    freeze: (): void => {
      isFrozen = true;
    },
    thaw: (): void => {
      isFrozen = false;
      noteWord();
      const waiting = held;
      held = [];
      for (const fn of waiting) fn();
    },
    isFrozen: (): boolean => isFrozen,
    end: (): void => {
      isOver = true;
      clearInterval(beat);
      clearTimeout(retry);
      socket?.terminate();
    },
  };
};
