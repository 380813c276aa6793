import type { AddressInfo } from "node:net";
import { hostname } from "node:os";
import type { FastifyInstance } from "fastify";
import packageJson from "../package.json" with { type: "json" };
import type { Clock } from "../shared/clock.ts";
import { AppError, messageOf } from "../shared/errors.ts";
import { createAccounts, type FirstCredentials } from "./accounts.ts";
import type { Checkpoint } from "./checkpoint.ts";
import type { CoordinatorConfig } from "./config.ts";
import { openDoors } from "./http/doors.ts";
import { openJoinTokens } from "./join-tokens.ts";
import { createMachineKey } from "./machine-key.ts";
import { createHub } from "./nodes/hub.ts";
import { createPasswords } from "./passwords.ts";
import { createPeople } from "./people.ts";
import { createVault } from "./secrets.ts";
import { openSqlite } from "./store/sqlite/open.ts";
import type { Store } from "./store/store.ts";
import { createTokens } from "./tokens.ts";
import type { Farm } from "./work/farm.ts";
import { keepLastTime, resumeClock } from "./work/keep-time.ts";
import { createNodeWatch } from "./work/nodes.ts";
import { openFarm } from "./work/open-farm.ts";
import { tick } from "./work/tick.ts";

export type Coordinator = {
  readonly baseUrl: string;
  readonly dashboardUrl: string;
  /** Opens the page for creating the owner; null once anybody can sign in. */
  readonly firstSignInUrl: string | null;
  /** As of the start: the token may have been replaced since. */
  readonly joinToken: string;
  /** The secrets, at the first start of a data folder; null afterwards. */
  readonly firstCredentials: FirstCredentials | null;
  readonly farm: Farm;
  readonly close: () => Promise<void>;
};

/** The environment of a coordinator, in addition to its folder and port. */
type Outside = Pick<Farm, "random" | "log"> & {
  readonly clock: Clock;
  readonly checkpoint?: Checkpoint;
  /** Another coordinator leads: this program must exit. */
  readonly fenced?: () => void;
  /** Opens the data folder's store. */
  readonly openStore?: (dataDir: string) => Store;
};

/**
 * Opens the store, serves the API and the agents' WebSocket, and resolves when both are ready. Throws AppError if the
 * data folder or the port is not available, or if the database is newer than this program.
 */
export const startCoordinator = async (config: CoordinatorConfig, outside: Outside): Promise<Coordinator> => {
  const store = (outside.openStore ?? openSqlite)(config.dataDir);
  try {
    return await serve({ config, ...outside }, store);
  } catch (problem) {
    await store.close();
    throw problem;
  }
};

const serve = async (outside: Outside & Pick<Farm, "config">, store: Store): Promise<Coordinator> => {
  const { config } = outside;
  const clock = await resumeClock(outside.clock, store);
  const vault = createVault(config.dataDir);
  const accounts = createAccounts(store, vault, clock);
  const tokens = createTokens(store, clock, config.tokenMs);
  const firstCredentials = await accounts.ensureFirst();
  const { epoch } = await store.lead(epochAtLeast(clock));
  let origin = ""; // known once it listens
  const join = await openJoinTokens({ ...outside, store, vault }, () => origin);
  const farm = await openFarm({ ...outside, clock, store, vault, epoch });

  const people = createPeople(store, createPasswords(outside.clock), clock);
  const machine = createMachineKey(config.dataDir);
  const firstCode = await people.newFirstCode();
  const about = { host: hostname(), version: packageJson.version, started: clock.now() };
  const app = openDoors({ farm, accounts, tokens, people, machine, join, origin: about });
  await listen(app, config);
  const { port } = app.server.address() as AddressInfo; // a listening TCP server has one
  origin = `${reachableHost(config.host)}:${port}`;
  const hub = createHub(farm, app.server, { isJoinToken: join.isRight });
  const stopTicking = startTicking(farm);

  const close = async () => {
    machine.withdraw();
    farm.beginnings.end();
    await stopTicking();
    await hub.close();
    await app.close();
    await farm.settle();
    await keepLastTime(farm);
    await store.close();
  };
  const baseUrl = `http://${origin}/v1`;
  const dashboardUrl = `http://${origin}/`;
  machine.publish(dashboardUrl);
  const firstSignInUrl = firstCode === null ? null : `${dashboardUrl}#/welcome?code=${firstCode}`;
  return { baseUrl, dashboardUrl, firstSignInUrl, joinToken: join.current(), firstCredentials, farm, close };
};

/** Higher than at any start before a restored backup was taken: an epoch is never below the Unix time in seconds. */
export const epochAtLeast = (clock: Clock): number => Math.floor(clock.now() / 1000);

const listen = async (app: FastifyInstance, { host, port }: CoordinatorConfig): Promise<void> => {
  try {
    await app.listen({ host, port });
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code; // listen fails with the system's errors
    const why = code === "EADDRINUSE" ? "another program is using it" : messageOf(cause);
    throw new AppError("CONFLICT", `Port ${port} on ${host} is not available: ${why}. Choose another with --port`, {
      cause,
    });
  }
};

/** Other machines cannot connect to the address for all interfaces, so use this machine's name. */
const reachableHost = (host: string): string => {
  if (host === "0.0.0.0" || host === "::") return hostname();
  return host.includes(":") ? `[${host}]` : host;
};

/** One tick at a time: a slow one is not overtaken by the next. Stopping waits for the running one. */
const startTicking = (farm: Farm): (() => Promise<void>) => {
  let current: Promise<void> | undefined;
  const watchNodes = createNodeWatch(farm);
  const stop = farm.clock.every(farm.config.tickMs, () => {
    watchNodes();
    current ??= tick(farm)
      .catch((problem) => farm.log.error({ err: problem }, "a tick broke"))
      .finally(() => {
        current = undefined;
      });
  });
  return async () => {
    stop();
    await current;
  };
};
