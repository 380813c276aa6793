import { isDeepStrictEqual } from "node:util";
import { uiBase } from "../../../shared/api/ui/ui-api.ts";
import type { FarmProcesses } from "../../helpers/processes/farm-processes.ts";
import type { Random } from "../attack.ts";
import { signInAsOwner } from "../strangers/world.ts";
import { strangeWatch } from "./audit.ts";
import { victimsLog } from "./truth.ts";
import { victimsListing } from "./victim.ts";

type Asking = {
  readonly farm: FarmProcesses;
  readonly random: Random;
  readonly count: (what: string) => void;
  readonly victimId: number;
  /** Ids of the liars that are there just now. */
  readonly liars: () => readonly number[];
  /** A task that the honest node runs. */
  readonly runningTask: () => number | undefined;
  readonly jobs: () => readonly string[];
  /** The job that watches a folder of the honest node. */
  readonly watch: string;
};

/** A person who looks at nodes and their files all the while: what the honest node says has to arrive as it said it. */
export const askAround = async ({ farm, random, count, victimId, liars, runningTask, jobs, watch: job }: Asking) => {
  const { origin } = new URL(farm.baseUrl);
  const cookie = await signInAsOwner(farm);
  const fell: string[] = [];
  const read = async (path: string) => {
    const response = await fetch(origin + uiBase + path, { headers: { cookie }, signal: AbortSignal.timeout(120_000) });
    return { response, bytes: Buffer.from(await response.arrayBuffer()) };
  };
  const get = async (path: string) => {
    const { response, bytes } = await read(path).catch((problem) => {
      throw new Error(`${path.replace(/[^/?]{40,}/g, "…")}: ${problem}`);
    });
    count(`asked ${path.split(/[/?]/)[1]}: ${response.status}`);
    if (response.status === 500) fell.push(`${path}: ${bytes.toString().slice(0, 300)}`);
    return { status: response.status, bytes };
  };
  const jsonOf = ({ bytes }: { readonly bytes: Buffer }) => JSON.parse(bytes.toString());

  const lookAtVictim = async () => {
    const listed = await get(`/folder?node_id=${victimId}&path=%2Fvictim`);
    const same = listed.status === 200 && isDeepStrictEqual(jsonOf(listed), victimsListing);
    if (!same) fell.push(`the honest node's folder: ${listed.bytes.toString().slice(0, 300)}`);
    const task = runningTask();
    if (task === undefined) return;
    const log = await get(`/tasks/${task}/log`);
    const text = log.status === 200 ? String(jsonOf(log).items.at(-1)?.log ?? "") : "";
    if (text !== "" && text !== victimsLog)
      fell.push(`the log of the honest node's task ${task}: ${text.slice(0, 300)}`);
  };

  const lookAtLiar = async () => {
    const id = random.one(liars());
    if (id === undefined) return;
    const path = encodeURIComponent(random.one(["", "/", "/etc", "/victim"]));
    await get(`/folder?node_id=${id}&path=${path}`);
    const preview = await get(`/preview?node_id=${id}&path=%2Fvictim%2Fa.mov`);
    if (preview.status !== 200) return;
    const link = String(jsonOf(preview).path).replace(/[^/]*$/, "");
    for (const part of ["index.m3u8", "init.mp4", "0.m4s", "0.jpg"]) await get(link + part);
  };

  const lookAtOutputs = async () => {
    const job = random.one(jobs());
    if (job === undefined) return;
    const { items } = await farm.client.listOutputs({ job_id: job });
    for (const { task_id } of items.slice(0, 1)) {
      const link = await get(`/tasks/${task_id}/outputs/0/link`);
      if (link.status === 200) await get(String(jsonOf(link).path)).catch(() => count("asked media: cut off"));
      await get(`/tasks/${task_id}/outputs/0/preview`);
    }
  };

  const lookAtWatch = async () => void fell.push(...(await strangeWatch(farm, job)));

  let isOver = false;
  const looks = [
    lookAtVictim,
    lookAtWatch,
    lookAtLiar,
    lookAtOutputs,
    () => get("/files?name=in.wav"),
    () => get("/folder"),
  ];
  const watch = async (look: () => Promise<unknown>): Promise<void> => {
    while (!isOver) {
      await look().catch((problem) => isOver || fell.push(`nobody could look: ${problem}`));
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  };
  const over = Promise.all(looks.map(watch));
  return {
    end: async (): Promise<readonly string[]> => {
      isOver = true;
      await over;
      return fell;
    },
  };
};
