import { EventEmitter } from "node:events";
import { here } from "../engine/life.ts";
import { system } from "./machine.ts";

/** What the product uses of `node:http` while a coordinator stands by: it answers, and keeps no connection. */
export class Door extends EventEmitter {
  maxConnections = 0;
  requestTimeout = 0;
  headersTimeout = 0;

  listen(_port: number, _host: string, listening: () => void): void {
    system().door = this;
    here().after(0, listening);
  }

  close(closed: () => void): void {
    if (system().door === this) system().door = undefined;
    here().after(0, closed);
  }

  closeAllConnections(): void {}

  /** The head of its answer to who wants a WebSocket at this path. */
  ask(url: string): Promise<string> {
    return new Promise((resolve) => {
      const socket = { on: () => socket, end: resolve, destroy: () => undefined };
      this.emit("upgrade", { url }, socket);
    });
  }
}

export const http = { createServer: (): Door => new Door() };

/** Where an answer sends its reader. */
export const locationIn = (answer: string): string | undefined =>
  answer.startsWith("HTTP/1.1 307 ") ? /^location: (\S+)\r$/m.exec(answer)?.[1] : undefined;
