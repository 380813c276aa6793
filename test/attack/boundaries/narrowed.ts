import { type Answer, type Ask, aJob, password, type Try, unless, type World } from "./world.ts";

/** What an operator tries whose role is narrowed to the tag `own`. */

const noras = new WeakMap<World, Promise<Ask>>();
const narrow = (world: World): Promise<Ask> => {
  const known = noras.get(world) ?? enter(world);
  noras.set(world, known);
  return known;
};
const enter = async ({ owner, personal, signIn }: World): Promise<Ask> => {
  await owner("POST", "/people", { name: "Nora", password, role: "operator", only_tags: ["own"] });
  return personal({ cookie: (await signIn("Nora")).cookie });
};

/** Spellings that are not the tag, and ways to come by it that count for nothing. */
const tags: readonly (readonly [what: string, more: object])[] = [
  ["without tags", {}],
  ["an empty list", { task_tags: [] }],
  ["others' tag", { task_tags: ["other"] }],
  ["another case", { task_tags: ["OWN"] }],
  ["a space behind it", { task_tags: ["own "] }],
  ["full-width letters", { task_tags: ["ｏｗｎ"] }],
  ["an invisible letter", { task_tags: ["own\u200b"] }],
  ["a Cyrillic letter", { task_tags: ["оwn"] }],
  ["the names of an object", { task_tags: ["__proto__", "constructor", "length"] }],
  ["all of them in one", { task_tags: ["own,other"] }],
  ["one that definitions make another's", { task_tags: ["{{own}}"], definitions: { own: "other" } }],
  ["as a dry run", { task_tags: ["other"], dry_run: true }],
  ["as the text of a dry run", { task_tags: ["other"], dry_run: "true" }],
  ["as a job of tests", { task_tags: ["other"], schema: "api_test", api_test: { queued_sec: 0, running_sec: 0 } }],
];
const submits: Try[] = tags.map(([what, more]) => [
  "narrowed role: jobs that are not its own",
  `submitted with ${what}`,
  async (world) => unless(await (await narrow(world))("POST", "/jobs", aJob("narrowed", more)), 400, 403),
]);

type Call = (id: string) => readonly [method: string, path: string, body?: unknown];
const calls: readonly (readonly [what: string, call: Call])[] = [
  ["takes it by its tag", (id) => ["PUT", `/jobs/${id}`, { task_tags: ["own"] }]],
  ["changes its priority", (id) => ["PUT", `/jobs/${id}`, { priority: 9 }]],
  ["stops it", (id) => ["PUT", `/jobs/${id}/stop`, {}]],
  ["pauses it", (id) => ["PUT", `/jobs/${id}/pause`, {}]],
  ["retries it", (id) => ["POST", `/jobs/${id}/retry`, { scope: "all" }]],
  ["deletes it", (id) => ["DELETE", `/jobs/${id}`]],
  ["deletes it by its alias", (id) => ["DELETE", `/jobs/${id}/delete`]],
  ["with zeros before the id", (id) => ["PUT", `/jobs/000${id}/stop`, {}]],
  ["with the id in percent signs", (id) => ["PUT", `/jobs/%3${id[0]}${id.slice(1)}/stop`, {}]],
  ["with two slashes", (id) => ["PUT", `//jobs//${id}/stop`, {}]],
  ["with a slash behind", (id) => ["PUT", `/jobs/${id}/stop/`, {}]],
  ["with another job in the body", (id) => ["PUT", `/jobs/${id}/stop`, { job_id: "0", task_tags: ["own"] }]],
  ["with another task in the query", (id) => ["PUT", `/jobs/${id}/stop?task_id=0`, {}]],
  ["among many", (id) => ["POST", "/jobs/actions", { action: "stop", ids: ["0", id, id] }]],
  ["with many, by a search", () => ["POST", "/jobs/actions", { action: "delete", matching: {}, count: 1 }]],
  ["one step up", (id) => ["POST", "/jobs/actions", { action: "priority", priority_step: 5, ids: [id] }]],
  ["later", (id) => ["POST", "/jobs/actions", { action: "schedule", start_after: 9e12, ids: [id] }]],
  ["deleted in a list", (id) => ["DELETE", "/jobs", { ids: [id] }]],
];
const acts: Try[] = calls.map(([what, call]) => [
  "narrowed role: what others have",
  what,
  async (world) => {
    const nora = await narrow(world);
    const { body } = await world.owner("POST", "/jobs", aJob("others'", { task_tags: ["other"] }));
    const answer = await nora(...call(body.id));
    return changed(await world.owner("GET", `/jobs/${body.id}/info?fields[]=status&fields[]=priority`), answer);
  },
]);

