import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { jobStatuses } from "../../shared/state/job.ts";
import { taskStatus } from "../../shared/state/task.ts";
import { openTestCoordinator, type TestCoordinator } from "../helpers/farm/coordinator.ts";
import { aFolder, aJob, aSmallJob, removeFolder } from "../helpers/farm/farm.ts";
import { unseenValues } from "./coverage.ts";
import { type Argument, type EndpointRow, endpointRows, type FieldRow, fieldRows, typesOf } from "./ledger.ts";

let folder: string;
let world: TestCoordinator;
/** A job that went well, by what is answered of it. */
let answers: Readonly<Record<string, Record<string, unknown>>>;

beforeAll(async () => {
  folder = aFolder();
  world = await openTestCoordinator(folder);
  answers = await lookAt(await anEndedJob());
});
afterAll(async () => {
  await world.coordinator.close();
  removeFolder(folder);
});

const post = async (job: object): Promise<string> => (await world.api("POST", "/jobs", { body: job })).body.id;

const anEndedJob = async (): Promise<string> => {
  const script = { api_test: { queued_sec: 1, running_sec: 2 }, schema: "api_test", user_tag: "tag", task_tags: ["a"] };
  const more = { expiration: 60, task_retry: { count: 1 }, definitions: { who: "a" } };
  const id = await post(aJob({ ...script, ...more }));
  for (let second = 0; second < 12; second += 1) await world.clock.advance(1000);
  return id;
};

const fieldsOf = (object: string) => fieldRows.filter((row) => row.object === object).map(({ field }) => field);

const lookAt = async (id: string): Promise<typeof answers> => {
  const get = async (path: string, args = {}) => (await world.api("GET", `/jobs/${id}${path}${queryOf(args)}`)).body;
  const result = await get("/result");
  return {
    job_info: await get("/info", { fields: fieldsOf("job_info") }),
    task_info: (await get("/tasks", { fields: fieldsOf("task_info") })).items[0],
    job_definition: await get("/definition"),
    "job_definition.payload": (await get("/definition")).payload,
    job_result: result,
    "job_result.job": result.job,
    "job_result.tasks[]": result.tasks[0],
  };
};

const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** Of a job that went well only what is about failure and machines is empty. */
const mayBeNull = ["error", "substatus", "machine_uid"];

const fits = (value: unknown, row: FieldRow): boolean => {
  if (value === null) return row.nullable === true || mayBeNull.includes(row.field);
  if (row.format === "date-time") return typeof value === "string" && time.test(value);
  return typesOf(row).some((type) => fitsType(value, type, row));
};

const fitsType = (value: unknown, type: string, row: FieldRow): boolean => {
  if (type === "enum") return row.enum?.some((each) => each === value) === true;
  if (type === "integer") return Number.isInteger(value);
  if (type === "array") return Array.isArray(value);
  if (type === "object") return typeof value === "object" && !Array.isArray(value);
  return type === "any" ? value !== undefined : typeof value === type;
};

const out = fieldRows.filter(({ dir }) => dir === "out");

describe.each(out)("$id", (row) => {
  test("is answered with its type", () => {
    const value = answers[row.object]?.[row.field];
    expect([value, fits(value, row)]).toEqual([value, true]);
  });

  const statuses: readonly string[] =
    row.object.startsWith("job") && !row.object.includes("tasks") ? jobStatuses : Object.values(taskStatus);
  // A definition is echoed, whatever it says.
  const words = row.field === "schema" ? [] : (row.enum ?? []);
  for (const value of words.filter((word) => unseenValues[`${row.id} ${word}`] === undefined)) {
    test(`may be ${value}`, () => expect(statuses).toContain(value));
  }
});

/** Arguments that a call cannot do without, and one value for those that must mean something. */
const needed = (row: EndpointRow): Record<string, unknown> => {
  if (row.id === "4/POST /jobs") return aSmallJob();
  if (row.id === "4/DELETE /jobs") return { ids: ["999999"] };
  if (row.id !== "4/POST /login") return {};
  return { auth_key: world.secrets.authKey, auth_secret: world.secrets.authSecret };
};

