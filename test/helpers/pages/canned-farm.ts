import { type FastifyInstance, fastify } from "fastify";
import { openApiOf } from "../../../coordinator/http/openapi/openapi.ts";
import { bindPages, builtPages } from "../../../coordinator/http/pages.ts";
import type { StateCount } from "../../../coordinator/store/job-reads.ts";
import { groupCounts } from "../../../coordinator/views/job-groups.ts";
import { api } from "../../../shared/api/api.ts";
import { type Explanation, obstacleOf } from "../../../shared/api/explain.ts";
import type { FarmView } from "../../../shared/api/farm-view.ts";
import type { JobOutput } from "../../../shared/api/job-outputs.ts";
import type { ActivityEntry, JobStateCount, UiJob, UiJobRow, UiTask } from "../../../shared/api/job-view.ts";
import type { Timeline, TimelineBar } from "../../../shared/api/node-view.ts";
import type { Overview } from "../../../shared/api/overview.ts";
import { encodeJoinToken } from "../../../shared/credentials/join-token.ts";
import type { FarmMount } from "../../../shared/files/mounts.ts";
import type { ComputeGroup, TagLimitNow } from "../../../shared/model/compute-group.ts";
import type { Node } from "../../../shared/model/node.ts";
import { usualRetention } from "../../../shared/model/retention.ts";
import { usualAlerts } from "../../../shared/outbound/alerts.ts";
import type { ApiUser } from "../../../shared/people/account.ts";
import type { AuditEntry } from "../../../shared/people/audit.ts";
import { scopes, usualScopes } from "../../../shared/people/scopes.ts";
import type { SecondSteps } from "../../../shared/people/second-steps.ts";
import { cannedWebhooks } from "./canned-webhooks.ts";
import { aJobRow } from "./job-row.ts";

/** 500 characters of Hebrew and Arabic with digits and a mark that turns the direction. */
export const longName = "מסע אל לב הסרט 2026 فيلم طويل جدا\u202e ".repeat(20).slice(0, 500);
export const unbroken = "עברית".repeat(100);

const moment = Date.now() - 3_600_000;
const iso = (offset: number): string => new Date(moment + offset).toISOString();

const quiet: ActivityEntry = { running: null, waiting: null, retry: null, held: null, last_action: null };
const ahead = (minutes: number): string => new Date(Date.now() + minutes * 60_000).toISOString();
const finishIn = (from: number, likely: number, to: number) => ({
  ...{ from: ahead(from), likely: ahead(likely), to: ahead(to) },
});
const onNodes = (tasks: number, nodes: readonly string[], speed: number | null): ActivityEntry => ({
  ...quiet,
  running: { tasks, nodes: [...nodes], node_count: nodes.length, speed },
});

type RowSpec = Partial<UiJobRow> & Pick<UiJobRow, "name">;
const row = (id: number, spec: RowSpec): UiJobRow =>
  aJobRow(id, {
    owner: ["Ana K.", "Mira O.", "ingest", null][id % 4] ?? null,
    origin: id % 4 === 2 ? "api" : "pages",
    progress: 40,
    creation_time: iso(id * 60),
    start_time: iso(id * 60),
    task_counts: { queued: 4, running: 2, completed: 4, failed: 0, stopped: 0 },
    ...spec,
  });

const ended = (id: number): UiJobRow => {
  const name = `Rushes ${1000 - id}`;
  const end = { progress: 100, end_time: iso(id * 90), user_tag: "dailies" };
  if (id % 11 === 0) {
    const error = "ffmpeg: moov atom not found in A021C003.mov";
    return row(id, {
      name,
      ...end,
      status: "failed",
      substatus: null,
      error,
      task_counts: { queued: 0, running: 0, completed: 18, failed: 3, stopped: 0 },
    });
  }
  if (id % 17 === 0) {
    return row(id, {
      name,
      ...end,
      status: "failed",
      substatus: "stopped",
      error: "Stopped",
      task_counts: { queued: 0, running: 0, completed: 9, failed: 1, stopped: 0 },
    });
  }
  return row(id, {
    name,
    ...end,
    status: "completed",
    substatus: null,
    task_counts: { queued: 0, running: 0, completed: 21, failed: 0, stopped: 0 },
  });
};

