import type { Services } from "../../../agent/tools/services.ts";
import { readForeign } from "./read-foreign.ts";

/** For work that tells nobody anything. */
export const noServices: Services = {
  now: () => 0,
  send: () => Promise.reject(new Error("nothing is sent")),
  every: () => () => undefined,
  read: readForeign,
  runScript: () => Promise.reject(new Error("nothing is run")),
};
