import { join } from "node:path";

/** The one folder that jobs may use until somebody names others: made for this, so nothing private lies in it. */
export const defaultMediaFolder = (home: string): string => join(home, "Mediafarm");

/** The data folder that `mediafarm up` uses as well: one farm, however it is started. */
export const defaultDataFolder = (home: string): string => join(home, ".mediafarm");
