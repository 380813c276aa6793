import type { Command } from "../command.ts";
import { agent } from "./agent.ts";
import { submit } from "./submit.ts";
import { up } from "./up.ts";

/** Every verb of the command line. */
export const commands: readonly Command[] = [up, agent, submit];
