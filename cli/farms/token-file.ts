import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import type { ClientOptions, KeptToken } from "../../shared/api/client.ts";
import type { Environment } from "../terminal/world.ts";
import { configFolder, writeOwnJson } from "./credentials.ts";

const file = z.strictObject({ user: z.string(), token: z.string().max(1000) });

/**
 * Stores the token of this user's last command beside the credentials, so that the next command need not log in.
 * Nothing is stored if the secrets come from the environment, because they may not be meant for this user's disk.
 */
export const openTokenFile = (env: Environment, options: ClientOptions): KeptToken | undefined => {
  if (env.MEDIAFARM_AUTH_SECRET) return undefined;
  const path = join(configFolder(env), "token.json");
  const user = createHash("sha256")
    .update(JSON.stringify([options.baseUrl, options.authKey]))
    .digest("hex");
  return {
    read: () => {
      const kept = readKept(path);
      return kept?.user === user ? kept.token : undefined;
    },
    write: (token) => {
      try {
        writeOwnJson(path, { user, token });
      } catch {
        // A folder that cannot be written to only costs a login with the next command.
      }
    },
  };
};

const readKept = (path: string): z.output<typeof file> | undefined => {
  try {
    return file.safeParse(JSON.parse(readFileSync(path, "utf8"))).data;
  } catch {
    return undefined; // none yet, or damaged: the next login writes it anew
  }
};
