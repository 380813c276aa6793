import { uiBase } from "../../../shared/api/ui/ui-api.ts";
import { type Ask, aJob, type Try, unless, type World } from "./world.ts";

/** Attacks on what came last: links of outputs, downloads, backups, calls on many jobs, presets, cookies by port. */

const refused = [400, 401, 403, 404, 414, 431];
const base64 = (text: string): string => Buffer.from(text).toString("base64url");
const signature = "A".repeat(43);
const later = Date.now() + 3_600_000;

const forged: readonly string[] = [
  ...[".", "...", "NaN.NaN.NaN.NaN", "__proto__.1.2.3", "%2e%2e%2f%2e%2e", "%00", "x".repeat(6000)],
  ...["person 1", "api user 1", "this machine", "", "constructor"].map(
    (who) => `1.${later}.${base64(who)}.${signature}`,
  ),
  ...[`1.Infinity.${base64("person 1")}.${signature}`, `1.9e99.${base64("person 1")}.`],
  ...[`1.${later}.${base64("person 1")}.${signature}.${signature}`, `-1.${later}..${signature}`],
];
const links: Try[] = forged.flatMap((token) =>
  ["/v1", uiBase].map(
    (base): Try => [
      "links of outputs: forged",
      `${base} ${token.slice(0, 60)}`,
      async ({ stranger }) => unless(await stranger("GET", `${base}/media/${token}/a.mov`), ...refused),
    ],
  ),
);

const positions = ["-1", "1e1", "0x0", "99999999999999999999", "..%2f..%2fnodes", "%00", "0%20", "NaN", "true", "٠"];
const outputs: Try[] = positions.flatMap((position) =>
  (["alice", "mallory"] as const).map(
    (who): Try => [
      "links of outputs: positions that are none",
      `${who}: ${position}`,
      async (world) => {
        const task = await aTaskOf(world.alice);
        return unless(await world[who]("GET", `/tasks/${task}/outputs/${position}`), ...refused);
      },
    ],
  ),
);

const ranges = [
  "bytes=0-0",
  "bytes=-1",
  `bytes=${"0-1,".repeat(2000)}0-1`,
  "bytes=9-1",
  "bytes=0-99999999999999999999",
];
const otherRanges: Try[] = ranges.map((range) => [
  "links of outputs: another's, in ranges",
  range.slice(0, 40),
  async ({ alice, mallory }) =>
    unless(await mallory("GET", `/tasks/${await aTaskOf(alice)}/outputs/0`, undefined, { range }), ...refused),
]);

const aTaskOf = async (program: Ask): Promise<string> => {
  const { body } = await program("POST", "/jobs", aJob("outputs of alice"));
  const { body: tasks } = await program("GET", `/jobs/${body.id}/tasks`);
  return tasks.items[0]?.id ?? "1";
};

type Someone = (world: World) => Ask;
const all = ["GET", "PUT", "POST"] as const;
/** Operators see backups and begin them; only an owner says how many are kept. */
const outsiders: readonly (readonly [who: string, askOf: Someone, methods: readonly (typeof all)[number][]])[] = [
  ["viewer", ({ viewer }) => viewer, all],
  ["operator", ({ operator }) => operator, ["PUT"]],
  ["a program", ({ alice }) => alice, all],
  [
    "a stranger",
    ({ stranger }) =>
      (method, path, ...rest) =>
        stranger(method, uiBase + path, ...rest),
    all,
  ],
];
const schedule = { everyHours: 1, keep: 1 };
const backups: Try[] = outsiders.flatMap(([who, askOf, methods]) =>
  methods.map(
    (method): Try => [
      "backups: whoever may not",
      `${who}: ${method}`,
      async (world) =>
        unless(await askOf(world)(method, "/backups", method === "PUT" ? schedule : undefined), ...refused),
    ],
  ),
);

const schedules: readonly unknown[] = [
  ...[0, -1, 1e308, "x", null, [1]].map((everyHours) => ({ everyHours, keep: 3 })),
  ...[0, -1, 1e9, 1.5, "all", {}].map((keep) => ({ everyHours: 24, keep })),
  ...[{ everyHours: 24, keep: 3, folder: "/etc" }, [], "daily"],
];
const wrongSchedules: Try[] = schedules.map((body) => [
  "backups: schedules that are none",
  JSON.stringify(body),
  async ({ owner }) => unless(await owner("PUT", "/backups", body), 400),
]);
const noFolder: Try = [
  "backups: begun where there is no folder",
  "by the owner",
  async ({ owner }) => unless(await owner("POST", "/backups"), 400, 409),
];