const activeJobs: readonly UiJobRow[] = [
  row(990, {
    name: "Northline 207 UHD HDR10",
    user_tag: "nln-207-uhd",
    progress: 51,
    task_counts: { queued: 20, running: 12, completed: 38, failed: 0, stopped: 0 },
    happening: onNodes(12, ["rack-01", "rack-02", "rack-04"], 4.1),
    finish: finishIn(20, 26, 38),
  }),
  row(989, {
    name: longName,
    user_tag: unbroken.slice(0, 190),
    progress: 5,
    happening: onNodes(2, [longName.slice(0, 200)], null),
    finish: finishIn(90, 120, 1800),
  }),
  row(988, {
    name: unbroken,
    substatus: "retrying",
    error: `Upload refused: ${unbroken}`,
    progress: 30,
    happening: { ...quiet, retry: { at: ahead(3), nr: 2, of: 3, message: `Upload refused: ${unbroken}` } },
  }),
  row(987, {
    name: "Harrow Lane trailer",
    substatus: "waiting",
    progress: 66,
    task_counts: { queued: 4, running: 0, completed: 8, failed: 0, stopped: 0 },
    happening: {
      ...quiet,
      waiting: { task_id: "541", message: "All slots on 8 nodes are busy; 1 node is paused", parts: [] },
    },
    finish: finishIn(12, 15, 21),
  }),
  row(986, {
    name: "Saltmarsh R4 J2K MXF",
    progress: 66,
    happening: onNodes(5, ["rack-01", "rack-02"], 2.2),
    finish: finishIn(40, 52, 70),
    task_counts: { queued: 43, running: 5, completed: 96, failed: 0, stopped: 0 },
  }),
];
const queuedJobs = Array.from({ length: 6 }, (_, at) =>
  row(985 - at, {
    name: `Kite County ${106 + at}`,
    status: "queued",
    substatus: "waiting",
    progress: 0,
    start_time: null,
    task_counts: { queued: at % 2 ? 39 : 0, running: 0, completed: 0, failed: 0, stopped: 0 },
  }),
);
const endedJobs = Array.from({ length: 900 }, (_, at) => ended(900 - at));
const jobs = [...activeJobs, ...queuedJobs, ...endedJobs];

const node = (id: number, spec: Partial<Node>): Node => ({
  id: String(id),
  name: `rack-0${id}`,
  state: "active",
  presence: "online",
  health: { state: "sound", until: null, why: null },
  tags: ["linux", "x264"],
  group: null,
  slots: 4,
  running: [],
  lending: null,
  platform: "posix",
  machine: { cpu: "16-core processor", cores: 16, memory: 64e9, os: "Linux 6.12" },
  ffmpeg: { version: "7.1", path: "/usr/bin/ffmpeg" },
  roots: ["/mnt/projects"],
  mounts: [{ prefix: "smb://nas/projects", folder: "/mnt/projects" }],
  version: "0.1.0",
  clock_offset: 0,
  enrolled: iso(0),
  last_seen: iso(3_000_000),
  ...spec,
});
const running = (count: number) =>
  Array.from({ length: count }, (_, at) => ({
    task_id: String(500 + at),
    job_id: "990",
    name: at === 1 ? longName : `transcode ${34 + at}`,
    progress: 91 - at * 23,
  }));

const nodes: readonly Node[] = [
  node(1, { running: running(4) }),
  node(2, { running: running(2), group: "gpu" }),
  node(3, {}),
  node(4, { state: "drain", running: running(1) }),
  node(5, { state: "paused", tags: [] }),
  node(6, { presence: "late", running: running(1) }),
  node(9, { health: { state: "quarantined", until: iso(3_600_000), why: "It kept failing where others did not" } }),
  node(7, { presence: "lost", tags: ["windows", longName.slice(0, 90)] }),
  node(8, {
    name: longName.slice(0, 200),
    slots: 16,
    running: running(3),
    machine: { cpu: "Laptop", cores: 8, memory: 16e9, os: longName.slice(0, 200) },
  }),
];

const uids = ["source", "look", "split", "transcode", "combine", "verify", "deliver", "hold", "tell"] as const;
const stateOf: Record<(typeof uids)[number], UiJob["elements"][number]["state"]> = {
  source: "succeeded",
  look: "succeeded",
  split: "succeeded",
  transcode: "running",
  combine: "waiting",
  verify: "waiting",
  deliver: "waiting",
  hold: "skipped",
  tell: "waiting",
};

const statusAt = (at: number): UiTask["status"] => {
  if (at < 520) return "completed";
  if (at === 533) return "failed";
  return at < 532 ? "running" : "queued";
};

