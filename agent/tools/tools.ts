import { doubtOf } from "../../media/ffmpeg/version.ts";
import type { Clock } from "../../shared/basics/clock.ts";
import type { AgentConfig } from "../config.ts";
import type { Workdir } from "../disk/workdir.ts";
import type { ReadForeign } from "../foreign/pool.ts";
import type { Log } from "../log.ts";
import { createNodeGuard } from "../outbound/guard.ts";
import type { Run } from "../process/run.ts";
import { createOpenFilesFactory } from "../roots/open-files.ts";
import { findTools } from "./find-tools.ts";
import { readMachine } from "./machine.ts";
import { createMediaTools } from "./media-tools.ts";
import { openServices } from "./services.ts";

type EquipmentNeeds = {
  readonly clock: Clock;
  readonly log: Log;
  readonly workdir: Workdir;
  /** Starts programs of tasks, which stand still while the work is suspended. */
  readonly run: Run;
  /** Starts all other programs. */
  readonly plainRun: Run;
  readonly read: ReadForeign;
};

export type NodeTools = Awaited<ReturnType<typeof openNodeTools>>;

/** What this node does its work with: the machine, its programs, and services. Warns of versions with known faults. */
export const openNodeTools = async (config: AgentConfig, needs: EquipmentNeeds) => {
  const { clock, log, workdir, run, plainRun, read } = needs;
  const outbound = createNodeGuard(config.allowOutbound);
  const [tools, machine, holder] = await Promise.all([
    findTools(config, plainRun),
    readMachine(log, workdir.path),
    createOpenFilesFactory({ folder: workdir.held, pid: process.pid, run: plainRun }),
  ]);
  const { services, capabilities } = await openServices(config, {
    ...{ clock, run: plainRun, folder: workdir.path, log, guard: outbound.guard, read },
  });
  const doubt = tools.ffmpeg && doubtOf(tools.ffmpeg.version);
  if (doubt) log.warn(doubt, { path: tools.ffmpeg?.path });
  return { outbound, tools, media: createMediaTools(tools, run, read), machine, holder, services, capabilities };
};
