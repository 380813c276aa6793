import { randomBytes } from "node:crypto";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { type Client, createClient } from "../../shared/api/client.ts";
import { startRelay } from "../chaos/relay.ts";
import { exitOf, type Program, startProgram, stop, until } from "../helpers/processes/farm-processes.ts";
import { canMount, mountSmallDisk, unmountDisk } from "../helpers/processes/small-disk.ts";
import { randomFrom } from "../helpers/random/random.ts";
import { startPostgresPair } from "../servers/postgres-pair.ts";
import { freePort } from "../servers/process.ts";
import { type Book, createBook } from "../stress/book.ts";
import { createFakeDisk, type FakeDisk } from "../stress/fake-disk.ts";
import { type FakeNode, startFakeNode } from "../stress/fake-node.ts";
import { fakeTime } from "./fake-time.ts";
import { watchRows } from "./watched-rows.ts";

/** The farm's patience; the lease is the usual one. */
const timing = { heartbeatMs: 500, lateMs: 2500, lostMs: 6000, tickMs: 200, commitWaitMs: 30_000 };
const nodeCount = 10;
const coordinatorCount = 3;
/** Of a server's disk, where it is to be a small one. */
const diskMegabytes = 200;
/** Longer than any pause of a sound coordinator, so that a silent address is left. */
const requestMs = 3000;
/** So long a coordinator is left ended before it is started again. */
const restartMs = 200;

type Started = {
  readonly join_token: string;
  readonly oapi_key: string | null;
  readonly oapi_secret: string | null;
  readonly auth_key: string | null;
  readonly auth_secret: string | null;
};

/** One coordinator, the ways to it and from it to the database, and its clock. */
export type Place = {
  readonly nth: number;
  /** Between it and its agents and clients. */
  readonly agents: Awaited<ReturnType<typeof startRelay>>;
  readonly database: Awaited<ReturnType<typeof startRelay>>;
  /** Sets its clock so many seconds ahead, or back. */
  readonly setClock: (seconds: number) => void;
  /** Nobody starts it again while a fault wants it to be away. */
  isHeld: boolean;
  program: Program;
};

export type World = Awaited<ReturnType<typeof openWorld>>;

export const hasSmallDisks = canMount();