/** What differs between a task that waits and one that a node has, or had. */
const life = (at: number, status: UiTask["status"]) =>
  status === "queued"
    ? { start_time: null, end_time: null, machine_uid: null, node: null }
    : {
        start_time: iso(at * 1000),
        end_time: status === "running" ? null : iso(at * 1000 + 165_000),
        machine_uid: "1",
        node: at % 9 === 0 ? longName.slice(0, 200) : "rack-01",
      };

const outcome = (at: number, status: UiTask["status"]) => {
  const running = status === "running";
  const failed = status === "failed";
  return {
    progress: status === "completed" ? 100 : running ? (at * 7) % 100 : 0,
    error: failed ? `The encoder ended with status 1: ${longName}` : null,
    cause: failed ? ("media" as const) : null,
    progress_detail: running ? { percent: 50, fps: 8.2, speed: 0.34 } : null,
  };
};

const task = (at: number): UiTask => ({
  id: String(at + 1),
  uid: `task-${at}`,
  element_uid: ["source", "look", "look"][at] ?? "transcode",
  path: "",
  name: at === 521 ? longName : `transcode ${String(at).padStart(4, "0")}`,
  kind: at === 0 ? "source" : "transcode",
  purpose: at === 0 ? "facts" : "work",
  status: statusAt(at),
  creation_time: iso(0),
  retry_nr: at === 525 ? 2 : 0,
  losses: at === 526 ? 1 : 0,
  ...life(at, statusAt(at)),
  ...outcome(at, statusAt(at)),
});

const tasks = Array.from({ length: 1000 }, (_, at) => task(at));
const countBy = (status: UiTask["status"]) => tasks.filter((each) => each.status === status).length;

const outputs: JobOutput[] = [
  ["NLN207_UHD_v03.mp4", 41_234_567_890, "mp4, 66 min, hevc 3840×2160 24 fps, aac 5.1"] as const,
  [`${encodeURIComponent(longName)}.mov`, null, longName] as const,
  ["report.pdf", 412_000, ""] as const,
].map(([name, size, summary], position) => ({
  ...{ uri: `file:///mnt/projects/out/${name}`, size, summary, position },
  ...{ modified: null, checksum: null, element_uid: "transcode", task_id: "600", version: "v1", facts: null },
}));

const trail = [
  {
    ...{ id: 2, at: iso(1000), who: `Ada (person 1)`, origin: "192.0.2.7", action: "createPerson", outcome: "done" },
    ...{ about: `name=${longName}`, hash: "1".repeat(64) },
  },
  {
    ...{ id: 1, at: iso(0), who: "a stranger", origin: "2001:db8::7", action: "signIn", outcome: "NOT_AUTHENTICATED" },
    ...{ about: "times=41", hash: "0".repeat(64) },
  },
];

const history: AuditEntry[] = [
  { at: iso(3_000_000), who: "owner", action: "priority", job_id: "990", node_id: null, note: null },
  { at: iso(2_000_000), who: longName.slice(0, 90), action: "pause", job_id: "990", node_id: null, note: unbroken },
];

const viewOf = (info: UiJobRow): UiJob => {
  const { task_counts: _counts, happening, finish, turn, ...rest } = info;
  return {
    info: rest,
    warnings: ["payload.elements[3].payload.colour is not known and was ignored"],
    elements: uids.map((uid) => ({
      uid,
      kind: "transcode",
      title: "Transcode",
      name: uid === "combine" ? longName : uid,
      state: stateOf[uid],
      failure: uid === "hold" ? { cause: "storage", message: `No space is left in ${longName}` } : null,
      instances: uid === "verify" ? { total: 5000, running: 12, succeeded: 3120, failed: 2, skipped: 0 } : null,
    })),
    connections: [
      { from: ["source"], success: ["look"], error: [] },
      { from: ["look"], success: ["split"], error: ["hold"] },
      { from: ["split"], success: ["transcode"], error: [] },
      { from: ["transcode"], success: ["combine"], error: ["tell"] },
      { from: ["combine"], success: ["verify"], error: [] },
      { from: ["verify"], success: ["deliver"], error: ["tell"] },
    ],
    task_counts: {
      queued: countBy("queued"),
      running: countBy("running"),
      completed: countBy("completed"),
      failed: countBy("failed"),
      stopped: 0,
    },
    tasks,
    outputs: [
      {
        version: "v1",
        element_uid: "transcode",
        file_count: 300,
        files: [
          {
            uri: "file:///mnt/projects/out/NLN207_UHD_v03.mp4",
            size: 41_234_567_890,
            summary: "mp4, 66 min, hevc 3840×2160 24 fps, aac 5.1",
          },
          { uri: `file:///mnt/projects/out/${encodeURIComponent(longName)}.mov`, size: null, summary: longName },
          { uri: "file:///mnt/projects/out/report.pdf", size: 412_000, summary: "" },
        ],
      },
    ],
    happening,
    finish,
    turn,
    history,
  };
};

