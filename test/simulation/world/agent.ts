import { type Agent, startAgent } from "../../../agent/agent.ts";
import { readConfig } from "../../../agent/config.ts";
import type { Log } from "../../../agent/log.ts";
import { messageOf } from "../../../shared/basics/errors.ts";
import { headlessRules } from "../../../shared/lending/lending.ts";
import type { Loop } from "../engine/loop.ts";
import { createMachineClock, type Machine, passMoment } from "./machine.ts";
import type { Network } from "./network.ts";
import { agentDir, shareAt } from "./places.ts";
import { sharedTag } from "./settings.ts";

export type AgentNeeds = {
  readonly loop: Loop;
  readonly network: Network;
  readonly joinToken: string;
  readonly slots: number;
  readonly complain: (level: string, message: string) => void;
};

/** A whole agent, on the machine whose life this is. */
export const runAgent = (machine: Machine, needs: AgentNeeds): Promise<Agent> => {
  const { loop, network, joinToken, slots, complain } = needs;
  const config = readConfig(
    {
      ...{ dataDir: agentDir, name: machine.name, slots, roots: [shareAt], joinToken, tags: [sharedTag] },
      ...rulesOf(machine),
      ...{ ffmpegPath: "/usr/bin/ffmpeg", ffprobePath: "/usr/bin/ffprobe", ownDirs: [agentDir] },
    },
    {},
  );
  return startAgent({
    ...{ config, pid: machine.newPid() },
    clock: createMachineClock(machine, loop),
    log: createLog(complain),
    random: machine.random.fork("agent").fraction,
    connect: (url) => network.connect(url) as never, // the part of a WebSocket that is used there
    checkpoint: async (name) => passMoment(machine, name),
    lending: { senses: { read: () => ({ sensed: { idleMs: idleMsOf(machine, loop) } }), tell: () => undefined } },
  });
};

/** Of a machine that somebody uses now and then. */
const rulesOf = ({ desk: { owner } }: Machine) =>
  owner ? { lending: { ...headlessRules, lend: "idle" as const, idleAfterMin: 1, ...owner } } : {};

/** Since nobody touched it. */
const idleMsOf = ({ desk: { isUsed, since } }: Machine, loop: Loop): number => (isUsed ? 0 : loop.now() - since);

const createLog = (complain: AgentNeeds["complain"]): Log => {
  const at =
    (level: string) =>
    (message: string, about: object = {}): void => {
      const problem = (about as { readonly error?: unknown }).error;
      complain(level, `${message}${problem === undefined ? "" : `: ${messageOf(problem)}`}`);
    };
  const quiet = (): void => undefined;
  return { error: at("error"), warn: at("warn"), info: quiet, debug: quiet } as unknown as Log; // all that is used
};
