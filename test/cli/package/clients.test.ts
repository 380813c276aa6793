import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readDocument } from "../../../cli/package/clients/calls.ts";
import { ownModel } from "../../../cli/package/clients/make.ts";
import { pythonFiles } from "../../../cli/package/clients/python/generate.ts";
import { shapeOf } from "../../../cli/package/clients/shapes.ts";
import { typescriptFiles } from "../../../cli/package/clients/typescript/generate.ts";
import { createCalls } from "../../../cli/package/clients/typescript/runtime.ts";
import { elements } from "../../../media/elements/index.ts";
import { api } from "../../../shared/api/api.ts";
import { errorCodes } from "../../../shared/basics/errors.ts";

/** A document with one of each. */
const small = readDocument({
  info: { version: "9.9.9" },
  paths: {
    "/v1/things/{thing_id}": {
      put: {
        operationId: "changeThing",
        summary: "Change a thing",
        security: [{ account: [], token: [] }],
        parameters: [
          { name: "thing_id", in: "path", required: true, schema: { type: "string" } },
          { name: "Idempotency-Key", in: "header", description: "Names it", schema: { type: "string" } },
        ],
        requestBody: {
          content: {
            "application/json": {
              schema: {
                type: "object",
                required: ["kind"],
                properties: { kind: { enum: ["a", "b"] }, from: { type: ["integer", "null"] } },
              },
            },
          },
        },
        responses: { "200": { content: { "application/json": { schema: { $ref: "#/components/schemas/Thing" } } } } },
      },
    },
  },
  components: {
    schemas: {
      Thing: {
        type: "object",
        description: "A thing",
        required: ["id"],
        properties: {
          id: { type: "string", description: "Its   name" },
          "odd-name": { type: "array", items: { type: "object", properties: { x: { type: "number" } } } },
        },
      },
      Error: { type: "object", required: ["error"], properties: { error: { enum: ["BROKEN"] } } },
    },
  },
});

test("types of TypeScript say what the document says", () => {
  const { "types.ts": types, "index.ts": index = "" } = typescriptFiles(small);
  expect(types).toBe(`// Made from the farm's OpenAPI document. Do not edit.

/** A thing */
export type Thing = {
  /** Its name */
  id: string;
  "odd-name"?: Array<{
    x?: number;
    [more: string]: unknown;
  }>;
  [more: string]: unknown;
};

export type Error = {
  error: "BROKEN";
  [more: string]: unknown;
};
`);
  expect(index).toContain(`  /** Change a thing. \`PUT /v1/things/{thing_id}\` */
  changeThing(args: {
    thing_id: string | number;
    kind: "a" | "b";
    from?: number | null;
  }, options?: CallOptions<{
    /** Names it */
    "Idempotency-Key"?: string;
  }>): Promise<t.Thing>;`);
});

test("types of Python say what the document says", () => {
  const { "types.py": types = "", "client.py": client } = pythonFiles(small);
  expect(types.slice(types.indexOf("\nclass"))).toBe(`
class ThingOddName(TypedDict, total=False):
    x: float


Thing = TypedDict("Thing", {
    "id": "Required[str]",
    "odd-name": "list[ThingOddName]",
}, total=False)

class Error(TypedDict, total=False):
    error: Required[Literal["BROKEN"]]

`);
  expect(client).toContain(`    def change_thing(
        self,
        *,
        thing_id: str | int,
        kind: Literal["a", "b"],
        from_: int | None | Unset = UNSET,
        idempotency_key: str | Unset = UNSET,
    ) -> types.Thing:
        """Change a thing.

        idempotency_key: Names it."""
        return self.call("PUT", "/v1/things/{thing_id}", "token", {"thing_id": thing_id, "kind": kind, "from": from_}, {"Idempotency-Key": idempotency_key})
`);
  expect(client).toContain('ErrorCode = Literal["BROKEN"]');
});

test("a word of JSON Schema that no client would say is noticed", () => {
  expect(() => shapeOf({ type: "object", patternProperties: {} })).toThrow("patternProperties");
});