/** Above 5 MB: ordinary lines, a warning now and then, and one line of 200,000 characters without an end. */
export const bigLog = [
  ...Array.from({ length: 60_000 }, (_, at) =>
    at % 5000 === 42
      ? `[warning] frame ${at} has no mastering display`
      : `frame=${at} fps=8.2 q=21.7 size=${at * 31}KiB time=00:00:41 bitrate=820.4kbits/s speed=0.34x`,
  ),
  "x".repeat(200_000),
  `${longName}`,
  "the needle lies here",
].join("\n");

const farm: FarmView = {
  host: "farm-host",
  version: "0.1.0",
  epoch: 1,
  started: iso(0),
  now: iso(0),
  jobs: { queued: 6, active: 5, completed: 800, failed: 100 },
  nodes: { presence: { online: 6, late: 1, lost: 1, off: 0 }, state: { active: 6, drain: 1, paused: 1, pending: 0 } },
  tasks: { running: 33, ready: 96, blocked: 212 },
  empty: finishIn(100, 125, 150),
};

const notNarrowed = { only_tags: [], only_groups: [] };
const narrowedSome = { only_tags: ["dailies", longName.slice(0, 80)], only_groups: ["Studio A"] };

const people = [
  { name: "owner", role: "owner" as const, created: iso(0), second_step: true, links: ["studio"], ...notNarrowed },
  {
    name: longName.slice(0, 100),
    role: "operator" as const,
    created: iso(0),
    second_step: true,
    links: [],
    ...narrowedSome,
  },
  { name: "guest", role: "viewer" as const, created: iso(0), second_step: false, links: [], ...notNarrowed },
  {
    name: "ada@studio.example",
    role: "operator" as const,
    created: iso(0),
    provider: "studio",
    second_step: false,
    links: [],
    ...notNarrowed,
  },
];

const sessions = [
  {
    ...{ id: "0123456789abcdef", began: iso(0), ends: ahead(700), origin: "10.20.0.31", is_this: true },
    browser: "Mozilla/5.0 (X11; Linux x86_64; rv:150.0) Gecko/20100101 Firefox/150.0",
  },
  { id: "fedcba9876543210", began: iso(0), ends: ahead(60), origin: "2001:db8::7:1", browser: "", is_this: false },
];

const secondSteps: SecondSteps = {
  codes: { since: iso(0) },
  recovery_left: 7,
  passkeys: [
    { id: "AbCd", name: longName.slice(0, 60), host: "farm.studio.example", created: iso(0), last_used: iso(60) },
    { id: "EfGh", name: "key in the drawer", host: "localhost", created: iso(0), last_used: null },
  ],
  is_required: true,
  not_here: null,
};

const links = {
  items: [{ provider: "studio", name: longName.slice(0, 100), created: iso(0), last_used: null }],
  others: ["archive"],
  asks: "password or code",
};

const identity = {
  passwords: true,
  second_step: "operator",
  providers: [
    {
      ...{ name: "studio", issuer: "https://login.studio.example/realms/studio", client_id: "mediafarm" },
      ...{ is_confidential: true, scopes: ["openid", "profile"], groups_claim: "groups", session_hours: 12 },
      ...{ name_claim: "preferred_username", roles: { owner: ["farm-owners"], operator: ["editors"], viewer: [] } },
      narrowed: [],
    },
  ],
};

