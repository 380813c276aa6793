import { runAgentProcess } from "../../agent/main.ts";
import type { PassedOnCommand } from "../command.ts";

/** A node of a farm that runs elsewhere. */
export const agent: PassedOnCommand = {
  name: "agent",
  usage:
    "agent --join TOKEN [--data DIR] [--name S] [--tags a,b] [--slots N] [--root DIR]... [--mount PREFIX=DIR]... [--json]",
  summary: "Lend this machine to a farm. TOKEN is what the farm shows; --root names folders jobs may use.",
  passOn: runAgentProcess,
};
