import { expect, test } from "vitest";
import * as agent from "../../../agent/config.ts";
import * as coordinator from "../../../coordinator/log.ts";

test("MEDIAFARM_LOG sets the level of coordinator and agents; without it each has its own", () => {
  const levels = [{}, { MEDIAFARM_LOG: "" }, { MEDIAFARM_LOG: "error" }].map((env) => [
    coordinator.logLevelOf(env),
    agent.readLogLevel(env),
  ]);
  expect(levels).toEqual([
    ["warn", "info"],
    ["warn", "info"],
    ["error", "error"],
  ]);
});

test.each([coordinator.logLevelOf, agent.readLogLevel])("a word that is no level is refused in words", (logLevelOf) => {
  expect(() => logLevelOf({ MEDIAFARM_LOG: "loud" })).toThrow(
    'MEDIAFARM_LOG is "loud", but must be one of debug, info, warn, error',
  );
});