const apiUsers: ApiUser[] = [
  {
    auth_key: "api_Xk29dQpw1c5f",
    name: "the archive",
    created: iso(0),
    last_login: iso(60_000),
    last_used: iso(90_000),
    expires: iso(7 * 86_400_000),
    live_tokens: 3,
    ...{ scopes: [...scopes], reach: "all", group: null, may_mount: true },
  },
  {
    auth_key: "api_b8-_jQpwZ9aa",
    name: unbroken.slice(0, 100),
    created: iso(0),
    ...{ last_login: null, last_used: null, expires: null },
    live_tokens: 0,
    ...{ scopes: [...usualScopes], reach: "group", group: longName.slice(0, 100), may_mount: false },
  },
  {
    auth_key: "api_Zk29dQpw1c5f",
    name: longName.slice(0, 100),
    created: iso(0),
    ...{ last_login: null, last_used: null, expires: iso(-60_000) },
    live_tokens: 1,
    ...{ scopes: [...usualScopes], reach: "group", group: longName.slice(0, 100), may_mount: false },
  },
];

const presets = [
  { key: "proxy", name: "Small enough for the phone", kind: "transcode" as const, path: "house/web" },
  { key: unbroken.slice(0, 100), kind: "copy" as const, description: longName },
];

const groups: ComputeGroup[] = [
  { name: "gpu", provided_tags: ["gpu", "nvenc"], mandatory_tags: [] },
  { name: longName.slice(0, 200), provided_tags: [unbroken.slice(0, 100)], mandatory_tags: ["watch folder", "small"] },
];

const limits: TagLimitNow[] = [
  { tag: "dolby", most: 5, running: 5 },
  { tag: "upload", most: 12, running: 3 },
  { tag: unbroken.slice(0, 100), most: 1_000_000, running: 0 },
];

const mounts: FarmMount[] = [
  { prefix: "s3://bucket", folders: { posix: "/mnt/bucket", win32: "Z:\\bucket" } },
  { prefix: `smb://nas/${unbroken}`, folders: { posix: `/mnt/${longName.slice(0, 200)}` } },
];

const stateCounts = (some: readonly UiJobRow[] = jobs): JobStateCount[] => {
  const counts = new Map<string, JobStateCount>();
  for (const { status, substatus } of some) {
    const key = `${status} ${substatus}`;
    counts.set(key, { status, substatus, count: (counts.get(key)?.count ?? 0) + 1 });
  }
  return [...counts.values()];
};

const explanationOf = (taskId: string): Explanation => {
  const limit = obstacleOf("limit", { tag: "dolby", most: 5, running: 5 });
  const tag = obstacleOf("missing_tag", { tag: unbroken.slice(0, 90) });
  return {
    task_id: taskId,
    job_id: "990",
    name: "transcode",
    is_waiting: true,
    summary: `${limit.message}.`,
    summary_parts: [{ ...limit, nodes: 0 }],
    reasons: [limit],
    node_count: 120,
    nodes: [
      { node_id: "1", name: "rack-01", reasons: [obstacleOf("no_slot", { wanted: 1, free: 0 })] },
      { node_id: "2", name: longName.slice(0, 200), reasons: [tag, obstacleOf("node_paused")] },
      { node_id: "3", name: "rack-03", reasons: [] },
    ],
  };
};

type JobsQuery = Readonly<Partial<Record<"statuses" | "substatuses" | "owners" | "text" | "skip" | "take", string>>>;

const listOf = ({
  statuses = "[]",
  substatuses = "[]",
  owners = "[]",
  text = "",
  skip = "0",
  take = "200",
}: JobsQuery) => {
  const isOne = (list: string, value: string | null) => list === "[]" || JSON.parse(list).includes(value);
  const items = jobs
    .filter(({ status }) => isOne(statuses, status))
    .filter(({ substatus }) => isOne(substatuses, substatus))
    .filter(({ owner }) => isOne(owners, owner))
    .filter(({ name }) => name.toLowerCase().includes(text.toLowerCase()));
  const counts = stateCounts(items).map(({ count, ...state }) => ({ ...state, n: count }) as StateCount);
  const groups = groupCounts(counts, 0);
  return { items: items.slice(Number(skip), Number(skip) + Number(take)), count: items.length, groups };
};

const failed = jobs.filter(({ status, substatus }) => status === "failed" && substatus === null);

