import type { AddressInfo } from "node:net";
import { hostname } from "node:os";
import type { FastifyInstance } from "fastify";
import packageJson from "../package.json" with { type: "json" };
import type { Clock } from "../shared/basics/clock.ts";
import { AppError } from "../shared/basics/errors.ts";
import type { Ask } from "../shared/outbound/ask.ts";
import type { Deliver } from "../shared/outbound/delivery.ts";
import { createAlerts } from "./alerts/alerts.ts";
import { createBackups } from "./backup/backups.ts";
import type { Checkpoint } from "./checkpoint.ts";
import type { CoordinatorConfig } from "./config.ts";
import { createAgentServer } from "./connections/agent-server.ts";
import { openJoinTokens } from "./connections/join-tokens.ts";
import { createDoors } from "./doors/doors.ts";
import { farmDuties, startDuties } from "./duties.ts";
import type { Farm } from "./farm.ts";
import { createIdentity } from "./identity/identity.ts";
import { keepLastTime, resumeClock } from "./keep-time.ts";
import { openFarm } from "./open-farm.ts";
import { createAccounts, type FirstCredentials } from "./people/accounts.ts";
import { createTokens } from "./people/api-tokens.ts";
import { createMachineKey } from "./people/machine-key.ts";
import { createPasswords } from "./people/passwords.ts";
import { createPeople } from "./people/people.ts";
import { portProblem } from "./port.ts";
import { createApp } from "./routes/app.ts";
import { createSecondSteps } from "./second-steps/second-steps.ts";
import { checkSealingKey } from "./secrets/sealing-key.ts";
import { createVault } from "./secrets/vault.ts";
import { createLead } from "./standby/hand-over.ts";
import type { LeaseKeeper } from "./standby/lease-keeper.ts";
import { type StandbyNeeds, standBy } from "./standby/stand-by.ts";
import { keepRecords } from "./store/kept/records.ts";
import { openStore } from "./store/open-store.ts";
import type { Store } from "./store/store.ts";
import type { Material } from "./tls/material.ts";
import { tlsModeOf } from "./tls/mode.ts";
import { isEveryAddress } from "./tls/names.ts";
import { nameIn } from "./tls/provided-certificate.ts";
import { openTls } from "./tls/tls.ts";
import { openTraces } from "./tracing/settings.ts";
import { createTracing, type Tracing } from "./tracing/tracing.ts";
import { takeLeftLines } from "./trail/left-lines.ts";
import { createSyslogSender } from "./trail/syslog-sender.ts";
import { openOutbox } from "./webhooks/outbox.ts";
import { createWebhooks } from "./webhooks/webhooks.ts";

export type Coordinator = {
  readonly baseUrl: string;
  readonly dashboardUrl: string;
  /** On which it answers; the addresses may name a proxy's. */
  readonly port: number;
  /** Opens the page for creating the owner; null once anybody can sign in. */
  readonly firstSignInUrl: string | null;
  /** What clients must trust to accept the farm's certificate, PEM; undefined without TLS, or if they trust it anyway. */
  readonly authority: string | undefined;
  /** Reads the administrator's TLS certificate again; undefined without one. */
  readonly readFilesAgain: (() => Promise<void>) | undefined;
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
  /** Sends the farm's own messages; without it, alerts reach desktops alone. */
  readonly deliver?: Deliver;
  /** Asks identity providers; without it, people sign in with passwords alone. */
  readonly ask?: Ask;
  /** Another coordinator leads: this program must exit. */
  readonly fenced?: () => void;
  /** Opens the store in the place of the one that is configured. */
  readonly openStore?: (dataDir: string) => Store | Promise<Store>;
  /** Somebody gave the lead away: this coordinator is to be closed, and started again with `gaveAt`. */
  readonly handOver?: () => void;
} & Pick<StandbyNeeds, "onStandby" | "ending" | "gaveAt">;

