import { afterAll, beforeAll, expect, test } from "vitest";
import type { FarmEvent } from "../../../shared/api/events.ts";
import { uiBase } from "../../../shared/api/ui/ui-api.ts";
import { mayDo, roles } from "../../../shared/people/person.ts";
import { type Power, type ReachKind, reachKinds, scopes } from "../../../shared/people/scopes.ts";
import { nobodys, type Owned } from "../../../shared/rights/reach.ts";
import { eventRights } from "../../../shared/rights/rights.ts";
import { openTestDoors, type TestDoors } from "../../helpers/farm/doors.ts";
import { aFolder, aSmallJob, removeFolder } from "../../helpers/farm/farm.ts";
import { submitJob } from "../../helpers/farm/submit-job.ts";

let folder: string;
let doors: TestDoors;
let origin: string;
beforeAll(async () => {
  folder = aFolder();
  doors = await openTestDoors(folder);
  origin = await doors.app.listen({ port: 0, host: "127.0.0.1" });
});
afterAll(async () => {
  for (const { end } of listeners) end();
  await doors.close();
  removeFolder(folder);
});

type Type = FarmEvent["type"];
type Info = { readonly job: object; readonly task: object; readonly node: object };

/** One event of every type, marked; a new type needs a row here. */
const samples: { readonly [T in Type]: (mark: string, info: Info) => object } = {
  "job.changed": (mark, { job }) => ({ job: { ...job, id: mark } }),
  "job.deleted": (mark) => ({ job_id: mark }),
  "task.changed": (mark, { task }) => ({ job_id: mark, task }),
  "task.progress": (mark) => ({ job_id: mark, task_id: "1", job_progress: 1, progress: { percent: 1 } }),
  "node.changed": (mark, { node }) => ({ node: { ...node, id: mark } }),
  "node.removed": (mark) => ({ node_id: mark }),
  "alert.told": (mark) => ({ alert_id: mark, title: "a node is lost", parts: [], is_test: false }),
  reset: (mark) => ({ mark }),
};
const types = Object.keys(samples) as Type[]; // Object.keys forgets the names

type Owner = "own" | "same group" | "other's" | "nobody's";
const reached: Readonly<Record<ReachKind, readonly Owner[]>> = {
  own: ["own"],
  group: ["own", "same group"],
  all: ["own", "same group", "other's", "nobody's"],
};

type Listener = {
  readonly name: string;
  /** By the tables alone. */
  readonly mayHear: (type: Type, owner: Owner) => boolean;
  readonly heard: () => string;
  readonly end: () => void;
};
const listeners: Listener[] = [];

const listen = async (
  name: string,
  path: string,
  headers: Readonly<Record<string, string>>,
  mayHear: Listener["mayHear"],
): Promise<void> => {
  const stop = new AbortController();
  const { status, body } = await fetch(origin + path, { headers, signal: stop.signal });
  if (status !== 200 || !body) throw new Error(`${name}: ${status}`);
  let text = "";
  const read = async () => {
    for await (const part of body) text += Buffer.from(part).toString();
  };
  read().catch(() => undefined); // it ends with the test
  listeners.push({ name, mayHear, heard: () => text, end: () => stop.abort() });
};

type Program = { readonly name: string; readonly power: Power; readonly headers: Readonly<Record<string, string>> };

/** With everything and each reach, and with each scope alone. The first of them is whose own the events are. */
const programs = async (): Promise<Program[]> => {
  const group = "group";
  const powers: readonly Power[] = [
    ...reachKinds.map((reach) => ({ scopes, reach, group })),
    ...scopes.map((scope) => ({ scopes: [scope], reach: "all" as const, group })),
  ];
  const made: Program[] = [];
  for (const power of powers) {
    const name = `${power.scopes.join(" ")}, reach ${power.reach}`;
    const { "content-type": _, ...headers } = await doors.enterAsProgram(power, name);
    made.push({ name, power, headers });
  }
  return made;
};