const calls: readonly (readonly [string, (id: string) => object])[] = [
  ["more than may be", () => ({ action: "stop", ids: Array.from({ length: 10_001 }, (_, nr) => nr) })],
  ["an action of every object", (id) => ({ action: "constructor", ids: [id] })],
  ["an action that is inherited", (id) => ({ action: "__proto__", ids: [id] })],
  ["ids in lists", (id) => ({ action: "delete", ids: [[id]] })],
  ["ids that calculate", (id) => ({ action: "delete", ids: [`${id}.0`, `0${id}`, ` ${id}`, `${id}e0`, `+${id}`] })],
  ["the same id a thousand times", (id) => ({ action: "delete", ids: Array.from({ length: 1000 }, () => id) })],
  ["an id beside one's own", (id) => ({ action: "stop", ids: ["0", "-1", id] })],
  ["a priority beyond all", (id) => ({ action: "priority", priority: 255, ids: [id] })],
  ["a note of another's", (id) => ({ action: "stop", note: "x".repeat(100_000), ids: [id] })],
  ["two actions", (id) => ({ action: ["stop", "delete"], ids: [id] })],
];
const bulk: Try[] = calls.map(([what, call]) => [
  "calls on many jobs: another's job",
  what,
  async ({ alice, mallory }) => {
    const { body } = await alice("POST", "/jobs", aJob("alice's many"));
    const answer = await mallory("POST", "/jobs/actions", call(body.id));
    const after = await alice("GET", `/jobs/${body.id}/info?fields[]=status&fields[]=priority`);
    if (after.status !== 200 || after.body.status === "failed" || after.body.priority !== 100) return after.text;
    const done = (answer.body?.items ?? []).some(({ success }: { success: boolean }) => success);
    return answer.status === 500 || done ? `${answer.status} ${answer.text.slice(0, 200)}` : undefined;
  },
]);

const presetOf = (key: string, payload: object = {}) => ({ key, name: "a preset", kind: "copy", payload });
const presets: readonly Try[] = [
  ...["__proto__", "constructor", "../../etc", "%2e%2e", "a/b", "x".repeat(300), ""].map(
    (key): Try => [
      "presets: keys that mean something elsewhere",
      key.slice(0, 40),
      async ({ mallory }) => {
        const stored = await mallory("POST", "/presets", presetOf(key));
        if (stored.status === 500) return stored.text;
        const read = await mallory("GET", `/presets/${encodeURIComponent(key)}`);
        return read.status === 500 || (read.status === 200 && stored.status !== 200 && key !== "")
          ? read.text
          : undefined;
      },
    ],
  ),
  [
    "presets: of others",
    "taken over by its key",
    async ({ alice, mallory }) => {
      await alice("POST", "/presets", presetOf("alices"));
      const taken = await mallory("POST", "/presets", presetOf("alices", { user_data: "mine" }));
      const kept = await alice("GET", "/presets/alices");
      return taken.status === 200 || kept.text.includes("mine") ? kept.text : undefined;
    },
  ],
  [
    "presets: of others",
    "deleted",
    async ({ alice, mallory }) => {
      await alice("POST", "/presets", presetOf("alices second"));
      await mallory("DELETE", "/presets/alices%20second");
      return unless(await alice("GET", "/presets/alices%20second"), 200);
    },
  ],
  [
    "presets: so many and so large that a list of them fills the memory",
    "8 MB of one program",
    async ({ mallory }) => {
      const payload = { target: { note: "x".repeat(120_000) } };
      let stored = 0;
      for (; stored < 100; stored += 1)
        if ((await mallory("POST", "/presets", presetOf(`fill ${stored}`, payload))).status !== 200) break;
      for (let nr = 0; nr < stored; nr += 1) await mallory("DELETE", `/presets/fill%20${nr}`);
      return stored < 100 ? undefined : `${stored} presets of 120 kB were taken`;
    },
  ],
];

/** The session of a person, under the name that a cookie of another service would have. */
const strangeNames = (own: string): readonly string[] => [
  `__Host-${own}`,
  `__Secure-${own}`,
  own.replace(/_\d+$/, ""),
  own.replace(/\d+$/, (port) => String(Number(port) + 1)),
  own.toUpperCase(),
  ` ${own}x`,
];
const cookies: Try[] = strangeNames("mediafarm_session_1").map((_, at) => [
  "cookies of another service on this host",
  `name ${at}`,
  async ({ signIn, sessionCookie, ask, origin }) => {
    const token = (await signIn("Vera")).cookie.replace(/^[^=]*=/, "");
    const name = strangeNames(sessionCookie)[at] ?? "";
    return unless(await ask("GET", `${uiBase}/session`, undefined, { origin, cookie: `${name}=${token}` }), 401);
  },
]);

export const landedTries: readonly Try[] = [
  ...[...links, ...outputs, ...otherRanges],
  ...[...backups, ...wrongSchedules, noFolder],
  ...[...bulk, ...presets, ...cookies],
];
