import { createSocket } from "node:dgram";
import { connect, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import type { Ground } from "../ground.ts";
import type { Store } from "../store/store.ts";
import { framed, parseSyslogAddress, type SyslogAddress, syslogMessage } from "./syslog.ts";

type Needs = Pick<Ground, "config" | "clock" | "log"> & {
  readonly store: Pick<Store, "records" | "trail">;
  readonly host: string;
};

const recordKey = "syslog_sent";
const sentAtOnce = 200;
/** After a failure it is tried again in this time; the log tells it once in this time. */
const retryMs = 30_000;
const patienceMs = 10_000;

/** A way for some messages; rejects if they cannot be handed over. */
type Way = { readonly send: (messages: readonly string[]) => Promise<void>; readonly close: () => void };

/**
 * Passes lines on to syslog, each from the last one that was handed over on: what a server misses while it is down comes
 * later. Over UDP nobody says whether it arrived.
 */
export const createSyslogSender = ({ config, clock, log, store, host }: Needs) => {
  if (config.syslog === undefined) return { look: async () => {}, close: () => {} };
  const address = parseSyslogAddress(config.syslog);
  const about = { host, pid: process.pid };
  let way: Way | undefined;
  let sent: number | undefined;
  let retryAt = 0;

  const pass = async (): Promise<void> => {
    sent ??= Number((await store.records.get("farm", recordKey)) ?? 0);
    for (;;) {
      const rows = await store.trail.after(sent, sentAtOnce);
      const last = rows.at(-1);
      if (!last) return;
      way ??= openWay(address);
      await way.send(rows.map((row) => syslogMessage(row, about)));
      sent = last.id;
      await store.records.change("farm", recordKey, () => String(last.id));
    }
  };
  return {
    /** Sends what is new. */
    look: async (): Promise<void> => {
      if (clock.monotonic() < retryAt) return;
      try {
        await pass();
      } catch (problem) {
        way?.close();
        way = undefined;
        retryAt = clock.monotonic() + retryMs;
        log.warn({ err: problem }, "the audit cannot be passed on to syslog; it is tried again");
      }
    },
    close: (): void => way?.close(),
  };
};

const openWay = (address: SyslogAddress): Way =>
  address.kind === "udp" ? openDatagrams(address) : openStream(address);

const openDatagrams = ({ host, port }: Extract<SyslogAddress, { host: string }>): Way => {
  const socket = createSocket(host.includes(":") ? "udp6" : "udp4");
  socket.on("error", () => {}); // each send tells its own
  const sendOne = (message: string) =>
    new Promise<void>((resolve, reject) =>
      socket.send(message, port, host, (problem) => (problem ? reject(problem) : resolve())),
    );
  return {
    send: async (messages) => {
      for (const message of messages) await sendOne(message);
    },
    close: () => socket.close(),
  };
};

/** Whoever closes the connection has not taken what was written last. */
const openStream = (address: Exclude<SyslogAddress, { kind: "udp" }>): Way => {
  const socket = connectTo(address);
  const broken = Promise.withResolvers<never>();
  broken.promise.catch(() => undefined); // told by the next send
  socket.on("error", broken.reject);
  socket.on("close", () => broken.reject(new Error("The syslog server closed the connection")));
  socket.setTimeout(0);
  socket.resume();
  const write = (text: string) =>
    new Promise<void>((resolve, reject) => {
      socket.setTimeout(patienceMs, () => socket.destroy(new Error("The syslog server takes nothing")));
      socket.write(text, (problem) => {
        socket.setTimeout(0);
        if (problem) reject(problem);
        else resolve();
      });
    });
  return {
    send: (messages) => Promise.race([write(messages.map(framed).join("")), broken.promise]),
    close: () => socket.destroy(),
  };
};

const connectTo = (address: Exclude<SyslogAddress, { kind: "udp" }>): Socket => {
  if (address.kind === "unix") return connect({ path: address.path });
  const { host, port } = address;
  return address.kind === "tls" ? connectTls({ host, port, servername: host }) : connect({ host, port });
};