/** Three coordinators behind relays, a database and its synchronous standby, and ten nodes over real sockets. */
export const openWorld = async (seed: number) => {
  const folder = mkdtempSync(join(tmpdir(), "mediafarm-coordinators-"));
  chmodSync(folder, 0o711); // the database's own user has to get through it
  const disks: string[] = [];
  const makeFolder = (path: string): void => {
    mkdirSync(path, { recursive: true });
    if (!hasSmallDisks) return;
    mountSmallDisk(path, diskMegabytes);
    disks.push(path);
  };
  const pair = await startPostgresPair({ folder: join(folder, "postgres"), makeFolder });
  const key = randomBytes(32).toString("base64");
  const time = fakeTime();

  const ports = await Promise.all(Array.from({ length: coordinatorCount }, freePort));
  const relays = await Promise.all(
    ports.map(async (port) => ({ agents: await startRelay({ port }), database: await startRelay(pair.primary) })),
  );
  const addresses = relays.map(({ agents }) => `http://127.0.0.1:${agents.port}`);
  const start = (nth: number, patience: object = timing): Program => {
    const data = join(folder, `coordinator-${nth}`);
    mkdirSync(data, { recursive: true });
    const words = ["up", "--no-agent", "--json", "--port", String(ports[nth]), "--data", data];
    return startProgram(join(import.meta.dirname, "../../cli/main.ts"), words, {
      ...process.env,
      NODE_COMPILE_CACHE: join(import.meta.dirname, "../../.build/compiled"),
      ...time.environment(join(data, "clock")),
      XDG_CONFIG_HOME: join(data, "config"),
      MEDIAFARM_TIMING: JSON.stringify(patience),
      MEDIAFARM_STORE: `postgres://farm@127.0.0.1:${relays[nth]?.database.port}/farm`,
      MEDIAFARM_SECRET_KEY: key,
      MEDIAFARM_ADDRESS: addresses[nth],
      MEDIAFARM_COORDINATORS: addresses.join(","),
    });
  };
  const placeOf = (nth: number): Place => {
    const clockFile = join(folder, `coordinator-${nth}`, "clock");
    const setClock = (seconds: number): void => {
      mkdirSync(join(clockFile, ".."), { recursive: true });
      writeFileSync(clockFile, `${seconds < 0 ? "-" : "+"}${Math.abs(seconds)}\n`);
    };
    setClock(0);
    const ways = relays[nth] as (typeof relays)[number]; // there is one for each
    return { nth, ...ways, setClock, isHeld: false, program: start(nth) };
  };
  // The first start shows the credentials, and shows them once: on a busy machine it may take longer than a lease.
  const founder = start(0, { ...timing, leaseMs: 60_000 });
  const ready = (await founder.firstLine) as Started; // the contract of `up --json`
  await stop(founder);
  const watched = await watchRows(pair.ask);
  const places = ports.map((_, nth) => placeOf(nth));

  const client = clientOf(ready, addresses);
  const [disk, book] = [createFakeDisk(), createBook()];
  const random = randomFrom(seed);
  const nodes = startNodes({ seed, ready, addresses, disk, book });
  let isOver = false;
  const guarded = guard(places, start, () => isOver);
  const areThere = async () =>
    (await client.listNodes({})).items.filter(({ state }) => state === "active").length === nodeCount;
  await until("all nodes are there", () => areThere().catch(() => false));
  return {
    pair,
    places,
    nodes,
    disk,
    book,
    random,
    client,
    watched,
    hasFakeTime: time.isThere,
    /** The one that holds the lease; undefined while nobody does, or the database says nothing. */
    leader: async (): Promise<Place | undefined> => {
      const rows = await pair
        .ask("SELECT address FROM lease WHERE holder IS NOT NULL AND until > clock_timestamp()")
        .catch(() => []);
      return places[addresses.indexOf(String(rows[0]?.address))];
    },
    logs: () => places.map(({ program }) => program.stderr()),
    [Symbol.asyncDispose]: async () => {
      isOver = true;
      for (const node of nodes) node.end();
      await guarded;
      await Promise.all(
        places.map(async ({ program, agents, database }) => {
          program.child.kill("SIGCONT");
          program.child.kill("SIGKILL");
          await exitOf(program.child);
          await Promise.all([agents.stop(), database.stop()]);
        }),
      );
      await pair.remove();
      for (const each of disks) unmountDisk(each);
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
};

/** What a service manager does: starts what has ended again. */
const guard = async (
  places: readonly Place[],
  start: (nth: number) => Program,
  isOver: () => boolean,
): Promise<void> => {
  while (!isOver()) {
    for (const place of places) {
      const { child } = place.program;
      if (place.isHeld || (child.exitCode === null && child.signalCode === null)) continue;
      place.program = start(place.nth);
    }
    await pause(restartMs);
  }
};

const clientOf = (ready: Started, addresses: readonly string[]): Client => {
  const [baseUrl = "", ...otherUrls] = addresses.map((each) => `${each}/v1`);
  return createClient({
    baseUrl,
    otherUrls,
    oapiKey: ready.oapi_key ?? "",
    oapiSecret: ready.oapi_secret ?? "",
    authKey: ready.auth_key ?? "",
    authSecret: ready.auth_secret ?? "",
    fetch: (url, init) => fetch(url, { ...init, signal: AbortSignal.timeout(requestMs) }),
  });
};

type NodesNeeds = {
  readonly seed: number;
  readonly ready: Started;
  readonly addresses: readonly string[];
  readonly disk: FakeDisk;
  readonly book: Book;
};

/** Well-behaved nodes: all that goes wrong is the coordinators' and the database's. Each tries the addresses in turn. */
const startNodes = ({ seed, ready, addresses, disk, book }: NodesNeeds): FakeNode[] => {
  return Array.from({ length: nodeCount }, (_, index) => {
    let tries = index;
    return startFakeNode({
      url: () => `${addresses[tries++ % addresses.length]?.replace("http", "ws")}/v1/agent`,
      joinToken: ready.join_token,
      name: `node ${index}`,
      tags: [],
      slots: 2,
      random: randomFrom(seed + index * 7919),
      disk,
      book,
      isCalm: () => true,
      frozenMs: 0,
      workMs: 400,
    });
  });
};
