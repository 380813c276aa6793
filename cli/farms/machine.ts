import { readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import { machineFile } from "../coordinator/machine-key.ts";
import { api } from "../shared/api.ts";
import { AppError } from "../shared/errors.ts";
import { ui, uiBase } from "../shared/ui-api.ts";
import { createUiClient, type UiClient } from "../shared/ui-client.ts";
import { type Flags, textOf, type Values } from "./command.ts";
import { type Environment, knownFarms } from "./credentials.ts";
import { type FarmWords, farmFolder } from "./farms.ts";
import { trustAuthority } from "./trust-authority.ts";

/** Flags of the commands that use a farm. */
export const farmFlags = {
  farm: {
    type: "string",
    value: "NAME",
    help: "The farm to use, by name.",
    default: "the one that mediafarm farms marks",
  },
  data: { type: "string", value: "DIR", offers: "folders", help: "The farm to use, by data folder." },
} as const satisfies Flags;

export const farmWordsOf = (values: Values): FarmWords => ({
  farm: textOf(values, "farm"),
  data: textOf(values, "data"),
});

export const dataFolderOf = (values: Values, env: Environment): string =>
  farmFolder(knownFarms(env), farmWordsOf(values)) ?? join(homedir(), ".mediafarm");

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
  const { url, key, authority } = readKey(folder);
  trustAuthority(url, authority);
  const urlOf = (path: string): string => `${url.replace(/\/$/, "")}${uiBase}${path}`;
  return {
    url,
    authority,
    request: createUiClient({
      routes: { ...api, ...ui },
      urlOf,
      init: { headers: { authorization: `Bearer ${key}` } },
    }),
  };
};

const machineKey = z.object({ url: z.string(), key: z.string(), authority: z.string().optional() });

const readKey = (folder: string): z.output<typeof machineKey> => {
  const file = join(folder, "coordinator", machineFile);
  try {
    return machineKey.parse(JSON.parse(readFileSync(file, "utf8")));
  } catch (cause) {
    throw new AppError(
      "UNAVAILABLE",
      `This command needs a farm that runs on this machine, but none runs from ${folder}. Start it with "mediafarm up", or name another with --farm or --data (looked for ${file})`,
      { cause },
    );
  }
};
