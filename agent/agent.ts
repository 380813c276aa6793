import type { Clock } from "../shared/clock.ts";
import { doubtOf } from "../shared/ffmpeg/version.ts";
import { filesCapability, previewsCapability, stillsCapability } from "../shared/node-files.ts";
import { type Hello, protocolVersion } from "../shared/protocol.ts";
import { createAttempts } from "./attempts.ts";
import { openCache } from "./cache/index.ts";
import { type Checkpoint, passThrough } from "./checkpoint.ts";
import { createChildren } from "./children.ts";
import type { AgentConfig } from "./config.ts";
import { type Connect, connectPlainly } from "./connection.ts";
import { createFiles } from "./files/index.ts";
import { openHolder } from "./holds.ts";
import { openIdentity } from "./identity.ts";
import { inspectIntent } from "./inspect-intent.ts";
import { signalGroup } from "./kill-ladder.ts";
import { createKept } from "./lending/kept.ts";
import type { Lending } from "./lending/lending.ts";
import { type LendingOptions, openLending } from "./lending/open-lending.ts";
import { lockDataDir } from "./lock.ts";
import type { Log } from "./log.ts";
import { createLooks } from "./looks.ts";
import { freeSpace, readMachine } from "./machine.ts";
import { createMediaTools } from "./media-tools.ts";
import { openMountTable } from "./mount-table.ts";
import { createNodeGuard } from "./outbound/guard.ts";
import { openOutbox } from "./outbox.ts";
import { canMakeStills, canPreview, createPreviews } from "./previews/index.ts";
import { createRun } from "./process.ts";
import { createRecords } from "./records.ts";
import { openServices } from "./services.ts";
import { createSession } from "./session.ts";
import { openHostKeys } from "./storage/host-keys.ts";
import { type Providers, providers, storageCapabilities } from "./storage/index.ts";
import { patienceOf } from "./storage/retry.ts";
import { createStorageViews } from "./storage-view.ts";
import { createSuspension } from "./suspension.ts";
import { findTools } from "./tools.ts";
import { openWorkdir } from "./workdir.ts";

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
  const { config, clock, log } = options;
  const instance = `${options.pid}-${clock.now()}-${options.random()}`;
  const workdir = await openWorkdir(config.dataDir);
  const plainRun = createRun({ clock, env: config.childEnv });
  const unlock = await lockDataDir(config.dataDir, options.pid, plainRun);
  try {
    const children = createChildren({ folder: workdir.children, log, run: plainRun });
    await children.endLeftOver();
    const suspension = createSuspension({ clock, signal: signalGroup, platform: process.platform });
    const run = createRun({ clock, env: config.childEnv, children, suspension });
    const identity = await openIdentity(config);
    const outbound = createNodeGuard(config.allowOutbound);
    const [tools, machine, holder] = await Promise.all([
      findTools(config, plainRun),
      readMachine(log, workdir.path),
      openHolder({ folder: workdir.held, pid: process.pid, run: plainRun }),
    ]);
    const { services, capabilities } = await openServices(config, {
      ...{ clock, run: plainRun, folder: workdir.path, log, guard: outbound.guard },
    });
    const doubt = tools.ffmpeg && doubtOf(tools.ffmpeg.version);
    if (doubt) log.warn(doubt, { path: tools.ffmpeg?.path });
    const outbox = await openOutbox({ folder: workdir.outbox, log, clock });
    const checkpoint = options.checkpoint ?? passThrough;
    const mounts = await openMountTable({
      path: workdir.mounts,
      farmId: identity.farmId,
      own: config.mounts,
      flavour: flavour(),
      log,
    });
    const cache = await openCache({ folder: workdir.cache, limit: () => config.cacheBytes, clock });
    const known = options.providers ?? providers;
    const viewOf = createStorageViews({
      roots: config.roots,
      own: config.ownDirs,
      current: mounts.current,
      flavour: flavour(),
      providers: known,
      checkpoint,
      clock,
      patience: patienceOf(config.storagePatienceSec),
      hostKeys: openHostKeys(workdir.hostKeys),
      guard: outbound.guard,
      cache,
      holder,
    });
    const media = createMediaTools(tools, run);
    const previews = createPreviews({
      ...{ tools: media, capabilities: tools.capabilities, holder, folder: workdir.previews, clock: suspension.clock },
      refusal: () => lending.refusal(),
    });
    const looks = createLooks({ viewOf, clock });
    const doors = [
      filesCapability,
      ...(canPreview(tools.capabilities) ? [previewsCapability] : []),
      ...(canMakeStills(tools.capabilities) ? [stillsCapability] : []),
    ];
    const disk = createKept(clock, diskMs, () => freeSpace(workdir.path));
    const session = createSession({
      looks,
      identity,
      attempts: () => attempts,
      applyMounts: mounts.take,
      applyOutbound: outbound.take,
      inspect: (fence, intent, keys) => inspectIntent(intent, fence, { viewOf: () => viewOf({ secrets: keys }), log }),
      files: createFiles({
        roots: config.roots,
        own: config.ownDirs,
        mounts: mounts.current,
        flavour: flavour(),
        viewOf,
        previews,
      }),
      hello: () => ({
        ...introduction(config),
        instance,
        credentials: identity.credentials(),
        tools: {
          ...tools,
          capabilities: [...tools.capabilities, ...capabilities, ...storageCapabilities(known), ...doors],
        },
        machine: { ...machine, disk: disk() ?? machine.disk },
        attempts: attempts.statuses(),
        standing: lending.standing(),
      }),
      standing: () => lending.standing(),
      disk,
      connect: options.connect ?? connectPlainly,
      clock,
      random: options.random,
      log,
      onConnected: (nodeId) => options.onConnected?.({ nodeId }),
    });
    const attempts = createAttempts({
      viewOf,
      tools: media,
      services,
      records: createRecords({ folder: workdir.attempts, farmId: identity.farmId, viewOf }),
      outbox,
      clock: suspension.clock,
      checkpoint,
      log,
      send: session.send,
      limit: 4 * config.slots + 8,
      pause: suspension.pass,
      refusal: () => lending.refusal(),
      onEnded: (task) => lending.taskEnded(task),
    });
    const lending = await openLending({
      ...options.lending,
      config,
      clock,
      log,
      run: plainRun,
      suspension,
      workdir,
      attempts,
      onStanding: (standing) => {
        if (!standing.takes) previews.stop(standing.why);
        session.send({ type: "heartbeat", standing });
      },
    });
    await attempts.recover();
    lending.start();
    session.start();
    let stopped: Promise<void> | undefined;
    const stop = async (): Promise<void> => {
      await lending.stop();
      await attempts.stop();
      looks.stop();
      previews.stop("the agent stops");
      await session.stop();
      cache.stop();
      await unlock();
    };
    return {
      lending,
      ended: session.ended,
      stop: () => {
        stopped ??= stop();
        return stopped;
      },
    };
  } catch (error) {
    await unlock();
    throw error;
  }
};

const flavour = () => (process.platform === "win32" ? "win32" : "posix");

/** How this node describes itself in every hello. */
const introduction = ({ name, tags, slots, roots, mounts }: AgentConfig) =>
  ({
    type: "hello",
    protocol: protocolVersion,
    name,
    platform: flavour(),
    tags,
    slots,
    roots,
    mounts,
  }) satisfies Partial<Hello>;
