import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { z } from "zod";
import type { ClientOptions } from "../../shared/api/client.ts";
import { AppError, messageOf } from "../../shared/basics/errors.ts";
import type { Environment } from "../terminal/world.ts";
import { currentAfterStart, type FarmChoice, farmFolder, type KnownFarms } from "./farms.ts";

/**
 * How this user's commands reach a farm: with MEDIAFARM_* variables, else with the file that `up` writes to the user's
 * configuration folder. It has one entry per data folder, because a farm shows its secrets only once.
 */
const credentials = z.object({
  base_url: z.string(),
  oapi_key: z.string(),
  oapi_secret: z.string(),
  auth_key: z.string(),
  auth_secret: z.string(),
  /** The authority of the farm's TLS certificate, PEM. */
  ca: z.string().optional(),
});
export type Credentials = z.output<typeof credentials>;
export type Secrets = Omit<Credentials, "base_url" | "ca">;

const file = z.object({
  current: z.string(),
  isChosen: z.boolean().optional(),
  farms: z.record(z.string(), credentials),
});

/** A flag that names a farm takes precedence over the environment. */
export const readCredentials = (env: Environment, words: FarmChoice = {}): ClientOptions => {
  const stored = readFile(env);
  const folder = farmFolder(stored, words);
  const kept = folder === undefined ? undefined : stored?.farms[folder];
  const isNamed = words.farm !== undefined || words.data !== undefined;
  const around: Environment = isNamed ? {} : env;
  const [baseUrl, ...otherUrls] = (around.MEDIAFARM_URL ?? kept?.base_url ?? "")
    .split(",")
    .flatMap((url) => url.trim() || []);
  const found = {
    baseUrl,
    oapiKey: around.MEDIAFARM_OAPI_KEY ?? kept?.oapi_key,
    oapiSecret: around.MEDIAFARM_OAPI_SECRET ?? kept?.oapi_secret,
    authKey: around.MEDIAFARM_AUTH_KEY ?? kept?.auth_key,
    authSecret: around.MEDIAFARM_AUTH_SECRET ?? kept?.auth_secret,
  };
  if (Object.values(found).every(Boolean)) return { ...(found as ClientOptions), otherUrls }; // none is missing
  if (isNamed) throw new AppError("NOT_AUTHENTICATED", `This user has no credentials for the farm in ${folder}`);
  throw new AppError(
    "NOT_AUTHENTICATED",
    `No farm is known here. Start one with "mediafarm up", or set MEDIAFARM_URL, MEDIAFARM_OAPI_KEY, MEDIAFARM_OAPI_SECRET, MEDIAFARM_AUTH_KEY and MEDIAFARM_AUTH_SECRET (looked in ${pathOf(env)})`,
  );
};

/** The authority to trust for a farm: MEDIAFARM_CA names a file; else the one that `up` stored. */
export const readAuthority = (env: Environment, words: FarmChoice = {}): string | undefined => {
  const path = env.MEDIAFARM_CA;
  if (!path) {
    const stored = readFile(env);
    const folder = farmFolder(stored, words);
    return folder === undefined ? undefined : stored?.farms[folder]?.ca;
  }
  try {
    return readFileSync(path, "utf8");
  } catch (cause) {
    throw new AppError("VALIDATION_FAILED", `MEDIAFARM_CA cannot be read: ${messageOf(cause)}`, { cause });
  }
};

/** The farms started here, and which of them is the current one. */
export const knownFarms = (env: Environment): KnownFarms<Credentials> | undefined => readFile(env);

/** Makes this farm the current one. Throws AppError if no farm has that name. */
export const chooseFarm = (env: Environment, name: string): string => {
  const stored = readFile(env);
  const folder = farmFolder(stored, { farm: name });
  if (!stored || folder === undefined)
    throw new AppError("NOT_FOUND", `There is no farm called ${name}: none was started here`);
  writeFile(env, { ...stored, current: folder, isChosen: true });
  return folder;
};

/** Records a started farm by its data folder. Without new secrets, or without its TLS authority, the known ones stay. */
export const keepCredentials = (
  env: Environment,
  dataDir: string,
  baseUrl: string,
  secrets: Secrets | null,
  ca?: string,
) => {
  const stored: z.output<typeof file> = readFile(env) ?? { current: dataDir, farms: {} };
  const known = secrets ?? stored.farms[dataDir];
  if (!known) return;
  const farms = { ...stored.farms, [dataDir]: { ...known, base_url: baseUrl, ca: ca ?? stored.farms[dataDir]?.ca } };
  const current = currentAfterStart(stored, dataDir);
  writeFile(env, { ...stored, current, farms });
};

/** Stores the replaced OAPI pair, but only if this farm is already in the file. */
export const renewOapi = (
  env: Environment,
  dataDir: string,
  pair: Pick<Credentials, "oapi_key" | "oapi_secret">,
): void => {
  const stored = readFile(env);
  const known = stored?.farms[dataDir];
  if (!stored || !known) return;
  writeFile(env, { ...stored, farms: { ...stored.farms, [dataDir]: { ...known, ...pair } } });
};

/** The user's configuration folder. */
export const configFolder = (env: Environment): string =>
  join(env.XDG_CONFIG_HOME ?? env.APPDATA ?? join(homedir(), ".config"), "mediafarm");

const pathOf = (env: Environment): string => join(configFolder(env), "credentials.json");

const readFile = (env: Environment): z.output<typeof file> | undefined => {
  const path = pathOf(env);
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch {
    return undefined; // missing or unreadable: the variables may still be enough
  }
  const result = file.safeParse(parseJson(text));
  if (result.success) return result.data;
  throw new AppError("CONFLICT", `${path} is damaged; delete it, or set the MEDIAFARM_* variables`);
};

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // the schema reports the error
  }
};

const writeFile = (env: Environment, value: z.output<typeof file>): void => writeOwnJson(pathOf(env), value);

/** Writes a file atomically that only this user may read. */
export const writeOwnJson = (path: string, value: unknown): void => {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600 });
  renameSync(draft, path);
};
