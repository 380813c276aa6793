import { readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { z } from "zod";
import { machineFile } from "../coordinator/machine-key.ts";
import { AppError } from "../shared/errors.ts";
import { uiBase } from "../shared/ui-api.ts";
import { createUiClient, type UiClient } from "../shared/ui-client.ts";
import { type Flags, textOf, type Values } from "./command.ts";

/** Of the commands that work on the coordinator's own machine only. */
export const dataFlag = {
  data: {
    type: "string",
    value: "DIR",
    offers: "folders",
    help: "The data folder of the running farm.",
    default: "~/.mediafarm",
  },
} as const satisfies Flags;

export const dataFolderOf = (values: Values): string =>
  resolve(textOf(values, "data") ?? join(homedir(), ".mediafarm"));

export type Machine = {
  readonly request: UiClient;
  /** Of the pages; ends in a slash. */
  readonly url: string;
};

/** Speaks to the farm of a data folder as its owner: whoever can read the folder may. Throws where none runs from there. */
export const openMachine = (values: Values): Machine => {
  const folder = dataFolderOf(values);
  const { url, key } = readKey(folder);
  const urlOf = (path: string): string => `${url.replace(/\/$/, "")}${uiBase}${path}`;
  return { url, request: createUiClient({ urlOf, init: { headers: { authorization: `Bearer ${key}` } } }) };
};

const machineKey = z.object({ url: z.string(), key: z.string() });

const readKey = (folder: string): z.output<typeof machineKey> => {
  const file = join(folder, "coordinator", machineFile);
  try {
    return machineKey.parse(JSON.parse(readFileSync(file, "utf8")));
  } catch (cause) {
    throw new AppError(
      "UNAVAILABLE",
      `No farm runs from ${folder} on this machine: this command needs one. Start it with "mediafarm up", or name its folder with --data (looked for ${file})`,
      { cause },
    );
  }
};
