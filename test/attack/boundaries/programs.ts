import { aJob, type Try, unless } from "./world.ts";

type Step = readonly [string, (job: string, task: string) => readonly [string, string, unknown?]];
const steps: readonly Step[] = [
  ["read", (id) => ["GET", `/jobs/${id}/definition`]],
  ["result", (id) => ["GET", `/jobs/${id}/result`]],
  ["outputs", (id) => ["GET", `/jobs/${id}/outputs`]],
  ["tasks", (id) => ["GET", `/jobs/${id}/tasks`]],
  ["watches", (id) => ["GET", `/jobs/${id}/watches`]],
  ["log", (_, task) => ["GET", `/tasks/${task}/log`]],
  ["explain", (_, task) => ["GET", `/tasks/${task}/explain`]],
  ["retry task", (_, task) => ["POST", `/tasks/${task}/retry`]],
  ["stop", (id) => ["PUT", `/jobs/${id}/stop`]],
  ["pause", (id) => ["PUT", `/jobs/${id}/pause`]],
  ["update", (id) => ["PUT", `/jobs/${id}`, { priority: 9 }]],
  ["retry", (id) => ["POST", `/jobs/${id}/retry`]],
  ["delete", (id) => ["DELETE", `/jobs/${id}`]],
  ["delete by its alias", (id) => ["DELETE", `/jobs/${id}/delete`]],
];
const others: Try[] = steps.flatMap(([what, step]) =>
  (["mallory", "looker"] as const).map(
    (who): Try => [
      "program: jobs of others",
      `${who}: ${what}`,
      async (world) => {
        const { body } = await world.alice("POST", "/jobs", aJob("alice's own"));
        const { body: tasks } = await world.alice("GET", `/jobs/${body.id}/tasks`);
        const [method, path, sent] = step(body.id, tasks.items[0]?.id ?? "1");
        const answer = await world[who](method, path, sent);
        const after = await world.alice("GET", `/jobs/${body.id}/info?fields[]=status&fields[]=priority`);
        if (after.status !== 200 || after.body.status === "failed" || after.body.priority === 9)
          return `it was changed: ${after.text}`;
        return unless(answer, 404, 403);
      },
    ],
  ),
);

const bulk: Try[] = ["stop", "pause", "delete", "retry", "prioritise", "resume"].map((action) => [
  "program: many jobs at once",
  action,
  async ({ alice, mallory }) => {
    const { body } = await alice("POST", "/jobs", aJob("alice's bulk"));
    for (const which of [
      { ids: [body.id] },
      { filters: [] },
      { filters: [{ field: "status", values: ["active", "queued"] }] },
    ])
      await mallory("POST", "/jobs/actions", { action, priority: 9, ...which });
    await mallory("DELETE", "/jobs", { ids: [body.id] });
    const after = await alice("GET", `/jobs/${body.id}/info?fields[]=status&fields[]=priority&fields[]=substatus`);
    return (
      (after.status !== 200 ||
        after.body.status === "failed" ||
        after.body.priority === 9 ||
        after.body.substatus === "paused") &&
      after.text
    );
  },
]);

const scopesTried: Try[] = (
  [
    ["GET", "/presets"],
    ["POST", "/jobs", aJob("x")],
    ["GET", "/nodes"],
    ["GET", "/credentials"],
    ["GET", "/limits"],
    ["GET", "/mounts"],
    ["GET", "/outbound"],
    ["PUT", "/limits", { items: [] }],
    ["POST", "/outbound", { add: ["public"] }],
    ["POST", "/credentials", { name: "a" }],
    ["DELETE", "/nodes/1"],
    ["PUT", "/nodes/1", { state: "drain" }],
    ["POST", "/mounts", { set: [] }],
    ["PUT", "/views/jobs/x", {}],
    ["POST", "/jobs/actions", { action: "stop", ids: [] }],
    ["POST", "/jobs?dry_run=true", aJob("x")],
    ["DELETE", "/jobs", { ids: [] }],
    ["GET", "/views"],
  ] as const
).map(([method, path, body]) => [
  "program: beyond its scopes",
  `${method} ${path}`,
  async ({ looker }) => unless(await looker(method, path, body), 403),
]);

/** What programs do to jobs of others, and beyond their scopes. */
export const programsTries: readonly Try[] = [...others, ...bulk, ...scopesTried];
