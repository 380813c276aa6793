import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { request as requestTls } from "node:https";
import { text } from "node:stream/consumers";
import { agentPath } from "../../../shared/api/api.ts";
import { uiBase } from "../../../shared/api/ui/ui-api.ts";
import type { FarmProcesses } from "../../helpers/processes/farm-processes.ts";

/** What attackers know of a farm: its address, and what an ordinary user of theirs may do. */
export type World = {
  readonly origin: string;
  /** Headers of a program of its own, and of a person who may look. */
  readonly program: Readonly<Record<string, string>>;
  readonly person: Readonly<Record<string, string>>;
  /** The keys of that program, and the farm's pair as its headers say it. */
  readonly user: Readonly<Record<string, string>>;
  readonly pair: Readonly<Record<string, string>>;
  /** A job of many elements that ended, and a small one. */
  readonly largeJob: string;
  readonly agentPath: string;
  /** Headers of the other user, who submits meanwhile. */
  readonly other: Readonly<Record<string, string>>;
};

type Secrets = { readonly oapi_key: string | null; readonly oapi_secret: string | null };

type Asked = { readonly headers: Readonly<Record<string, string>>; readonly body: object };

/** Posts JSON to a farm whose authority is trusted. */
const wordsFor = async (url: string, { headers, body }: Asked, ca: string | undefined) => {
  const start = ca === undefined ? request : requestTls;
  const asked = start(url, { method: "POST", headers, ca }).end(JSON.stringify(body));
  const [response] = (await once(asked, "response")) as [IncomingMessage];
  const answer = await text(response);
  if (response.statusCode !== 200) throw new Error(`${url}: ${response.statusCode} ${answer.slice(0, 300)}`);
  const words = JSON.parse(answer) as Record<string, string>; // what the routes' tables say
  return { body: words, cookie: String(response.headers["set-cookie"] ?? "").split(";")[0] ?? "" };
};

/** Makes the farm's owner; resolves with the cookie of its session. */
export const signInAsOwner = async (farm: FarmProcesses): Promise<string> => {
  const { origin } = new URL(farm.baseUrl);
  const code = /code=(.*)$/.exec(farm.secrets.first_sign_in_url ?? "")?.[1] ?? "";
  const owner = { code, name: "Olga", password: "a long password" };
  const headers = { "content-type": "application/json", origin };
  return (await wordsFor(`${origin}${uiBase}/first-session`, { headers, body: owner }, farm.ca)).cookie;
};

/** Makes the owner, and for the attackers a program and a viewer of their own. */
export const openWorld = async (farm: FarmProcesses): Promise<World> => {
  const { oapi_key, oapi_secret }: Secrets = farm.secrets;
  const { origin } = new URL(farm.baseUrl);
  const ui = origin + uiBase;
  const json = { "content-type": "application/json", origin };
  const post = (url: string, headers: Readonly<Record<string, string>>, body: object) =>
    wordsFor(url, { headers, body }, farm.ca);
  const cookie = await signInAsOwner(farm);
  const asOwner = (path: string, body: object) => post(ui + path, { ...json, cookie }, body);
  const user = (await asOwner("/api-users", { name: "attacker" })).body;
  await asOwner("/people", { name: "Viktor", password: "a long password", role: "viewer" });
  const signedIn = await post(`${ui}/session`, json, { name: "Viktor", password: "a long password" });
  const pair = {
    authorization: `Basic ${btoa(`${oapi_key}:${oapi_secret}`)}`,
    "x-service-compliance": "20261101",
    "content-type": "application/json",
  };
  const enter = async (who: object) => {
    const { body } = await post(`${origin}/v1/login`, pair, who);
    return { ...pair, "x-service-sapiauth": body.token ?? "" };
  };
  const program = await enter(user);
  const other = await enter({ auth_key: farm.secrets.auth_key, auth_secret: farm.secrets.auth_secret });
  const large = { name: "large", payload: { elements: Array.from({ length: 900 }, (_, nr) => element(nr)) } };
  const { id = "" } = (await post(`${origin}/v1/jobs`, program, large)).body;
  await post(`${origin}/v1/presets`, program, {
    key: "wide",
    name: "wide",
    kind: "source",
    payload: { junk: "{{long}}" },
  });
  const { auth_key = "", auth_secret = "" } = user;
  const keys = { user: { auth_key, auth_secret }, pair };
  return { origin, ...keys, program, person: { cookie: signedIn.cookie, origin }, largeJob: id, agentPath, other };
};

/** A source that no node has. */
export const element = (nr: number | string) => ({
  uid: `e${nr}`,
  kind: "source",
  payload: { kind: "asset_url", payload: { storage_provider: "file", url: `file:///nowhere/${nr}.mov` } },
});