const overviewOf = (): Overview => ({
  acknowledged: [],
  now: iso(3_600_000),
  oldest_ready: { task_id: "541", job_id: "990", job: "Northline 207 UHD HDR10", since: iso(0) },
  waits: [14, 26, 6, 50, 0],
  throughput: {
    parts: Array.from({ length: 24 }, (_, at) => 80 + ((at * 37) % 60)),
    ...{ last_hour: 214, hour_before: 188, since: iso(-40_000_000) },
  },
  failures: [
    {
      ...{
        cause: "machine",
        message: "hevc_nvenc: driver 550 does not match kernel module 545",
        count: 6,
        recovered: 6,
      },
      ...{ jobs: ["990"], job_count: 3, nodes: ["rack-05"], last: iso(0) },
      parts: Array.from({ length: 24 }, (_, at) => (at === 22 ? 6 : 0)),
    },
    {
      ...{ cause: "source", message: `moov atom not found in ${longName}`, count: 3, recovered: 0 },
      ...{ jobs: ["880"], job_count: 1, nodes: [longName.slice(0, 200)], last: iso(0) },
      parts: Array.from({ length: 24 }, (_, at) => (at > 20 ? 1 : 0)),
    },
  ],
  stuck: [{ task_id: "528", job_id: "990", name: "transcode 0527", node: "rack-02", since: iso(0), progress: 41 }],
  failed: failed.slice(0, 4).map(({ id, name, error, creation_time, end_time }) => ({
    ...{ id, name, error, creation_time, end_time },
  })),
  failed_count: 4,
  held: [
    row(970, {
      ...{ name: "Harrow Lane social", status: "queued", substatus: "paused", start_time: null, progress: 0 },
      happening: {
        ...quiet,
        held: { since: iso(0), until: null },
        last_action: {
          at: iso(0),
          who: "Jonas",
          action: "pause",
          job_id: "970",
          node_id: null,
          note: "new end card comes",
        },
      },
    }),
  ],
  waiting: activeJobs.filter(({ substatus }) => substatus === "waiting"),
  active: [...activeJobs],
  active_count: 11,
  node_actions: [{ at: iso(0), who: "owner", action: "drain", job_id: null, node_id: "4", note: null }],
  empty: finishIn(120, 150, 190),
  unknown: 0,
});

const barStateOf = (at: number): TimelineBar["state"] => {
  if (at > 57) return "running";
  if (at % 17 === 3) return "failed";
  return at % 23 === 5 ? "lost" : "published";
};

const barAt = (at: number, begun: number, span: number): TimelineBar => {
  const state = barStateOf(at);
  return {
    ...{ task_id: String(500 + at), job_id: at % 5 ? "990" : "986", name: `transcode ${at}`, job: "Northline 207" },
    ...{ state, begun, lane: at % 2, message: state === "failed" ? "moov atom not found" : null },
    ended: state === "running" ? null : begun + span / 33,
    expected: state === "running" ? Date.now() + 300_000 : null,
  };
};

const timelineNow = (hours: number): Timeline => {
  const [now, span] = [Date.now(), hours * 3_600_000];
  const from = now - span;
  const barsOf = (index: number) =>
    Array.from({ length: 60 }, (_, at) => barAt(at, from + ((at >> 1) * span) / 30 + index * 40_000, span)).filter(
      // While its owner has it, nothing runs there.
      ({ begun }) => begun < from + span / 12 || begun > from + span / 4,
    );
  return {
    ...{ from, now, is_cut: false },
    nodes: nodes.map(({ id }, index) => ({
      ...{ node_id: id, bars: barsOf(index) },
      downtimes: [
        {
          state: "inUse" as const,
          from: from + span / 8,
          to: from + span / 4,
          why: "In use by Mara",
          lending: "inUse" as const,
        },
        { state: "lost" as const, from: from + span / 3, to: from + span / 2.9, why: "", lending: null },
        ...(index % 3 === 0
          ? [{ state: "paused" as const, from: now - span / 9, to: null, why: "", lending: null }]
          : []),
      ],
    })),
  };
};

