import { readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { machineFile } from "../../coordinator/people/machine-key.ts";
import { api } from "../../shared/api/api.ts";
import { ui, uiBase } from "../../shared/api/ui/ui-api.ts";
import { createUiClient, type UiClient } from "../../shared/api/ui/ui-client.ts";
import { AppError } from "../../shared/basics/errors.ts";
import type { Values } from "../terminal/flags.ts";
import type { Environment } from "../terminal/world.ts";
import { dataFolderOf } from "./chosen-farm.ts";
import { trustAuthority } from "./trust-authority.ts";

export type Machine = {
  readonly request: UiClient;
  /** The address of the pages; ends in a slash. */
  readonly url: string;
  /** The authority of its TLS certificate, PEM; undefined without TLS, or if none is needed. */
  readonly authority?: string | undefined;
};

/** Calls the farm of a data folder as its owner: whoever can read the folder may. Throws if no farm runs from there. */
export const openMachine = (values: Values, env: Environment): Machine => {
  const folder = dataFolderOf(values, env);
  const { url, loopback = url, key, authority } = readKey(folder);
  trustAuthority(loopback, authority);
  const urlOf = (path: string): string => `${loopback.replace(/\/$/, "")}${uiBase}${path}`;
  return {
    url,
    authority,
    request: createUiClient({
      routes: { ...api, ...ui },
      urlOf,
      // A coordinator that stands by says itself where the leader is, which takes another machine's key.
      init: { headers: { authorization: `Bearer ${key}` }, redirect: "manual" },
    }),
  };
};

const machineKey = z.object({
  ...{ url: z.string(), loopback: z.string().optional() },
  ...{ key: z.string(), authority: z.string().optional() },
});

const readKey = (folder: string): z.output<typeof machineKey> => {
  const file = join(folder, "coordinator", machineFile);
  try {
    return machineKey.parse(JSON.parse(readFileSync(file, "utf8")));
  } catch (cause) {
    throw new AppError(
      "UNAVAILABLE",
      `This command needs a farm that runs on this machine, but none runs from ${folder}. Start it with "mediafarm up", or name another with --farm or --data; of several coordinators, use the machine of the one that leads (looked for ${file})`,
      { cause },
    );
  }
};
