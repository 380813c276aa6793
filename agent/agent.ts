import type { Clock } from "../shared/basics/clock.ts";
import type { Key } from "../shared/credentials/credentials.ts";
import type { Fence } from "../shared/protocol/messages.ts";
import type { Intent } from "../shared/work/work.ts";
import { createAttempts } from "./attempt/attempts.ts";
import { inspectIntent } from "./attempt/inspect-intent.ts";
import { openOutbox } from "./attempt/outbox.ts";
import { createRecords } from "./attempt/records.ts";
import { type Checkpoint, passThrough } from "./checkpoint.ts";
import type { AgentConfig } from "./config.ts";
import { openWorkdir, type Workdir } from "./disk/workdir.ts";
import { createFiles } from "./files/index.ts";
import { createPolling } from "./files/polling.ts";
import { createForeignThreads } from "./foreign/pool.ts";
import { createBackgroundValue } from "./lending/background-value.ts";
import type { Lending } from "./lending/lending.ts";
import { type LendingOptions, openLending } from "./lending/open-lending.ts";
import type { Log } from "./log.ts";
import { flavour } from "./paths/flavour.ts";
import { openAgentStorage } from "./paths/node-storage.ts";
import { createPreviews } from "./previews/index.ts";
import { lockDataDir } from "./process/folder-lock.ts";
import { signalGroup } from "./process/kill-ladder.ts";
import { createProcessRegistry } from "./process/process-registry.ts";
import { createRun, type Run } from "./process/run.ts";
import { createSuspension } from "./process/suspension.ts";
import { type Connect, connectToFarm } from "./session/connection.ts";
import { createHello } from "./session/hello.ts";
import { openIdentity } from "./session/identity.ts";
import { createSession } from "./session/session.ts";
import { providers as allProviders, type Providers } from "./storage/index.ts";
import { freeSpace } from "./tools/machine.ts";
import { openNodeTools } from "./tools/tools.ts";

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
  const node = await openNode(options, workdir, plainRun);
  const { clock, log, checkpoint, suspension, viewOf, cache } = node;
  const previews = createPreviews({
    ...{ tools: node.media, capabilities: node.tools.capabilities, holder: node.holder, folder: workdir.previews },
    ...{ clock: suspension.clock, refusal: () => lending.refusal() },
  });
  const polling = createPolling({ viewOf, clock, read: node.threads.read });
  const session = createSession({
    ...sessionNeedsOf(options, node),
    ...{ polling, attempts: () => attempts, standing: () => lending.standing() },
    files: createFiles({
      ...{ roots: options.config.roots, own: options.config.ownDirs, mounts: node.mounts.current },
      ...{ flavour, viewOf, previews },
    }),
    hello: () => ({ ...node.hello(), attempts: attempts.statuses(), standing: lending.standing() }),
  });
  const attempts = createAttempts({
    ...{
      viewOf,
      tools: node.media,
      services: node.services,
      outbox: node.outbox,
      clock: suspension.clock,
      checkpoint,
      log,
    },
    send: session.send,
    confirm: session.confirm,
    records: createRecords({ folder: workdir.attempts, farmId: node.identity.farmId, viewOf }),
    limit: 4 * options.config.slots + 8,
    pause: suspension.pass,
    refusal: () => lending.refusal(),
    onEnded: (task) => lending.taskEnded(task),
  });
  const lending = await openLending({
    ...{ ...options.lending, config: options.config, clock, log, run: plainRun, suspension, workdir, attempts },
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
    polling.stop();
    previews.stop("the agent stops");
    await session.stop();
    cache.stop();
    node.threads.stop();
  };
  return { lending, ended: session.ended, end };
};

type Node = Awaited<ReturnType<typeof openNode>>;

/** What this computer brings to the farm: its identity, programs, storage, and reports of earlier agents. */
const openNode = async (options: AgentOptions, workdir: Workdir, plainRun: Run) => {
  const { config, clock, log, checkpoint = passThrough, providers = allProviders } = options;
  const instance = `${options.pid}-${clock.now()}-${options.random()}`;
  const children = createProcessRegistry({ folder: workdir.children, log, run: plainRun });
  await children.endLeftOver();
  const suspension = createSuspension({ clock, signal: signalGroup, platform: process.platform });
  const run = createRun({ clock, env: config.childEnv, children, suspension });
  const identity = await openIdentity(config);
  const threads = createForeignThreads(clock);
  const { read } = threads;
  const equipment = await openNodeTools(config, { clock, log, workdir, run, plainRun, read });
  const { guard } = equipment.outbound;
  const outbox = await openOutbox({ folder: workdir.outbox, log, clock });
  const storage = await openAgentStorage(config, {
    ...{ workdir, farmId: identity.farmId, providers, guard, holder: equipment.holder, checkpoint, clock, log, read },
  });
  const disk = createBackgroundValue(clock, diskMs, () => freeSpace(workdir.path));
  const introduction = createHello({ config, equipment, providers });
  const hello = () => ({
    ...{ ...introduction, instance, credentials: identity.credentials(), clock: clock.now() },
    machine: { ...introduction.machine, disk: disk() ?? introduction.machine.disk },
  });
  return { ...equipment, ...storage, threads, clock, log, checkpoint, suspension, identity, outbox, disk, hello };
};

const sessionNeedsOf = (options: AgentOptions, { identity, clock, log, disk, outbound, mounts, viewOf }: Node) => ({
  ...{ identity, clock, log, disk, random: options.random, connect: options.connect ?? connectToFarm(clock.now) },
  applyMounts: mounts.take,
  applyOutbound: outbound.take,
  inspect: (fence: Fence, intent: Intent, keys?: readonly Key[]) =>
    inspectIntent(intent, fence, { viewOf: () => viewOf({ secrets: keys }), log }),
  onConnected: (nodeId: number) => options.onConnected?.({ nodeId }),
});
