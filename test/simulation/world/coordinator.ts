import { type CoordinatorConfig, coordinatorConfig } from "../../../coordinator/config.ts";
import { serveAgent } from "../../../coordinator/connections/agent-socket.ts";
import { openJoinTokens } from "../../../coordinator/connections/join-tokens.ts";
import { createMessageReader } from "../../../coordinator/connections/message-reader.ts";
import { createRateLimitedLog } from "../../../coordinator/connections/rate-limited-log.ts";
import { epochAtLeast } from "../../../coordinator/coordinator.ts";
import { farmDuties, startDuties } from "../../../coordinator/duties.ts";
import type { Farm } from "../../../coordinator/farm.ts";
import { keepLastTime, resumeClock } from "../../../coordinator/keep-time.ts";
import type { MostBytes } from "../../../coordinator/kernel/values.ts";
import type { Log } from "../../../coordinator/log.ts";
import { openFarm } from "../../../coordinator/open-farm.ts";
import { createVault } from "../../../coordinator/secrets/vault.ts";
import { createLead, type Lead } from "../../../coordinator/standby/hand-over.ts";
import { standBy } from "../../../coordinator/standby/stand-by.ts";
import type { Batch } from "../../../coordinator/store/batch.ts";
import type { Store } from "../../../coordinator/store/store.ts";
import { messageOf } from "../../../shared/basics/errors.ts";
import { here } from "../engine/life.ts";
import type { Loop } from "../engine/loop.ts";
import { createMachineClock, type Machine, passMoment } from "./machine.ts";
import { type Network, onlyHost } from "./network.ts";
import { dataDir } from "./places.ts";
import { type Choice, type OpenTurn, watchTurns } from "./turns.ts";

export type RunningCoordinator = {
  readonly farm: Farm;
  readonly joinToken: string;
  readonly lead: Lead;
  /** Turns of jobs that are neither kept nor given back. */
  readonly openTurns: () => readonly OpenTurn[];
  /** Ends it once what was acknowledged is stored. */
  readonly close: () => Promise<void>;
};

export type CoordinatorNeeds = {
  readonly loop: Loop;
  readonly network: Network;
  readonly timing: Partial<CoordinatorConfig>;
  /** What a coordinator has that is one of several. */
  readonly among?: Pick<CoordinatorConfig, "address" | "coordinators"> & { readonly secretKey: string };
  /** When it gave the lead away, by the loop's clock. */
  readonly gaveAt?: number | undefined;
  /** It begins to give the lead away; has done so, and is to be started again. */
  readonly handsOver?: () => void;
  readonly handedOver?: () => void;
  readonly openStore: (config: CoordinatorConfig, onAnswered: (batch: Batch) => void) => Promise<Store>;
  /** The coordinator knows that a batch is durable: memory has no change of these jobs that is not. */
  readonly onSettled: (farm: Farm, jobs: readonly number[]) => void;
  readonly mostBytes: MostBytes | undefined;
  readonly complain: (level: string, message: string) => void;
  readonly onChosen: (farm: Farm, choice: Choice) => void;
  readonly onTurns: (open: readonly OpenTurn[]) => void;
};

/** How often it is asked whether turns are lost. */
const turnsMs = 30_000;