const listenAsProgram = ({ name, power, headers }: Program, since?: string): Promise<void> => {
  const all = since === undefined ? headers : { ...headers, "last-event-id": since };
  return listen(name, "/v1/events", all, (type, owner) => {
    const { program, isOfJob } = eventRights[type];
    const hasScope = program === "any" || power.scopes.includes(program);
    return hasScope && (!isOfJob || reached[power.reach].includes(owner));
  });
};

const markOf = (type: Type, owner: Owner): string => `mark-${types.indexOf(type)}-${reached.all.indexOf(owner)}`;

const wrongOf = ({ name, mayHear, heard }: Listener): string[] =>
  types.flatMap((type) =>
    reached.all.flatMap((owner) => {
      const isHeard = heard().includes(`"${markOf(type, owner)}"`);
      return isHeard === mayHear(type, owner) ? [] : [`${name}, ${type} of ${owner}: ${isHeard ? "heard" : "missed"}`];
    }),
  );

test("every event x every role, scope, reach and owner, over real streams and once more to who comes back", async () => {
  const { farm } = doors;
  const since = `${farm.epoch}-0`;
  const all = await programs();
  for (const each of all) await listenAsProgram(each);
  for (const role of roles)
    await listen(
      role,
      `${uiBase}/events`,
      { cookie: `mediafarm_session_${new URL(origin).port}=${await doors.enter(role)}` },
      (type) => mayDo(role, eventRights[type].person),
    );
  for (const url of ["/v1/events", `${uiBase}/events`]) expect((await fetch(origin + url)).status).toBe(401);

  // What is told of a job is real, but for its id.
  const job = await submitJob(farm, aSmallJob());
  const node = await doors.node();
  const info: Info = await infoOf(job, node.id);
  const ownerOf: Readonly<Record<Owner, Owned>> = {
    own: { owner_id: await idOf(all[0]), owner_group: "group" },
    "same group": { owner_id: "api user 99", owner_group: "group" },
    "other's": { owner_id: "api user 98", owner_group: "others" },
    "nobody's": nobodys,
  };
  for (const type of types)
    for (const owner of reached.all) {
      const event = { type, ...samples[type](markOf(type, owner), info) } as FarmEvent; // by the row of its type
      farm.events.publish(event, eventRights[type].isOfJob ? ownerOf[owner] : undefined);
    }
  await settle();
  for (const each of all) await listenAsProgram(each, since);
  await settle();

  const wrong = listeners.flatMap(wrongOf);
  const tried = listeners.length * types.length * reached.all.length;
  console.log(`events x listeners x owners: ${tried} tried, ${wrong.length} wrong`);
  expect(listeners).toHaveLength(2 * (reachKinds.length + scopes.length) + roles.length);
  expect(wrong).toEqual([]);
}, 60_000);

/** As what it is known that it sends. */
const idOf = async (program: Program | undefined): Promise<string> => {
  const users = await doors.farm.store.accounts.users(0);
  return `api user ${users.find(({ name }) => name === program?.name)?.id}`;
};

/** As events tell of them. */
const infoOf = async (job: number, node: number): Promise<Info> => {
  const { "content-type": _, ...headers } = await doors.enterAsProgram();
  const get = async (path: string) => (await doors.inject({ method: "GET", url: `/v1${path}`, headers })).body;
  const [tasks, nodes] = [await get(`/jobs/${job}/tasks`), await get("/nodes")];
  const found = nodes.items.find(({ id }: { id: string }) => id === String(node));
  return { job: await get(`/jobs/${job}/info`), task: tasks.items[0] ?? {}, node: found };
};

/** Until everybody has read: the last event of all, a reset, is for everyone. */
const settle = async (): Promise<void> => {
  const last = `"${markOf("reset", "nobody's")}"`;
  for (let tries = 0; !listeners.every(({ heard }) => heard().includes(last)); tries += 1) {
    if (tries > 10_000) throw new Error("a listener never heard the last event");
    await doors.clock.advance(10); // so many listen that events gather for a while
    await new Promise(setImmediate);
  }
};