/**
 * Opens the store, waits until it may lead where another coordinator does, serves the API and the agents' WebSocket, and resolves when both are ready. Throws AppError if the
 * data folder or the port is not available, or if the database is newer than this program.
 */
export const startCoordinator = async (config: CoordinatorConfig, outside: Outside): Promise<Coordinator> => {
  const store = await (outside.openStore?.(config.dataDir) ?? openStore(config));
  try {
    const vault = createVault(config.dataDir, config.secretKey);
    await checkSealingKey(store, vault);
    const leadership = store.lease && (await standBy({ ...outside, config, store, vault }, store.lease));
    if (outside.ending?.aborted) throw new AppError("UNAVAILABLE", "The coordinator was stopped before it led");
    const given = { ...outside, config: { ...config, port: leadership?.port ?? config.port } };
    return await serve(given, { store, vault, keeper: leadership?.keeper });
  } catch (problem) {
    await store.close();
    throw problem;
  }
};

type Opened = Pick<Farm, "store" | "vault"> & { readonly keeper: LeaseKeeper | undefined };

const serve = async (outside: Outside & Pick<Farm, "config">, opened: Opened): Promise<Coordinator> => {
  const { config } = outside;
  const { store: shared, vault, keeper } = opened;
  keeper?.keep((why) => {
    outside.log.fatal(`this coordinator no longer leads, and exits: ${why}`);
    outside.fenced?.();
  });
  const clock = await resumeClock(outside.clock, shared);
  const accounts = createAccounts(shared, vault, clock);
  const tokens = createTokens(shared, clock, config.tokenMs);
  const firstCredentials = await accounts.ensureFirst();
  const { epoch } = await shared.lead(epochAtLeast(clock));
  // From here on nobody else changes them.
  const store = { ...shared, records: keepRecords(shared.records) };
  const { mode, warning } = await tlsModeOf(config, store, firstCredentials !== null);
  if (warning !== undefined) outside.log.warn(warning);
  const tls = await openTls({ ...outside, clock, store, vault }, mode);
  let origin = ""; // known once it listens
  const pins = () => tls?.current().pins ?? [];
  const join = await openJoinTokens(
    { ...outside, clock, store, vault },
    () => origin,
    tls && (() => pins().slice(0, 1)),
  );
  const outbox = await openOutbox({ clock, epoch, store });
  let tracing: Pick<Tracing, "note" | "send"> = { note: () => {}, send: async () => {} }; // until the farm is open
  const tellOf: Parameters<typeof openFarm>[0]["tellOf"] = (draft, progress) => {
    outbox.tellOf(draft, progress);
    tracing.note(draft);
  };
  const farm = await openFarm({ ...outside, clock, store, vault, epoch, tellOf });

  const about = { host: hostname(), version: packageJson.version, started: clock.now() };
  const told = createTracing({ farm, settings: config.traces, ask: outside.ask, about });
  tracing = told;
  const traces = await openTraces({ store, vault, tracing: told, environment: config.traces });
  const backups = createBackups(farm);
  const dashboard = () => `${tls ? "https" : "http"}://${origin}/`;
  const webhooks = createWebhooks({ farm, outbox, deliver: outside.deliver });
  const alerts = createAlerts({ farm, backups, tls, webhooks, deliver: outside.deliver, dashboard });
  const people = createPeople(store, createPasswords(outside.clock), clock);
  const identity = createIdentity({ farm, people, ask: outside.ask });
  const steps = createSecondSteps({ farm, people });
  const machine = createMachineKey(config.dataDir);
  const firstCode = await people.newFirstCode();
  const doors = createDoors(config, outside.clock);
  const address = () => config.address ?? dashboard().replace(/\/$/, "");
  const lead = createLead({ lease: keeper && store.lease, address, handOver: outside.handOver });
  const doorkeepers = { accounts, tokens, people, identity, steps, machine, join, tls, doors };
  const { app } = await createApp({ farm, ...doorkeepers, backups, lead, alerts, webhooks, traces, origin: about });
  await listen(app, config);
  const { port } = app.server.address() as AddressInfo; // a listening TCP server has one
  origin = config.address ? new URL(config.address).host : `${reachableHost(config.host, tls?.current())}:${port}`;
  const hub = createAgentServer(farm, app.server, { useJoinToken: join.use, pins }, doors);
  const syslog = createSyslogSender({ ...farm, host: about.host });
  const stopDuties = startDuties(farm, [
    ...farmDuties(farm),
    { name: "take backups", ticks: 60, run: backups.look },
    { name: "look for alerts", ticks: 10, run: alerts.look },
    { name: "send alerts", ticks: 5, run: alerts.deliver },
    { name: "send to webhooks", ticks: 1, run: webhooks.deliver },
    { name: "send traces", ticks: 1, run: () => tracing.send() },
    { name: "forget old messages of webhooks", ticks: 60, run: webhooks.trim },
    { name: "take lines of commands", ticks: 5, run: () => takeLeftLines(farm, config.dataDir) },
    { name: "pass the audit on", ticks: 1, run: syslog.look },
  ]);
  await takeLeftLines(farm, config.dataDir);
  farm.trail.note({ ...ownDoing, action: "start", about: { version: about.version, epoch, port } });

  const close = async () => {
    machine.withdraw();
    tls?.close();
    farm.jobStarter.end();
    alerts.end();
    await webhooks.end();
    await stopDuties();
    await hub.close();
    await app.close();
    farm.jobReader.stop();
    await farm.settle();
    await backups.settle();
    farm.trail.note({ ...ownDoing, action: "stop", about: { epoch } });
    await farm.trail.end();
    syslog.close();
    await keepLastTime(farm);
    await keeper?.give().catch((problem) => outside.log.warn({ err: problem }, "the lease ends by itself"));
    await store.close();
  };
  const dashboardUrl = dashboard();
  const baseUrl = `${dashboardUrl}v1`;
  const authority = tls?.current().authority;
  machine.publish(dashboardUrl, { authority, loopback: loopbackOf(config.host, port, tls?.current()) });
  const firstSignInUrl = firstCode === null ? null : `${dashboardUrl}#/welcome?code=${firstCode.reveal()}`;
  const addresses = { baseUrl, dashboardUrl, firstSignInUrl, authority };
  const readFilesAgain = mode === "given" ? tls?.lookAgain : undefined;
  return {
    ...addresses,
    port,
    joinToken: (await join.current()).reveal(),
    firstCredentials,
    farm,
    readFilesAgain,
    close,
  };
};