const valuesOf = ({ name, type, enum: words, items }: Argument): unknown[] => {
  if (name === "filters") return [[{ field: "status", values: ["queued"] }]];
  if (items === "enum" || type === "enum") return (words ?? []).map((word) => (items === "enum" ? [word] : word));
  if (type === "array") return [["1"]];
  return [type === "string" ? "seven" : 7];
};

/** Arguments of a GET go into its query: fetch sends no body with it, which test/coordinator/http does. */
const call = (row: EndpointRow, args: object) => (row.method === "GET" ? ask(row, {}, args) : ask(row, args, {}));

const ask = async (row: EndpointRow, args: object, query: object) => {
  const id = row.path.includes("{job_id}") ? await post(aSmallJob()) : "";
  const path = row.path.replace("{job_id}", id) + queryOf(query);
  const hasArgs = Object.keys(args).length > 0;
  const headers = row.path === "/login" ? { "x-service-sapiauth": undefined } : {};
  return world.api(row.method, path, { body: hasArgs ? args : undefined, headers });
};

const queryOf = (args: object): string => {
  const parts = Object.entries(args).map(([name, value]) => `${name}=${encodeURIComponent(asQuery(value))}`);
  return parts.length > 0 ? `?${parts.join("&")}` : "";
};

/** The names that an answer has. */
const answered: Readonly<Record<string, string[]>> = {
  "4/POST /login": ["expiration_time", "token"],
  "4/DELETE /jobs": ["items"],
  "4/GET /jobs/{job_id}/definition": ["name", "payload", "priority"],
  "4/GET /jobs/{job_id}/result": ["errors", "job", "tasks"],
  "4/GET /jobs/info": ["items"],
  "4/GET /jobs/count": ["count"],
  "4/GET /jobs/{job_id}/tasks": ["items"],
};

describe.each(endpointRows)("$id", (row) => {
  test("answers 200 with what it is to answer", async () => {
    const { status, body } = await call(row, needed(row));
    expect([status, Object.keys(body).sort()]).toEqual([200, answered[row.id] ?? ["id"]]);
  });

  if (row.path.includes("{job_id}")) {
    test("says that there is no such job", async () => {
      const path = row.path.replace("{job_id}", "999999");
      expect((await world.api(row.method, path, { body: row.method === "PUT" ? {} : undefined })).status).toBe(404);
    });
  }

  const plain = row.args.filter(({ in: where, name }) => where !== "path" && !/[.[]/.test(name));
  for (const argument of plain.filter(({ name }) => name in chosen(row))) {
    for (const value of valuesOf(argument)) {
      test(`takes ${argument.name} ${JSON.stringify(value)}, from a query too`, async () => {
        const { [argument.name]: _other, ...rest } = needed(row);
        const answers = [
          await call(row, { ...rest, [argument.name]: value }),
          await ask(row, {}, { ...rest, [argument.name]: value }),
        ];
        expect(answers.map(({ status }) => status)).toEqual([200, 200]);
      });
    }

    test(`refuses what ${argument.name} cannot be`, async () => {
      const { status, body } = await call(row, { ...needed(row), [argument.name]: { not: ["this"] } });
      expect([status, body.success, body.details[0].path.split(/[.[]/)[0]]).toEqual([400, false, argument.name]);
    });
  }

  for (const argument of plain.filter((each) => each.required && row.path !== "/jobs/{job_id}")) {
    test(`needs ${argument.name}`, async () => {
      const { [argument.name]: _left, ...rest } = needed(row);
      const { status, body } = await call(row, rest);
      expect([status, body.details.map(({ path }: { path: string }) => path)]).toEqual([400, [argument.name]]);
    });
  }
});

/** Arguments tested here: those of POST /jobs are the fields of a job, tested as such, and so are a login's bounds. */
function chosen({ id, args }: EndpointRow): Record<string, true> {
  const isElsewhere = id === "4/POST /jobs" || id === "4/POST /login";
  return isElsewhere ? {} : Object.fromEntries(args.map(({ name }) => [name, true]));
}

const asQuery = (value: unknown): string => (typeof value === "object" ? JSON.stringify(value) : String(value));