/** The part of a coordinator below HTTP and TLS, on the machine whose life this is. One of several waits until it may lead. */
export const runCoordinator = async (machine: Machine, needs: CoordinatorNeeds): Promise<RunningCoordinator> => {
  const life = here();
  const { network } = needs;
  const config = coordinatorConfig.parse({ dataDir, ...needs.timing, ...needs.among });
  const host = config.address === undefined ? onlyHost : new URL(config.address).host;
  let settled: ((batch: Batch) => void) | undefined;
  const store = await needs.openStore(config, (batch) => settled?.(batch));
  const log = createLog(needs.complain);
  const vault = createVault(dataDir, config.secretKey);
  const machineClock = createMachineClock(machine, needs.loop);
  const sinceGiven = needs.gaveAt === undefined ? undefined : (needs.loop.now() - needs.gaveAt) * machine.clock.rate;
  const gaveAt = sinceGiven === undefined ? undefined : machineClock.monotonic() - sinceGiven;
  const onStandby = () =>
    network.listen(host, { life, ask: async (url) => machine.door?.ask(url) ?? "HTTP/1.1 503 Ends\r\n" });
  const leadership =
    store.lease &&
    (await standBy({ ...{ config, clock: machineClock, log, store, vault, onStandby, gaveAt } }, store.lease));
  network.listen(host, undefined);
  const keeper = leadership?.keeper;
  keeper?.keep(() => machine.die("killed"));
  const clock = await resumeClock(machineClock, store);
  const { epoch } = await store.lead(epochAtLeast(clock));
  const join = await openJoinTokens({ clock, log, store, vault, config }, () => host);
  const farm = await openFarm({
    ...{ config, clock, log, store, vault, epoch },
    random: machine.random.fork("coordinator").fraction,
    checkpoint: (name) => passMoment(machine, name),
    fenced: () => machine.die("killed"),
    ...(needs.mostBytes && { mostBytes: needs.mostBytes }),
  });
  settled = createSettling(farm, needs);
  const turns = watchTurns(farm, needs.loop.now, (choice) => needs.onChosen(farm, choice));
  const stopAsking = clock.every(turnsMs, () => needs.onTurns(turns.open()));
  const reader = createMessageReader(clock);
  const warn = createRateLimitedLog(log, clock);
  network.listen(host, {
    life,
    take: (socket) =>
      serveAgent(
        { farm, admission: { useJoinToken: join.use }, warn, reader, known: () => undefined },
        socket as never, // the part of a WebSocket that is used there
        { cork: () => undefined, uncork: () => undefined } as never,
      ),
  });
  const stopDuties = startDuties(farm, farmDuties(farm));
  const close = async () => {
    stopAsking();
    farm.jobStarter.end();
    await stopDuties();
    network.listen(host, undefined);
    network.hangUp(life);
    farm.jobReader.stop();
    await farm.settle();
    await farm.trail.end();
    await keepLastTime(farm);
    await keeper?.give().catch((problem) => log.warn({ err: problem }, "the lease ends by itself"));
    await store.close();
  };
  const handOver = () => {
    needs.handsOver?.();
    void close().then(needs.handedOver);
  };
  const lead = createLead({ lease: keeper && store.lease, address: () => config.address ?? "", handOver });
  return { farm, joinToken: (await join.current()).reveal(), lead, openTurns: turns.open, close };
};

/** Waits until what was written is released, and tells which of its jobs have no younger change. */
const createSettling = (farm: Farm, { onSettled }: CoordinatorNeeds) => {
  const values = farm.values as { pin: Farm["values"]["pin"] }; // only here it is watched
  const { pin } = values;
  const pins = new Map<number | string, number>();
  values.pin = (key, by) => {
    pins.set(key, (pins.get(key) ?? 0) + by);
    pin(key, by);
  };
  const life = here();
  return ({ changes }: Batch): void => {
    const jobs = [...new Set(changes.flatMap(({ job }) => (job === undefined ? [] : [job])))];
    life.after(0, () =>
      onSettled(
        farm,
        jobs.filter((id) => (pins.get(id) ?? 0) === 0),
      ),
    );
  };
};

/** Notes what would be logged as a fault. */
const createLog = (complain: CoordinatorNeeds["complain"]): Log => {
  const at = (level: string) => (about: unknown, message?: string) => {
    const problem = (about as { readonly err?: unknown }).err;
    complain(level, `${message ?? String(about)}${problem === undefined ? "" : `: ${messageOf(problem)}`}`);
  };
  const quiet = () => undefined;
  const log = { fatal: at("fatal"), error: at("error"), warn: at("warn"), info: quiet, debug: quiet, trace: quiet };
  return { ...log, child: () => log } as unknown as Log; // the part of pino that is used
};
