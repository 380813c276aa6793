import { createServer } from "node:net";
import { hostname } from "node:os";
import { type Clock, sleep } from "../../shared/basics/clock.ts";
import { AppError, messageOf } from "../../shared/basics/errors.ts";
import type { CoordinatorConfig } from "../config.ts";
import type { Log } from "../log.ts";
import { newId, type Vault } from "../secrets/vault.ts";
import { movingAddress } from "../store/move/tables.ts";
import { type Lease, type Store, standbyMs } from "../store/store.ts";
import type { Material } from "../tls/material.ts";
import { tlsModeOf } from "../tls/mode.ts";
import { isEveryAddress } from "../tls/names.ts";
import { openTls } from "../tls/tls.ts";
import { createLeaseKeeper, type LeaseKeeper } from "./lease-keeper.ts";
import { startStandbyServer } from "./standby-server.ts";

/** How often a coordinator that stands by tries to lead, and how often it says that it stands by. */
const tryMs = 250;
const noteMs = standbyMs / 3;
/** How long one that gave the lead away lets others take it. */
const letMs = 10_000;

export type StandbyNeeds = {
  readonly config: CoordinatorConfig;
  readonly clock: Clock;
  readonly log: Log;
  readonly store: Store;
  readonly vault: Vault;
  /** This coordinator answers at its address, and waits to lead. */
  readonly onStandby?: ((address: string) => void) | undefined;
  /** When it gave the lead away, by the monotonic clock: for a while from then on others come first. */
  readonly gaveAt?: number | undefined;
  /** Aborted: it is to end. */
  readonly ending?: AbortSignal | undefined;
};

/** What leading begins with: the lease, and the port on which this coordinator has answered so far. */
export type Leadership = { readonly keeper: LeaseKeeper; readonly port: number };

/**
 * Waits until this coordinator may lead, and says meanwhile where the leader is. Undefined if it is to end before that.
 */
export const standBy = async (needs: StandbyNeeds, lease: Lease): Promise<Leadership | undefined> => {
  const { config, store, clock, log } = needs;
  const port = config.port === 0 ? await freePort(config.host) : config.port;
  const isNewFarm = (await store.accounts.account()) === undefined;
  const { mode } = await tlsModeOf(config, store, isNewFarm);
  const address = config.address ?? addressOf(config.host, port, mode !== "plain");
  const mine = { holder: newId(), address };
  const keeper = createLeaseKeeper({ lease, clock, log, leaseMs: config.leaseMs, mine });
  if (needs.gaveAt === undefined && (await keeper.take())) return { keeper, port };

  if ((await lease.leader())?.address === movingAddress)
    throw new AppError(
      "CONFLICT",
      "A farm is being moved out of this database, or into it: wait for mediafarm move-store",
    );
  const server = await startStandbyServer(
    { host: config.host, port },
    mode === "plain" ? undefined : await materialOf(needs, mode),
    remembered(clock, async () => (await lease.leader())?.address),
  );
  needs.onStandby?.(address);
  log.info({ address }, "this coordinator stands by");
  const stopNoting = noteStandby(needs, lease, mine);
  try {
    if (needs.gaveAt !== undefined) await untilAnotherLeads(needs, needs.gaveAt + letMs, lease);
    while (!needs.ending?.aborted) {
      if (await keeper.take().catch((problem) => noteProblem(log, problem))) return { keeper, port };
      await sleep(clock, tryMs, needs.ending);
    }
    return undefined;
  } finally {
    await stopNoting();
    await server.close();
  }
};

/** Says again and again that this coordinator stands by. The answer ends that. */
const noteStandby = (
  { clock, log }: Pick<StandbyNeeds, "clock" | "log">,
  lease: Lease,
  mine: Parameters<Lease["wait"]>[0],
): (() => Promise<void>) => {
  let asked: Promise<unknown> = Promise.resolve();
  const note = () => {
    asked = lease.wait(mine).catch((problem) => noteProblem(log, problem));
  };
  note();
  const cancel = clock.every(noteMs, note);
  return async () => {
    cancel();
    await asked; // or it would be noted after it left
    await lease.leave(mine.holder).catch((problem) => noteProblem(log, problem));
  };
};

const untilAnotherLeads = async ({ clock, ending }: StandbyNeeds, until: number, lease: Lease): Promise<void> => {
  const isLed = async () => (await lease.leader().catch(() => undefined)) !== undefined;
  while (!ending?.aborted && clock.monotonic() < until && !(await isLed())) await sleep(clock, tryMs, ending);
};

const noteProblem = (log: Log, problem: unknown): false => {
  log.warn(`the lease cannot be asked for: ${messageOf(problem)}`);
  return false;
};

/** The leader makes the farm's authority: a farm without one is a moment old. */
const materialOf = async (needs: StandbyNeeds, mode: "own" | "given"): Promise<Material> => {
  while (mode === "own" && (await needs.store.records.get("farm", "tls_own")) === undefined)
    await sleep(needs.clock, tryMs, needs.ending);
  const tls = await openTls(needs, mode);
  if (!tls) throw new Error("a farm that is served over TLS has a certificate");
  tls.close();
  return tls.current();
};

const freePort = (host: string): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer().once("error", reject);
    server.listen(0, host, () => {
      const found = server.address();
      server.close(() => resolve(typeof found === "object" && found ? found.port : 0));
    });
  });

const addressOf = (host: string, port: number, isEncrypted: boolean): string => {
  const name = isEveryAddress(host) ? hostname() : host;
  return `${isEncrypted ? "https" : "http"}://${name.includes(":") ? `[${name}]` : name}:${port}`;
};

/** Strangers may ask as often as they like: the store is asked twice a second at most. */
const remembered = (clock: Pick<Clock, "monotonic">, ask: () => Promise<string | undefined>) => {
  let last: { readonly at: number; readonly found: Promise<string | undefined> } | undefined;
  return (): Promise<string | undefined> => {
    if (!last || clock.monotonic() >= last.at + 500) last = { at: clock.monotonic(), found: ask() };
    return last.found;
  };
};