test("both have every call of the API, and names for jobs, every element's payload, results, events and problems", () => {
  const { calls, shapes } = ownModel();
  expect(calls.map(({ name }) => name).sort()).toEqual(
    [...Object.keys(api), "events", "readOutput", "readLinkedOutput"].sort(),
  );
  const names = shapes.map(([name]) => name);
  const pascal = (kind: string) => kind.replaceAll(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase());
  expect(names).toEqual(
    expect.arrayContaining([
      ...["NewJob", "Job", "JobResult", "JobOutput", "Error", "FarmEvent", "JobChangedEvent", "Webhook", "WebhookJob"],
      ...elements.map(({ kind }) => `${pascal(kind)}Payload`),
    ]),
  );
  const error = JSON.stringify(shapes.find(([name]) => name === "Error"));
  for (const code of Object.keys(errorCodes)) expect(error).toContain(code);
});

/** Arguments of a path that would be another path, or none. */
const steps = ["", ".", ".."];

test("TypeScript's client asks nothing of another route than was meant, and follows nobody with its credentials", async () => {
  const asked: string[] = [];
  const options = { baseUrl: "http://farm:8700", oapiKey: "k", oapiSecret: "s", authKey: "k", authSecret: "s" };
  const change = { method: "PUT", path: "/v1/things/{thing_id}", needs: "account", answers: "json" } as const;
  const client: Record<string, unknown> = createCalls(
    { changeThing: change },
    {
      ...options,
      fetch: async (url, init) => {
        asked.push(`${url} ${init?.redirect}`);
        return Response.json({});
      },
    },
  );
  const changeThing = client.changeThing as (args: object) => Promise<unknown>; // the operation's name
  for (const step of steps)
    await expect(changeThing({ thing_id: step })).rejects.toMatchObject({
      ...{ code: "VALIDATION_FAILED", status: 0, message: `thing_id cannot be "${step}"` },
    });
  expect(asked).toEqual([]);
  for (const id of ["...", "a/../b", ".a", 7]) await changeThing({ thing_id: id });
  expect(asked).toEqual(["...", "a%2F..%2Fb", ".a", "7"].map((id) => `http://farm:8700/v1/things/${id} manual`));
});

test("Python's client asks nothing of another route than was meant", () => {
  const script = `
import sys, types
sys.path.insert(0, sys.argv[1])
import runtime
caller = runtime.Caller("http://farm:8700", oapi_key="k", oapi_secret="s", auth_key="k", auth_secret="s")
caller._send = lambda method, place, *_: print(place)
for name in ["", ".", "..", "...", "a/../b", ".a", 7]:
    try: caller.open("PUT", "/v1/things/{thing_id}", "account", {"thing_id": name})
    except runtime.MediafarmError as problem: print(problem.code, problem)`;
  const folder = join(import.meta.dirname, "../../../cli/package/clients/python");
  const { stdout, stderr } = spawnSync("python3", ["-I", "-B", "-W", "error", "-c", script, folder], {
    encoding: "utf8",
  });
  const refused = steps.map((step) => `VALIDATION_FAILED thing_id cannot be "${step}"\n`);
  const taken = ["...", "a%2F..%2Fb", ".a", "7"].map((id) => `/v1/things/${id}\n`);
  expect([stderr, stdout]).toEqual(["", [...refused, ...taken].join("")]);
});

test("Python reads every type and every call of the whole API", () => {
  const folder = mkdtempSync(join(tmpdir(), "mediafarm-python-"));
  mkdirSync(join(folder, "made"));
  const runtime =
    "class Unset: pass\nUNSET = Unset()\nclass Answer: pass\nclass Caller:\n    def call(self, *args): return args\n    listen = open = call\n";
  const files = { ...pythonFiles(ownModel()), "__init__.py": "", "runtime.py": runtime };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, "made", name), text);
  const script = `
import inspect, sys, typing
sys.path.insert(0, sys.argv[1])
from made import client, types
for each in list(vars(types).values()):
    if typing.is_typeddict(each): typing.get_type_hints(each)
names = {**vars(client), "types": types}
calls = [each for each in vars(client.Mediafarm).values() if inspect.isfunction(each)]
for each in calls: typing.get_type_hints(each, names)
print(len(calls), client.Mediafarm().create_job({"name": "x"})[3])`;
  const { stdout, stderr } = spawnSync("python3", ["-I", "-W", "error", "-c", script, folder], { encoding: "utf8" });
  rmSync(folder, { recursive: true });
  expect([stderr, stdout]).toEqual(["", `${ownModel().calls.length} {'name': 'x'}\n`]);
});