const ownDoing = { who: "the coordinator", origin: "" };

/** Higher than at any start before a restored backup was taken: an epoch is never below the Unix time in seconds. */
export const epochAtLeast = (clock: Clock): number => Math.floor(clock.now() / 1000);

const listen = async (app: FastifyInstance, { host, port }: CoordinatorConfig): Promise<void> => {
  await app.listen({ host, port }).catch((cause) => {
    throw portProblem({ host, port }, cause);
  });
};

/**
 * This machine's name may lead to its network's address, which is not taken for this machine. A certificate of the
 * administrator's need not cover loopback: then only its names are left.
 */
const loopbackOf = (host: string, port: number, tls: Material | undefined): string | undefined => {
  if (!isEveryAddress(host) || tls?.isOwn === false) return undefined;
  return `${tls ? "https" : "http"}://${host === "::" ? "[::1]" : "127.0.0.1"}:${port}/`;
};

/**
 * Other machines cannot connect to the address for all interfaces, so use this machine's name; if the administrator's
 * certificate does not cover that, a name that it covers.
 */
const reachableHost = (host: string, tls: Material | undefined): string => {
  const wanted = isEveryAddress(host) ? hostname() : host;
  const name = tls && !tls.isOwn ? nameIn(tls.certificate, wanted) : wanted;
  return name.includes(":") ? `[${name}]` : name;
};
