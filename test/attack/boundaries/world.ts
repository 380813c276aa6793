import { connect } from "node:net";
import { uiBase } from "../../../shared/api/ui/ui-api.ts";
import type { FarmProcesses } from "../../helpers/processes/farm-processes.ts";
import { signInAsOwner } from "../strangers/world.ts";

export type Answer = {
  readonly status: number;
  readonly text: string;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: whatever an attacker is told
  readonly body: any;
};
export type Ask = (method: string, path: string, body?: unknown, headers?: Record<string, string>) => Promise<Answer>;

/** Who attacks, and whom: two programs that reach their own jobs, one that may only look, and people of each role. */
export type World = Awaited<ReturnType<typeof openWorld>>;

export const password = "a long password";

export const openWorld = async (farm: FarmProcesses) => {
  const { origin, port } = new URL(farm.baseUrl);
  const ask = async (method: string, path: string, body: unknown, headers: Record<string, string>): Promise<Answer> => {
    const init = { method, headers, redirect: "manual", signal: AbortSignal.timeout(60_000) } as const;
    const text = body === undefined || typeof body === "string" ? body : JSON.stringify(body);
    const response = await fetch(origin + path, { ...init, ...(text !== undefined && { body: text }) });
    const said = await response.text();
    return { status: response.status, text: said, headers: response.headers, body: parsed(said) };
  };
  const json = { "content-type": "application/json" };
  const cookie = await signInAsOwner(farm);
  const personal =
    (own: Record<string, string>): Ask =>
    (method, path, body, headers = {}) =>
      ask(method, uiBase + path, body, { ...json, origin, ...own, ...headers });
  const owner = personal({ cookie });
  const signIn = async (name: string, given = password) => {
    const answer = await personal({})("POST", "/session", { name, password: given });
    return { answer, cookie: String(answer.headers.get("set-cookie") ?? "").split(";")[0] ?? "" };
  };
  const person = async (name: string, role: string) => {
    await owner("POST", "/people", { name, password, role });
    return personal({ cookie: (await signIn(name)).cookie });
  };
  const { oapi_key, oapi_secret } = farm.secrets;
  const pair = {
    ...json,
    authorization: `Basic ${btoa(`${oapi_key}:${oapi_secret}`)}`,
    "x-service-compliance": "20261101",
  };
  const programOf = async (user: object): Promise<Ask> => {
    const { body } = await ask("POST", "/v1/login", user, pair);
    return (method, path, sent, headers = {}) =>
      ask(method, `/v1${path}`, sent, { ...pair, "x-service-sapiauth": String(body?.token), ...headers });
  };
  const userOf = async (name: string, power: object) => (await owner("POST", "/api-users", { name, ...power })).body;
  const [alice, mallory] = [await userOf("alice", {}), await userOf("mallory", {})];
  const looker = await userOf("looker", { scopes: ["jobs:read"], reach: "own" });
  return {
    ...{
      farm,
      origin,
      port: Number(port),
      ask,
      pair,
      owner,
      sessionCookie: `mediafarm_session_${port}`,
      personal,
      signIn,
      person,
      programOf,
      userOf,
      json,
    },
    ...{ aliceUser: alice, malloryUser: mallory },
    alice: await programOf({ auth_key: alice.auth_key, auth_secret: alice.auth_secret }),
    mallory: await programOf({ auth_key: mallory.auth_key, auth_secret: mallory.auth_secret }),
    looker: await programOf({ auth_key: looker.auth_key, auth_secret: looker.auth_secret }),
    viewer: await person("Vera", "viewer"),
    operator: await person("Otto", "operator"),
    stranger: ((method, path, body, headers = {}) => ask(method, path, body, headers)) as Ask,
    /** Bytes as they are; resolves with all that came until the other side hung up, or said nothing for a while. */
    raw: (bytes: string): Promise<string> => exchange(Number(port), bytes),
  };
};

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

const exchange = (port: number, bytes: string): Promise<string> =>
  new Promise((resolve) => {
    let answer = "";
    const socket = connect(port, "127.0.0.1", () => socket.write(bytes, "latin1"));
    const stop = setTimeout(() => socket.destroy(), 3000);
    socket.setEncoding("latin1").on("data", (data) => {
      answer += data;
    });
    socket.on("error", () => {});
    socket.on("close", () => {
      clearTimeout(stop);
      resolve(answer);
    });
  });

/** A job that waits for a node that there is not. */
export const aJob = (name: string, more: object = {}) => ({
  name,
  payload: {
    elements: [
      {
        uid: "s",
        kind: "source",
        payload: { kind: "asset_url", payload: { storage_provider: "file", url: "/nowhere/a.mov" } },
      },
    ],
  },
  ...more,
});

/** One attack: what an attacker wants, and what was got; nothing if it held. */
export type Try = readonly [
  group: string,
  what: string,
  attempt: (world: World) => Promise<string | undefined | false>,
];

/** Why an answer is no refusal. */
export const unless = (answer: Answer, ...statuses: readonly number[]): string | undefined =>
  statuses.includes(answer.status) ? undefined : `${answer.status} ${answer.text.slice(0, 200)}`;
