import { describe, expect, test } from "vitest";
import { openTestDoors } from "../../helpers/farm/doors.ts";
import { aSmallJob, aSource } from "../../helpers/farm/farm.ts";
import { aWorldPerFile } from "../../helpers/farm/worlds.ts";

const world = aWorldPerFile({
  open: async (folder) => {
    const doors = await openTestDoors(folder);
    return { ...doors, credentials: await doors.enterAsProgram() };
  },
  close: ({ close }) => close(),
});

type Method = "GET" | "POST" | "PUT" | "DELETE";

const ask = async (method: Method, path: string, payload?: string, headers: Record<string, string> = {}) => {
  const { status, body } = await world().inject({
    method,
    url: `/v1${path}`,
    headers: { ...world().credentials, ...headers },
    ...(payload === undefined ? {} : { payload }),
  });
  return { status, body };
};

const post = (body: string) => ask("POST", "/jobs", body);
const deep = (levels: number) => `${'{"a":['.repeat(levels / 2)}1${"]}".repeat(levels / 2)}`;
const job = (changes: string) => `{"name":"x",${changes}"payload":{"elements":[${JSON.stringify(aSource())}]}}`;

describe("a body that means harm", () => {
  const bodies: [string, string, string][] = [
    ["10,000 levels deep", deep(10_000), "400 INVALID_JSON"],
    ["10,000 levels deep in a job", job(`"user_data":${deep(10_000)},`), "400 INVALID_JSON"],
    ["a million brackets", "[".repeat(1_000_000), "400 INVALID_JSON"],
    ["a million numbers", job(`"user_data":[${"1,".repeat(1_000_000)}1],`), "413 TOO_LARGE"],
    [
      "a hundred thousand names",
      job(`"user_data":{${Array.from({ length: 100_000 }, (_, nr) => `"key${nr}":1`).join()}},`),
      "413 TOO_LARGE",
    ],
    ["the character NUL", job('"user_tag":"a\\u0000b",'), "400 VALIDATION_FAILED"],
    ["a NUL byte", job('"user_tag":"a\u0000b",'), "400 INVALID_JSON"],
    ["a prototype", job('"__proto__":{"priority":1},'), "400 INVALID_JSON"],
    ["a constructor's prototype", job('"constructor":{"prototype":{"a":1}},'), "400 INVALID_JSON"],
    ["half a character", '{"name":"\\ud8', "400 INVALID_JSON"],
    ["5,000,000 spaces", `{"name":${" ".repeat(5_000_000)}`, "413 TOO_LARGE"],
  ];

  test.each(bodies)("%s is refused", async (_, body, expected) => {
    const answer = await post(body);
    expect(`${answer.status} ${answer.body.error}`).toBe(expected);
  });

  test("costs no more than a few times what a good one of its length costs", async () => {
    const timed = async (body: string) => {
      const times: number[] = [];
      for (let round = 0; round < 5; round += 1) {
        const begun = performance.now();
        await post(body);
        times.push(performance.now() - begun);
      }
      return Math.min(...times);
    };
    for (const [name, body] of bodies) {
      const padded = job(`"user_data":"${"x".repeat(Math.max(0, Math.min(body.length, 3_900_000) - 300))}",`);
      expect([name, (await timed(body)) / (await timed(padded)) < 5]).toEqual([name, true]);
    }
  });

  test("is not read before it is known who sends it", async () => {
    const { status, body } = await ask("POST", "/jobs", "[", { authorization: `Basic ${btoa("a:b")}` });
    expect([status, body.error]).toEqual([401, "NOT_AUTHENTICATED"]);
  });
});

test("a text that speaks of NUL is none", async () => {
  expect((await post(job('"user_data":"a\\\\u0000b",'))).status).toBe(200);
});

test("of two values with one name the last counts", async () => {
  const { body } = await post(
    '{"name":"first","priority":1,"name":"second","priority":7,"payload":{"elements":[]},'.replace(
      '"payload":{"elements":[]},',
      `"payload":{"elements":[]},"payload":{"elements":[${JSON.stringify(aSource())}]}}`,
    ),
  );
  const info = await ask("GET", `/jobs/${body.id}/info?fields[]=name&fields[]=priority`);
  expect(info.body).toEqual({ name: "second", priority: 7 });
});

test("a payload has 128,000 characters at most", async () => {
  const padded = (pad: number) => aSmallJob({ payload: { elements: [aSource()], pad: "x".repeat(pad) } });
  const room = 128_000 - JSON.stringify(padded(0).payload).length;
  expect((await post(JSON.stringify(padded(room)))).status).toBe(200);
  const { status, body } = await post(JSON.stringify(padded(room + 1)));
  expect([status, body.details[0].path]).toEqual([400, "payload"]);
  expect(body.message).toContain("128001");
});

test("a task's comment may fill the payload", async () => {
  const element = aSource({ task: { comment: "x".repeat(127_000) } });
  expect((await post(JSON.stringify(aSmallJob({ payload: { elements: [element] } })))).status).toBe(200);
});

test.each(["/jobs/%zz/info", "/jobs/info?fields[]=%zz", "/jobs/info?x=%ff", "/jobs/info?x=%00", "/jobs/count?%"])(
  "%s is refused",
  async (path) => {
    const { status, body } = await ask("GET", path);
    expect([status, body.error]).toEqual([400, "VALIDATION_FAILED"]);
  },
);
