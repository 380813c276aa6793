import type { Clock } from "../shared/clock.ts";
import { openAgentStorage } from "./agent-storage.ts";
import { createAttempts } from "./attempts.ts";
import { type Checkpoint, passThrough } from "./checkpoint.ts";
import { createChildren } from "./children.ts";
import type { AgentConfig } from "./config.ts";
import { type Connect, connectToFarm } from "./connection.ts";
import { openEquipment } from "./equipment.ts";
import { createFiles } from "./files/index.ts";
import { flavour } from "./flavour.ts";
import { openIdentity } from "./identity.ts";
import { inspectIntent } from "./inspect-intent.ts";
import { introductionOf } from "./introduction.ts";
import { signalGroup } from "./kill-ladder.ts";
import { createKept } from "./lending/kept.ts";
import type { Lending } from "./lending/lending.ts";
import { type LendingOptions, openLending } from "./lending/open-lending.ts";
import { lockDataDir } from "./lock.ts";
import type { Log } from "./log.ts";
import { createLooks } from "./looks.ts";
import { freeSpace } from "./machine.ts";
import { openOutbox } from "./outbox.ts";
import { createPreviews } from "./previews/index.ts";
import { createRun, type Run } from "./process.ts";
import { createRecords } from "./records.ts";
import { createSession } from "./session.ts";
import { providers as allProviders, type Providers } from "./storage/index.ts";
import { createSuspension } from "./suspension.ts";
import { openWorkdir, type Workdir } from "./workdir.ts";

export type AgentOptions = {
  readonly config: AgentConfig;
  readonly clock: Clock;
  readonly log: Log;
  /** The process that locks the data folder. */
  readonly pid: number;
  readonly random: () => number;
  /** Called at every welcome, also after a reconnect. */
  readonly onConnected?: (node: { readonly nodeId: number }) => void;
  readonly connect?: Connect;
  readonly checkpoint?: Checkpoint;
  /** Kinds of storage. Default: all of them. */
  readonly providers?: Providers;
  /** How this computer's owner and desktop take part. */
  readonly lending?: LendingOptions;
};

export type Agent = {
  readonly lending: Pick<Lending, "set" | "tell">;
  /** Resolves once stopped; rejects with AppError when the coordinator refuses this node for good. */
  readonly ended: Promise<void>;
  /** Ends running attempts, says goodbye, unlocks the data folder. Verified attempts and reports stay on disk. */
  stop(): Promise<void>;
};

/** How old what the farm is told of free space may be. */
const diskMs = 5000;

/** Starts an agent: locks its data folder, finds its tools, recovers attempts from disk, and connects. */
export const startAgent = async (options: AgentOptions): Promise<Agent> => {
  const { config, clock } = options;
  const workdir = await openWorkdir(config.dataDir);
  const plainRun = createRun({ clock, env: config.childEnv });
  const unlock = await lockDataDir(config.dataDir, options.pid, plainRun);
  try {
    const { lending, ended, end } = await begin(options, workdir, plainRun);
    let stopped: Promise<void> | undefined;
    return {
      lending,
      ended,
      stop: () => {
        stopped ??= end().then(unlock);
        return stopped;
      },
    };
  } catch (error) {
    await unlock();
    throw error;
  }
};

/** The data folder is locked. */
const begin = async (options: AgentOptions, workdir: Workdir, plainRun: Run) => {
  const { config, clock, log, checkpoint = passThrough, providers = allProviders } = options;
  const instance = `${options.pid}-${clock.now()}-${options.random()}`;
  const children = createChildren({ folder: workdir.children, log, run: plainRun });
  await children.endLeftOver();
  const suspension = createSuspension({ clock, signal: signalGroup, platform: process.platform });
  const run = createRun({ clock, env: config.childEnv, children, suspension });
  const identity = await openIdentity(config);
  const { farmId } = identity;
  const equipment = await openEquipment(config, { clock, log, workdir, run, plainRun });
  const { outbound, tools, media, holder, services } = equipment;
  const outbox = await openOutbox({ folder: workdir.outbox, log, clock });
  const { mounts, cache, viewOf } = await openAgentStorage(config, {
    ...{ workdir, farmId, providers, guard: outbound.guard, holder, checkpoint, clock, log },
  });
  const previews = createPreviews({
    ...{ tools: media, capabilities: tools.capabilities, holder, folder: workdir.previews, clock: suspension.clock },
    refusal: () => lending.refusal(),
  });
  const looks = createLooks({ viewOf, clock });
  const { roots, ownDirs: own } = config;
  const disk = createKept(clock, diskMs, () => freeSpace(workdir.path));
  const introduction = introductionOf({ config, equipment, providers });
  const session = createSession({
    ...{
      looks,
      identity,
      clock,
      log,
      disk,
      random: options.random,
      connect: options.connect ?? connectToFarm(clock.now),
    },
    attempts: () => attempts,
    applyMounts: mounts.take,
    applyOutbound: outbound.take,
    inspect: (fence, intent, keys) => inspectIntent(intent, fence, { viewOf: () => viewOf({ secrets: keys }), log }),
    files: createFiles({ roots, own, mounts: mounts.current, flavour, viewOf, previews }),
    hello: () => ({
      ...{ ...introduction, instance, credentials: identity.credentials() },
      machine: { ...introduction.machine, disk: disk() ?? introduction.machine.disk },
      attempts: attempts.statuses(),
      standing: lending.standing(),
    }),
    standing: () => lending.standing(),
    onConnected: (nodeId) => options.onConnected?.({ nodeId }),
  });
  const attempts = createAttempts({
    ...{ viewOf, tools: media, services, outbox, clock: suspension.clock, checkpoint, log, send: session.send },
    records: createRecords({ folder: workdir.attempts, farmId, viewOf }),
    limit: 4 * config.slots + 8,
    pause: suspension.pass,
    refusal: () => lending.refusal(),
    onEnded: (task) => lending.taskEnded(task),
  });
  const lending = await openLending({
    ...{ ...options.lending, config, clock, log, run: plainRun, suspension, workdir, attempts },
    onStanding: (standing) => {
      if (!standing.takes) previews.stop(standing.why);
      session.send({ type: "heartbeat", standing });
    },
  });
  await attempts.recover();
  lending.start();
  session.start();
  const end = async (): Promise<void> => {
    await lending.stop();
    await attempts.stop();
    looks.stop();
    previews.stop("the agent stops");
    await session.stop();
    cache.stop();
  };
  return { lending, ended: session.ended, end };
};
