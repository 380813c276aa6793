import { runAgentProcess } from "../../agent/main.ts";

/** The agent as a program beside this module, so that `up` finds it in a clone and in a bundle. */
process.exitCode = await runAgentProcess(process.argv.slice(2));
