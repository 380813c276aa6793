import { EventEmitter } from "node:events";
import type { Journal } from "../engine/journal.ts";
import { here, type Life } from "../engine/life.ts";
import type { Loop } from "../engine/loop.ts";
import type { Random } from "../engine/random.ts";
import { locationIn } from "../system/servers.ts";

/** After so long a socket that said goodbye waits for no answer. */
const closeTimeoutMs = 30_000;

/** What the product's sockets are here: the part of `WebSocket` that it uses. */
export class SimulatedSocket extends EventEmitter {
  readonly CONNECTING = 0;
  readonly OPEN = 1;
  readonly CLOSED = 3;
  readyState = 0;
  bufferedAmount = 0;
  isPaused = false;
  /** What it says arrives nowhere any more. */
  isLost = false;
  peer: SimulatedSocket | undefined;
  readonly life: Life;
  /** Another one after it was sent to another address. */
  way: Way;
  #unread: (() => void)[] = [];

  constructor(life: Life, way: Way) {
    super();
    this.life = life;
    this.way = way;
  }

  send(text: string): void {
    if (this.readyState !== 1 || this.life.isOver()) return;
    this.bufferedAmount += text.length;
    this.way.said(text);
    this.way.carry(this, `${this.way.name} ${kindOf(text)}`, () => {
      this.bufferedAmount -= text.length;
      this.peer?.hear("message", Buffer.from(text), false);
    });
  }

  ping(): void {
    this.way.carry(this, "ping", () => {
      this.peer?.hear("ping");
      this.peer?.way.carry(this.peer, "pong", () => this.hear("pong"));
    });
  }

  /** Says goodbye; the other side's answer ends it. */
  close(): void {
    if (this.readyState >= 2) return;
    this.readyState = 2;
    this.#endIfLost();
    this.way.carry(this, "close", () => {
      const { peer } = this;
      peer?.end();
      if (peer) peer.way.carry(peer, "close", () => this.end());
    });
  }

  /** Ends it here at once; the other side hears of it when the line lets it. */
  terminate(): void {
    if (this.readyState === 3) return;
    this.way.carry(this, "reset", () => this.peer?.end());
    this.life.after(0, () => this.end());
    this.readyState = 2;
  }

  lose(): void {
    this.isLost = true;
    if (this.readyState === 2) this.#endIfLost();
  }

  /** Nobody answers its goodbye. */
  #endIfLost(): void {
    if (this.isLost) this.life.after(closeTimeoutMs, () => this.end());
  }

  pause(): void {
    this.isPaused = true;
  }

  resume(): void {
    this.isPaused = false;
    for (const each of this.#unread.splice(0)) this.life.after(0, each);
  }

  hear(event: string, ...about: unknown[]): void {
    if (this.readyState === 3) return;
    if (this.isPaused && event === "message") this.#unread.push(() => this.#tell(event, ...about));
    else this.life.meet(() => this.#tell(event, ...about));
  }

  #tell(event: string, ...about: unknown[]): void {
    if (event === "message") this.way.heard(String(about[0]));
    this.emit(event, ...about);
  }

  end(problem?: Error): void {
    if (this.readyState === 3) return;
    this.readyState = 3;
    this.life.meet(() => {
      if (problem) this.emit("error", problem);
      this.emit("close", 1006, Buffer.alloc(0));
    });
  }
}

/** The kind of a message, and the attempt that it is about. */
const kindOf = (text: string): string => {
  const kind = /"type":"(\w+)"/.exec(text)?.[1] ?? "?";
  const counter = /"counter":(\d+)/.exec(text)?.[1];
  return counter === undefined || kind === "hello" || kind === "welcome" ? kind : `${kind} #${counter}`;
};

/** One direction of a line. What it carries arrives in order, later or never. */
export type Way = {
  readonly name: string;
  readonly said: (text: string) => void;
  /** Whoever speaks this way has heard what the other side said. */
  readonly heard: (text: string) => void;
  readonly carry: (from: SimulatedSocket, what: string, arrive: () => void) => void;
  /** Nothing arrives until it goes on: neither side learns of it. */
  isStalled: boolean;
  delayMs: number;
  readonly goOn: () => void;
};

/** The line between one machine and a coordinator. */
export type NetLine = {
  readonly up: Way;
  readonly down: Way;
  readonly sockets: Set<SimulatedSocket>;
};

export type Network = ReturnType<typeof createNetwork>;

type Needs = { readonly loop: Loop; readonly journal: Journal; readonly random: Random };

/** Who answers at an address: a leader takes connections, who stands by says where the leader is. */
type Listener = { readonly life: Life } & (
  | { readonly take: (socket: SimulatedSocket) => void }
  | { readonly ask: (url: string) => Promise<string> }
);

const handshakeMs = 10_000;
const mostRedirects = 2;
/** Where a farm is that has one coordinator. */
export const onlyHost = "farm:8700";
/** What a message takes at the mean, in milliseconds. */
export const usualDelayMs = 2;

