import { type Client, createClient } from "../../shared/api/client.ts";
import type { Values } from "../terminal/flags.ts";
import type { Environment } from "../terminal/world.ts";
import { readFarmFlags } from "./chosen-farm.ts";
import { readAuthority, readCredentials } from "./credentials.ts";
import { openTokenFile } from "./token-file.ts";
import { trustAuthority } from "./trust-authority.ts";

/** Calls the farm that the flags, the environment or the user's configuration name. Throws if none is known. */
export const openClient = (values: Values, env: Environment): Client => {
  const words = readFarmFlags(values);
  const options = readCredentials(env, words);
  const authority = readAuthority(env, words);
  for (const url of [options.baseUrl, ...(options.otherUrls ?? [])]) trustAuthority(url, authority);
  return createClient({ ...options, keptToken: openTokenFile(env, options) });
};
