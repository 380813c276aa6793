import { homedir } from "node:os";
import { join } from "node:path";
import { type Flags, textFlag, type Values } from "../terminal/flags.ts";
import type { Environment } from "../terminal/world.ts";
import { knownFarms } from "./credentials.ts";
import { type FarmChoice, farmFolder } from "./farms.ts";

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

export const readFarmFlags = (values: Values): FarmChoice => ({
  farm: textFlag(values, "farm"),
  data: textFlag(values, "data"),
});

/** The data folder of the farm that the flags name, or of the one in use. */
export const dataFolderOf = (values: Values, env: Environment): string =>
  farmFolder(knownFarms(env), readFarmFlags(values)) ?? join(homedir(), ".mediafarm");