export const createNetwork = ({ loop, journal, random }: Needs) => {
  const lines = new Map<string, NetLine>();
  const listeners = new Map<string, Listener>();

  const lineOf = (name: string, host = onlyHost): NetLine => {
    const key = `${name} ${host}`;
    const known = lines.get(key);
    if (known) return known;
    const [up, down] = [createWay("up", name, host), createWay("down", name, host)];
    const line = { up, down, sockets: new Set<SimulatedSocket>() };
    lines.set(key, line);
    return line;
  };

  const createWay = (name: string, owner: string, host: string): Way => {
    let last = 0;
    const held: (() => void)[] = [];
    const begin = (arrive: () => void): void => {
      last = Math.max(last, loop.now() + way.delayMs * (0.2 + random.fraction()));
      loop.after(last - loop.now(), () => (way.isStalled ? held.push(() => begin(arrive)) : arrive()));
    };
    const way: Way = {
      ...{ name, isStalled: false, delayMs: usualDelayMs },
      said: (text) => network.onSaid(owner, text, name, host),
      heard: (text) => network.onHeard(owner, text, name),
      carry: (from, what, arrive) =>
        begin(() => {
          if (from.isLost) return;
          const { peer } = from;
          if (peer && (peer.life.isOver() || peer.readyState === peer.CLOSED))
            return what === "reset" ? undefined : refuse(from, peer);
          journal.note(owner, "message", what);
          arrive();
        }),
      goOn: () => {
        way.isStalled = false;
        for (const each of held.splice(0)) each();
      },
    };
    return way;
  };

  /** Nobody is there any more who knows of the connection: a machine that runs says so, one without power does not. */
  const refuse = (from: SimulatedSocket, peer: SimulatedSocket): void => {
    const { life } = peer.life.owner as { readonly life?: () => Life | undefined }; // a machine, or people
    if (life?.()) peer.way.carry(peer, "reset", () => from.end());
  };

  const reach = (client: SimulatedSocket, url: string, redirects: number): void => {
    const { host } = new URL(url);
    const line = lineOf(client.life.owner.name, host);
    client.way = line.up;
    line.sockets.add(client);
    line.up.carry(client, "connect", () => {
      const listener = listeners.get(host);
      if (!listener || listener.life.isOver()) {
        loop.after(line.down.delayMs, () => give(client, "connect ECONNREFUSED"));
        return;
      }
      const server = new SimulatedSocket(listener.life, line.down);
      server.peer = client;
      if ("ask" in listener) return send(client, server, { url, redirects, ask: listener.ask });
      client.peer = server;
      server.readyState = 1;
      line.sockets.add(server);
      const { take } = listener;
      listener.life.meet(() => take(server));
      line.down.carry(server, "connected", () => {
        if (client.readyState !== 0) return;
        client.readyState = 1;
        client.hear("open");
      });
    });
  };

  const give = (client: SimulatedSocket, problem: string) => client.readyState === 0 && client.end(new Error(problem));

  type Sending = { readonly url: string; readonly redirects: number; readonly ask: (url: string) => Promise<string> };

  /** Who stands by says where the leader is. */
  const send = (client: SimulatedSocket, server: SimulatedSocket, { url, redirects, ask }: Sending): void =>
    server.life.meet(() => {
      void ask(new URL(url).pathname).then((answer) =>
        server.way.carry(server, "answer", () => {
          if (client.readyState !== 0) return;
          const location = locationIn(answer);
          if (location === undefined || redirects === mostRedirects) give(client, "Unexpected server response");
          else reach(client, location, redirects + 1);
        }),
      );
    });

  const network = {
    /** Hears every message as it leaves: of which machine's line, its text, and at which address the coordinator is. */
    onSaid: (_owner: string, _text: string, _way: string, _host: string): void => undefined,
    /** Hears every message as a program takes it: of which machine's line, its text, and the way in which that program speaks. */
    onHeard: (_owner: string, _text: string, _way: string): void => undefined,
    lineOf,
    all: (): readonly NetLine[] => [...lines.values()],
    /** Whoever answers at this address from now on; undefined: nobody. */
    listen: (host: string, listener: Listener | undefined): void => {
      if (listener) listeners.set(host, listener);
      else listeners.delete(host);
    },
    /** A connection of the machine that asks, to the coordinator at this address, or to the one that it names. */
    connect: (url: string): SimulatedSocket => {
      const life = here();
      const client = new SimulatedSocket(life, lineOf(life.owner.name, new URL(url).host).up);
      life.after(handshakeMs, () => give(client, "Opening handshake has timed out"));
      reach(client, url, 0);
      return client;
    },
    /** Both sides learn at once that the connection is gone. */
    cut: (line: NetLine): void => {
      for (const socket of line.sockets) socket.end(new Error("read ECONNRESET"));
      line.sockets.clear();
    },
    /** One side learns that the connection is gone; the other one when it says something next. */
    forget: (line: NetLine, side: "up" | "down"): void => {
      for (const socket of line.sockets) if (socket.way === line[side]) socket.end(new Error("read ECONNRESET"));
    },
    /** A firewall on the way forgets the connections: nothing gets through any more, and nobody is told. New ones work. */
    lose: (line: NetLine): void => {
      for (const socket of line.sockets) socket.lose();
    },
    /** A program ends its connections. */
    hangUp: (life: Life): void => {
      for (const { sockets } of lines.values())
        for (const socket of sockets) if (socket.life === life) socket.terminate();
    },
    /** The process behind these sockets was killed: its system tells the others. */
    dropLife: (life: Life): void => {
      for (const { sockets } of lines.values()) {
        for (const socket of sockets) {
          if (socket.life !== life) continue;
          sockets.delete(socket);
          const { peer } = socket;
          if (peer) socket.way.carry(socket, "reset", () => peer.end());
        }
      }
    },
  };
  return network;
};
