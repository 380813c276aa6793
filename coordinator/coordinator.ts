import type { AddressInfo } from "node:net";
import { hostname } from "node:os";
import type { FastifyInstance } from "fastify";
import packageJson from "../package.json" with { type: "json" };
import type { Clock } from "../shared/clock.ts";
import { AppError, messageOf } from "../shared/errors.ts";
import { createAccounts, type FirstCredentials } from "./accounts.ts";
import type { Checkpoint } from "./checkpoint.ts";
import type { CoordinatorConfig } from "./config.ts";
import { type Db, openDb } from "./db/open.ts";
import { createStores } from "./db/stores.ts";
import { beginEpoch } from "./epoch.ts";
import { openDoors } from "./http/doors.ts";
import { openJoinTokens } from "./join-tokens.ts";
import { createMachineKey } from "./machine-key.ts";
import { createHub } from "./nodes/hub.ts";
import { createPasswords } from "./passwords.ts";
import { createPeople } from "./people.ts";
import { createVault } from "./secrets.ts";
import { createTokens } from "./tokens.ts";
import type { Farm } from "./work/farm.ts";
import { keepLastTime, resumeClock } from "./work/keep-time.ts";
import { createNodeWatch } from "./work/nodes.ts";
import { openFarm } from "./work/open-farm.ts";
import { tick } from "./work/tick.ts";

export type Coordinator = {
  readonly baseUrl: string;
  readonly dashboardUrl: string;
  /** Opens the page that makes the owner; null once anybody may sign in. */
  readonly firstSignInUrl: string | null;
  /** As it was at the start: people may have made another since. */
  readonly joinToken: string;
  /** The secrets, at the first start of a data folder; null afterwards. */
  readonly firstCredentials: FirstCredentials | null;
  readonly farm: Farm;
  readonly close: () => Promise<void>;
};

/** What a coordinator has of the world beside its folder and its port. */
type Outside = Pick<Farm, "random" | "log"> & { readonly clock: Clock; readonly checkpoint?: Checkpoint };

/**
 * Opens the store, serves the API and the agents' door, and resolves when both are ready. Throws AppError where the data
 * folder or the port cannot be had, or the database is newer than this program.
 */
export const startCoordinator = async (config: CoordinatorConfig, outside: Outside): Promise<Coordinator> => {
  const db = openDb(config.dataDir, outside.clock);
  try {
    return await serve({ config, ...outside }, db);
  } catch (problem) {
    await db.close();
    throw problem;
  }
};

const serve = async (outside: Outside & Pick<Farm, "config">, db: Db): Promise<Coordinator> => {
  const { config } = outside;
  const stores = createStores(db);
  const clock = resumeClock(outside.clock, stores);
  const vault = createVault(config.dataDir);
  const accounts = createAccounts(db, stores, vault, clock);
  const tokens = createTokens(db, stores, clock, config.tokenMs);
  const firstCredentials = await accounts.ensureFirst();
  const epoch = await beginEpoch(db, stores, clock);
  let origin = ""; // known once it listens
  const join = await openJoinTokens({ ...outside, db, stores, vault }, () => origin);
  const farm = await openFarm({ ...outside, clock, db, stores, vault, epoch });

  const people = createPeople(db, stores, createPasswords(), clock);
  const machine = createMachineKey(config.dataDir);
  const firstCode = people.newFirstCode();
  const about = { host: hostname(), version: packageJson.version, started: clock.now() };
  const app = openDoors({ farm, accounts, tokens, people, machine, join, origin: about });
  await listen(app, config);
  const { port } = app.server.address() as AddressInfo; // a listening TCP server has one
  origin = `${reachableHost(config.host)}:${port}`;
  const hub = createHub(farm, app.server, { isJoinToken: join.isRight });
  const stopTicking = startTicking(farm);

  const close = async () => {
    machine.withdraw();
    await stopTicking();
    await hub.close();
    await app.close();
    await keepLastTime(farm);
    await db.close();
  };
  const baseUrl = `http://${origin}/v1`;
  const dashboardUrl = `http://${origin}/`;
  machine.publish(dashboardUrl);
  const firstSignInUrl = firstCode === null ? null : `${dashboardUrl}#/welcome?code=${firstCode}`;
  return { baseUrl, dashboardUrl, firstSignInUrl, joinToken: join.current(), firstCredentials, farm, close };
};

const listen = async (app: FastifyInstance, { host, port }: CoordinatorConfig): Promise<void> => {
  try {
    await app.listen({ host, port });
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code; // listen fails with the system's errors
    const why = code === "EADDRINUSE" ? "another program is using it" : messageOf(cause);
    throw new AppError("CONFLICT", `Port ${port} on ${host} cannot be had: ${why}. Choose another with --port`, {
      cause,
    });
  }
};

/** An address of every interface is none that another machine can dial: this machine's name is. */
const reachableHost = (host: string): string => {
  if (host === "0.0.0.0" || host === "::") return hostname();
  return host.includes(":") ? `[${host}]` : host;
};

/** One tick at a time: a slow one is not overtaken by the next. Stopping waits for the one that runs. */
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