/** The built pages with answers that are always the same: every state, names that hurt, much of everything. */
export const startCannedFarm = async (): Promise<{ readonly url: string; readonly close: () => Promise<void> }> => {
  const app: FastifyInstance = fastify({ forceCloseConnections: true });
  let isSignedIn = false;
  const session = { name: "owner", role: "owner" };
  app.addHook("onRequest", async (request, reply) => {
    const isFree = !/^\/ui\/v1\/(?!session|sign-ins)/.test(request.url) || isSignedIn;
    if (!isFree) await reply.code(401).send({ success: false, error: "NOT_AUTHENTICATED", message: "", details: [] });
  });
  app.get("/ui/v1/session", (_request, reply) =>
    isSignedIn
      ? session
      : reply.code(401).send({ success: false, error: "NOT_AUTHENTICATED", message: "Sign in", details: [] }),
  );
  app.post("/ui/v1/session", () => {
    isSignedIn = true;
    return session;
  });
  app.get("/ui/v1/farm", () => ({ ...farm, now: new Date().toISOString() }));
  app.get("/ui/v1/job-states", () => ({ items: stateCounts() }));
  app.get<{ Querystring: JobsQuery }>("/ui/v1/jobs", ({ query }) => listOf(query));
  app.get("/ui/v1/overview", () => overviewOf());
  app.get<{ Querystring: { hours?: string } }>("/ui/v1/timeline", ({ query }) => timelineNow(Number(query.hours ?? 4)));
  app.get("/ui/v1/folder", () => ({
    ...{ path: "/mnt/projects", parent: "", isCut: false },
    entries: [
      { name: longName.slice(0, 200), path: "/mnt/projects/a", isFolder: true, size: null },
      { name: "NLN207_GRADE_v3.mov", path: "/mnt/projects/b", isFolder: false, size: 63_000_000_000 },
    ],
  }));
  app.get("/ui/v1/loads", () => ({
    items: nodes.slice(0, 6).map(({ id }, at) => ({
      ...{ node_id: id, cpu: 91 - at * 13, memory: 62, disk: at === 4 ? 96 : 41 },
      gpu: at === 1 ? 98 : null,
    })),
  }));
  app.get("/ui/v1/paces", () => ({
    items: nodes.map(({ id }, at) => ({
      ...{ node_id: id, speed: at === 3 ? null : 1.2 - at * 0.13, samples: 40, done: 120, failed: at === 2 ? 7 : 0 },
      kind: at === 4 ? { speed: 0.6, nodes: 3 } : null,
      ...{ owners: at % 2 === 0 ? ["Ana K.", longName.slice(0, 80)] : [], has: [] },
    })),
  }));
  app.get("/ui/v1/history", () => ({ items: history.map((each) => ({ ...each, subject: longName })) }));
  app.get("/ui/v1/owners", () => ({ items: ["Ana K.", "Mira O.", "ingest"] }));
  app.get("/ui/v1/views", () => ({ items: [{ page: "jobs", name: "Tonight", search: { state: "scheduled" } }] }));
  app.get<{ Params: { id: string } }>("/ui/v1/nodes/:id", ({ params }, reply) => {
    const found = nodes.find(({ id }) => id === params.id);
    if (!found) return reply.code(404).send({ success: false, error: "NOT_FOUND", message: "There is no node" });
    const capabilities = ["ffmpeg", "ffprobe", "encoder:libx264", "encoder:aac", "muxer:mp4", "filter:scale"];
    const failures = [{ task_id: "534", job_id: "990", name: "transcode 0533", at: iso(0), message: longName }];
    return { node: found, capabilities, history, done: 41, failed: 1, failures };
  });
  app.get("/ui/v1/jobs/:id/outputs", () => ({ items: outputs, count: 300 }));
  app.get<{ Params: { id: string } }>("/ui/v1/jobs/:id", ({ params }, reply) => {
    const found = jobs.find(({ id }) => id === params.id);
    const message = `There is no job ${params.id}`;
    return found ? viewOf(found) : reply.code(404).send({ success: false, error: "NOT_FOUND", message, details: [] });
  });
  app.get("/ui/v1/jobs/:id/definition", () => ({
    name: longName,
    payload: { elements: uids.map((uid) => ({ uid })) },
  }));
  app.get("/ui/v1/nodes", () => ({ items: nodes }));
  app.get("/ui/v1/groups", () => ({ items: groups }));
  app.get("/ui/v1/retention", () => usualRetention);
  app.get("/ui/v1/limits", () => ({ items: limits }));
  app.get("/ui/v1/trail", () => ({ items: trail }));
  app.get("/ui/v1/trail/check", () => ({ lines: 2, first: 1, last: 2, problem: null }));
  app.get("/ui/v1/backups", () => ({
    ...{ folder: `/srv/${unbroken}`, schedule: { everyHours: 24, keep: 14 }, is_running: false },
    items: [
      {
        name: "mediafarm-2026-11-01T12-00-00Z.backup",
        made: iso(0),
        bytes: 48_000_000,
        tried: iso(1000),
        problem: null,
      },
    ],
    failure: { at: iso(1000), message: longName },
  }));
  app.get("/ui/v1/traces", () => ({
    ...{ set_by: "owner", collector: `http://${"long-name-".repeat(5)}collector.example:4318` },
    ...{ headers: ["api-key"], sampler: "parentbased_always_on", ratio: 1, waiting: 1000, failure: longName },
  }));
  cannedWebhooks(app);
  app.get("/ui/v1/alerts", () => ({
    settings: { ...usualAlerts, quiet: { from: "22:00", to: "07:00" }, time_zone: "Europe/Vienna" },
    channels: [
      { name: "night shift", kind: "email", target: "night@studio.example, second.night.shift@studio.example" },
      { name: unbroken.slice(0, 60), kind: "webhook", target: `https://${"long-name-".repeat(5)}chat.example` },
      { name: "everybody", kind: "desktop", target: "" },
    ],
    messages: [
      {
        ...{
          id: "3",
          channel: "night shift",
          made: iso(0),
          title: "12 nodes are lost",
          state: "waiting",
          tries: 2,
          ended: null,
        },
        ...{ next_try: iso(-60), answer: `mail.studio.example:587: ${longName}` },
        content: {
          counts: [{ kind: "node_lost", is_over: false, n: 12 }],
          notices: [
            { kind: "node_lost", subject: "4", name: unbroken, detail: "", at: iso(0), is_over: false, count: 1 },
          ],
          is_test: false,
        },
      },
      {
        ...{ id: "2", channel: "everybody", made: iso(600), title: "A test of this channel", state: "told", tries: 1 },
        ...{ ended: iso(600), next_try: null, answer: null },
        content: { counts: [], notices: [], is_test: true },
      },
    ],
  }));
  app.get("/ui/v1/mounts", () => ({ items: mounts }));
  app.get("/ui/v1/credentials", () => ({
    items: [
      { name: "archive-bucket", kind: "s3", prefix: "s3://archive", changed: moment },
      { name: longName.replaceAll(/[^A-Za-z0-9]/g, "x").slice(0, 200), kind: "sftp", changed: moment },
    ],
  }));
  app.get("/ui/v1/join-token", () => ({
    join_token: encodeJoinToken({
      url: "ws://127.0.0.1:8700/v1/agent",
      farmId: "f".repeat(22),
      secret: "s".repeat(43),
    }),
  }));
  app.get("/ui/v1/people", () => ({ items: people }));
  app.get("/ui/v1/sign-ins", () => ({ passwords: true, providers: [] }));
  app.put("/ui/v1/sign-ins/:name", (_request, reply) =>
    reply.code(403).send({
      ...{ success: false, error: "FORBIDDEN", details: [] },
      message: "No group of yours is known to this farm. Ask an owner to let one of them in: editors",
    }),
  );
  app.get("/ui/v1/sessions", () => ({ items: sessions }));
  app.get("/ui/v1/second-steps", () => secondSteps);
  app.get("/ui/v1/links", () => links);
  app.get("/ui/v1/identity", () => identity);
  app.get("/ui/v1/account", () => ({ oapi_key: "oapi_Xk29dQpw1c5f", created: iso(0), renewed: null }));
  app.get("/ui/v1/api-users", () => ({ items: apiUsers }));
  app.get("/ui/v1/presets", () => ({ items: presets }));
  app.get<{ Params: { key: string } }>("/ui/v1/presets/:key", ({ params }) => ({
    ...presets.find(({ key }) => key === params.key),
    payload: { targets: [{ file_pattern: "{source_basename}_small", video: { codec: "h264", height: 360 } }] },
  }));
  app.get("/ui/v1/openapi.json", () => openApiOf(api, "0.1.0"));
  app.get("/ui/v1/tasks/:id/log", () => ({
    items: [
      { attempt: 1, node: "rack-01", state: "lost", assigned: iso(0), ended: iso(1000), log: "" },
      { attempt: 2, node: "rack-01", state: "failed", assigned: iso(2000), ended: iso(5000), log: bigLog },
    ],
  }));
  app.get<{ Params: { id: string } }>("/ui/v1/tasks/:id/explain", ({ params }) => explanationOf(params.id));
  app.get("/ui/v1/events", (_request, reply) => {
    reply.hijack();
    reply.raw.writeHead(200, { "content-type": "text/event-stream" });
    reply.raw.write("retry: 1000\n\n");
  });
  bindPages(app, builtPages);
  const url = await app.listen({ host: "127.0.0.1", port: 0 });
  return { url, close: () => app.close() };
};
