import { statfs } from "node:fs/promises";
import { monitorEventLoopDelay } from "node:perf_hooks";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { AppError } from "../../shared/basics/errors.ts";
import { Secret } from "../../shared/basics/secret.ts";
import { jobStatuses } from "../../shared/state/job.ts";
import { enrolledStates, type Presence, presences } from "../../shared/state/node.ts";
import type { Backups } from "../backup/backups.ts";
import type { Nodes } from "../nodes/nodes.ts";
import { isSameSecret } from "../secrets/vault.ts";
import type { NodeRow } from "../store/rows.ts";
import type { Tls } from "../tls/tls.ts";
import type { Webhooks } from "../webhooks/webhooks.ts";
import { isFromThisMachine } from "./session-guard.ts";

const resolutionMs = 10;

type MetricSources = {
  readonly tls?: Tls | undefined;
  readonly backups: Pick<Backups, "newest">;
  readonly webhooks: Pick<Webhooks, "silent">;
};

/** `GET /metrics`: the farm in numbers, in Prometheus format. From this machine, or with the farm's metrics key. */
export const bindMetrics = (app: FastifyInstance, farm: Nodes, sources: MetricSources): void => {
  const delay = monitorEventLoopDelay({ resolution: resolutionMs });
  delay.enable();
  app.addHook("onClose", async () => {
    delay.disable();
  });
  app.get("/metrics", async (request, reply) => {
    requireReader(request, farm.config.metricsKey);
    const text = [
      ...(await collectFamilies(farm)),
      ...delayFamilies(delay),
      ...certificateFamilies(sources.tls),
      ...(await backupFamilies(sources.backups)),
      single("gauge", "webhooks_off", "Webhooks that switched themselves off", sources.webhooks.silent().length),
      ...(await machineFamilies(farm.config.dataDir)),
    ]
      .map(formatMetrics)
      .join("");
    delay.reset();
    return reply.type("text/plain; version=0.0.4; charset=utf-8").send(text);
  });
};

const requireReader = (request: FastifyRequest, key: Secret | undefined): void => {
  const { headers } = request;
  if (isFromThisMachine(request)) return;
  const given = /^bearer\s+(\S+)$/i.exec(headers.authorization ?? "")?.[1];
  if (key !== undefined && given !== undefined && isSameSecret(new Secret(given), key)) return;
  const how = key === undefined ? "no key is set (MEDIAFARM_METRICS_KEY)" : "or with Authorization: Bearer and the key";
  throw new AppError("NOT_AUTHENTICATED", `/metrics is answered on this machine; ${how}`);
};

type Family = {
  readonly name: string;
  readonly kind: "gauge" | "counter";
  readonly help: string;
  readonly values: readonly (readonly [labels: string, value: number])[];
};

const collectFamilies = async (farm: Nodes): Promise<Family[]> => {
  const { store, values, registry, clock, ready, delayed, polls, commits } = farm;
  const states = await store.jobs.states({ filters: [] });
  const rows = registry.rows();
  const countOf = (isMeant: (row: NodeRow) => boolean) => rows.filter(isMeant).length;
  const isPresent = (presence: Presence) => (row: NodeRow) => registry.presence(row.id, clock.monotonic()) === presence;
  const running = registry.running().length;
  const sizes = { ready: ready.size(), awaiting: polls.size(), delayed: delayed.size, running };
  const slots = countSlots(registry.offers());
  return [
    gauge("jobs", "Jobs by status", "status", jobStatuses, (each) =>
      states.reduce((sum, { status, n }) => sum + (status === each ? n : 0), 0),
    ),
    gauge("nodes", "Enrolled nodes by presence", "presence", presences, (each) => countOf(isPresent(each))),
    gauge("nodes_state", "Enrolled nodes by what was asked of them", "state", enrolledStates, (each) =>
      countOf(({ state }) => state === each),
    ),
    gauge("tasks", "Open tasks by state", "state", ["ready", "awaiting", "delayed", "running"], (each) => sizes[each]),
    gauge("slots", "Slots of the nodes that take work", "state", ["all", "free"], (each) => slots[each]),
    single("counter", "attempts_total", "Attempts of tasks ever begun", values.counters.attempts),
    single("counter", "commits_total", "Batches that became durable since the start", commits()),
  ];
};

const countSlots = (offers: ReturnType<Nodes["registry"]["offers"]>) => {
  const slots = { all: 0, free: 0 };
  for (const { offer } of offers) {
    slots.all += offer.node.capacity.slots;
    slots.free += offer.free.slots;
  }
  return slots;
};

/** What the coordinator takes of its machine, and what is left of its disk. */
const machineFamilies = async (dataDir: string): Promise<Family[]> => {
  const { user, system } = process.cpuUsage();
  const { bavail, bsize } = await statfs(dataDir);
  return [
    single("gauge", "disk_free_bytes", "Free bytes on the disk of the data folder", bavail * bsize),
    single("gauge", "memory_bytes", "Memory of the coordinator", process.memoryUsage.rss()),
    single("counter", "cpu_seconds_total", "Processor time of the coordinator since its start", (user + system) / 1e6),
  ];
};

/** Without TLS there is nothing to tell. */
const certificateFamilies = (tls: Tls | undefined): Family[] =>
  tls === undefined
    ? []
    : [
        single(
          "gauge",
          "tls_certificate_end_seconds",
          "When the TLS certificate ends, in Unix time",
          tls.current().endsAt / 1000,
        ),
      ];

/** Without a backup there is nothing to tell. */
const backupFamilies = async (backups: MetricSources["backups"]): Promise<Family[]> => {
  const made = await backups.newest();
  return made === undefined
    ? []
    : [single("gauge", "backup_seconds", "When the newest backup was made, in Unix time", made / 1000)];
};

const gauge = <T extends string>(
  name: string,
  help: string,
  label: string,
  kinds: readonly T[],
  countOf: (kind: T) => number,
): Family => ({ name, kind: "gauge", help, values: kinds.map((kind) => [`{${label}="${kind}"}`, countOf(kind)]) });

const single = (kind: Family["kind"], name: string, help: string, value: number): Family => ({
  name,
  kind,
  help,
  values: [["", value]],
});

/** Since the last request. */
const delayFamilies = (delay: ReturnType<typeof monitorEventLoopDelay>): Family[] => {
  // Measures the time between two checks, which should equal the resolution.
  const seconds = (nanoseconds: number) =>
    Number.isFinite(nanoseconds) ? Math.max(0, nanoseconds / 1e9 - resolutionMs / 1000) : 0;
  const values = [0.5, 0.99, 1].map(
    (share) => [`{quantile="${share}"}`, seconds(delay.percentile(100 * share))] as const,
  );
  return [
    { name: "loop_delay_seconds", kind: "gauge", help: "How late the event loop was, since it was asked last", values },
  ];
};

const formatMetrics = ({ name, kind, help, values }: Family): string =>
  [
    `# HELP mediafarm_${name} ${help}.`,
    `# TYPE mediafarm_${name} ${kind}`,
    ...values.map(([labels, value]) => `mediafarm_${name}${labels} ${value}`),
    "",
  ].join("\n");