const changed = (after: Answer, answer: Answer): string | undefined => {
  const { status, priority } = after.body ?? {};
  if (after.status !== 200 || status === "failed" || priority !== 100) return `it was changed: ${after.text}`;
  return answer.status >= 500 ? answer.text : undefined;
};

const own: readonly Try[] = [
  [
    "narrowed role: what was its own",
    "given away: the job is others' from then on",
    async (world) => {
      const nora = await narrow(world);
      const { body } = await nora("POST", "/jobs", aJob("own", { task_tags: ["own"] }));
      const { body: stopped } = await nora("POST", "/jobs/actions", { action: "pause", ids: [body.id] });
      await world.owner("PUT", `/jobs/${body.id}`, { task_tags: ["other"] });
      const undone = await nora("POST", "/jobs/actions/undo", { undo: stopped.undo });
      const after = await world.owner("GET", `/jobs/${body.id}/info?fields[]=substatus`);
      if (after.body.substatus !== "paused") return `it was taken back: ${undone.text}`;
      return unless(await nora("PUT", `/jobs/${body.id}/stop`, {}), 403);
    },
  ],
  [
    "narrowed role: what was its own",
    "untagged: a job of theirs that nobody may judge any more",
    async (world) => {
      const nora = await narrow(world);
      const { body } = await nora("POST", "/jobs", aJob("own", { task_tags: ["own"] }));
      return unless(await nora("PUT", `/jobs/${body.id}`, { task_tags: ["other"] }), 403);
    },
  ],
  [
    "narrowed role: what was its own",
    "deleted in a list with others': none of them is",
    async (world) => {
      const nora = await narrow(world);
      const [one, other] = [
        (await nora("POST", "/jobs", aJob("own", { task_tags: ["own"] }))).body.id,
        (await world.owner("POST", "/jobs", aJob("other", { task_tags: ["other"] }))).body.id,
      ];
      await nora("DELETE", "/jobs", { ids: [one, other] });
      return unless(await world.owner("GET", `/jobs/${other}/info`), 200);
    },
  ],
  [
    "narrowed role: what was its own",
    "another's way to take back, used by them",
    async (world) => {
      const nora = await narrow(world);
      const { body } = await world.owner("POST", "/jobs", aJob("other", { task_tags: ["other"] }));
      const { body: paused } = await world.owner("POST", "/jobs/actions", { action: "pause", ids: [body.id] });
      return unless(await nora("POST", "/jobs/actions/undo", { undo: paused.undo }), 403, 404);
    },
  ],
];

const farms: readonly (readonly [method: string, path: string, body?: unknown])[] = [
  ["PUT", "/groups/all", { provided_tags: ["own", "other"] }],
  ["DELETE", "/groups/all"],
  ["PUT", "/people/Nora", { only_tags: [] }],
  ["POST", "/presets", { key: "n", name: "n", kind: "copy", payload: {} }],
  ["POST", "/mounts", { set: [] }],
  ["POST", "/outbound", { add: ["public"] }],
  ["POST", "/credentials", { name: "n" }],
  ["POST", "/webhooks", { name: "n", url: "https://evil.example/" }],
  ["PUT", "/traces", { url: "http://evil.example/" }],
  ["POST", "/backups"],
  ["PUT", "/limits", { items: [] }],
  ["PUT", "/nodes/1", { state: "drain" }],
  ["PUT", "/nodes/1", { tags: ["own"] }],
  ["PUT", "/nodes/1", { group: "all" }],
  ["DELETE", "/nodes/1"],
  ["POST", "/join-tokens", { name: "n" }],
];
const shared: Try[] = farms.map(([method, path, body]) => [
  "narrowed role: what the farm shares",
  `${method} ${path} ${JSON.stringify(body ?? "")}`,
  async (world) => unless(await (await narrow(world))(method, path, body), 400, 403, 404),
]);

export const narrowedTries: readonly Try[] = [...submits, ...acts, ...own, ...shared];
