import { Agent, request } from "node:http";
import { join } from "node:path";
import { type Program, startProgram } from "./program.ts";

export type Secrets = Readonly<Record<"oapi_key" | "oapi_secret" | "auth_key" | "auth_secret", string>>;
type Ready = {
  readonly pid: number;
  readonly base_url: string;
  readonly join_token: string;
  readonly first_sign_in_url?: string;
} & Secrets;

/** A coordinator without agents, asked over connections that are kept open. */
export type BenchCoordinator = AsyncDisposable & {
  readonly pid: number;
  readonly secrets: Secrets;
  /** Ends in /v1. */
  readonly base: string;
  readonly joinToken: string;
  /** Where the first owner signs in; empty once there is one. */
  readonly firstSignIn: string;
  /** What a request is signed with. */
  readonly headers: Readonly<Record<string, string>>;
  /** The answer's text; throws where it is no success. `path` is below /v1. */
  readonly ask: (method: string, path: string, body?: string) => Promise<string>;
  /** What /metrics says, by name and labels. */
  readonly metrics: () => Promise<ReadonlyMap<string, number>>;
};

type Choices = {
  /** Those that its first start told. */
  readonly secrets?: Secrets;
  /** A PostgreSQL database. */
  readonly store?: string;
  /** Default: a free one. */
  readonly port?: number;
  /** Added to the environment. */
  readonly env?: Readonly<Record<string, string>>;
  /** Where its program is, below this clone or in another one. */
  readonly program?: string;
};

/** Starts it on a data folder in `folder`. */
export const startCoordinator = async (folder: string, choices: Choices = {}): Promise<BenchCoordinator> => {
  const { secrets, store } = choices;
  const words = ["up", "--json", "--port", String(choices.port ?? 0), "--no-agent", "--data", join(folder, "farm")];
  // Without nodes nobody can do a task: none is to fail of that while something else is measured.
  const timing = JSON.stringify({ capabilityWaitMs: 3_600_000, ...(store !== undefined && { leaseMs: 60_000 }) });
  const place: Record<string, string> = store === undefined ? {} : { MEDIAFARM_STORE: store };
  const env = { XDG_CONFIG_HOME: join(folder, "config"), MEDIAFARM_TIMING: timing, ...place, ...choices.env };
  const program: Program<Ready> = await startProgram(choices.program ?? "cli/main.ts", words, env);
  const { pid, base_url: base } = program.ready;
  const known = secrets ?? program.ready;
  const pair = Buffer.from(`${known.oapi_key}:${known.oapi_secret}`).toString("base64");
  const headers = { authorization: `Basic ${pair}`, "x-service-compliance": "20261101" };
  const { auth_key, auth_secret } = known;
  const login = await exchange(`${base}/login`, "POST", headers, JSON.stringify({ auth_key, auth_secret }));
  const signed = { ...headers, "x-service-sapiauth": JSON.parse(login).token };
  return {
    pid,
    secrets: known,
    base,
    joinToken: program.ready.join_token,
    firstSignIn: program.ready.first_sign_in_url ?? "",
    headers: signed,
    ask: (method, path, body) => exchange(base + path, method, signed, body),
    metrics: async () => readMetrics(await exchange(base.replace(/\/v1$/, "/metrics"), "GET", {})),
    [Symbol.asyncDispose]: program.end,
  };
};

const agent = new Agent({ keepAlive: true, maxSockets: 64 });

/** One request, by the plainest client there is: what it costs itself would flatter every ratio. */
export const exchange = (
  url: string,
  method: string,
  headers: Readonly<Record<string, string>>,
  body?: string,
): Promise<string> =>
  new Promise((resolve, reject) => {
    const type =
      body === undefined ? {} : { "content-type": "application/json", "content-length": Buffer.byteLength(body) };
    const sent = request(url, { method, agent, headers: { ...headers, ...type } }, (answer) => {
      let text = "";
      answer.setEncoding("utf8").on("data", (data) => {
        text += data;
      });
      answer.on("end", () => {
        if (answer.statusCode === 200) resolve(text);
        else reject(new Error(`${method} ${url}: ${answer.statusCode} ${text.slice(0, 500)}`));
      });
    });
    sent.on("error", reject).end(body);
  });

/** What /metrics says, by name and labels. */
export const readMetrics = (text: string): ReadonlyMap<string, number> =>
  new Map(
    text
      .split("\n")
      .filter((line) => line !== "" && !line.startsWith("#"))
      .map((line) => [line.slice(0, line.lastIndexOf(" ")), Number(line.slice(line.lastIndexOf(" ")))]),
  );
