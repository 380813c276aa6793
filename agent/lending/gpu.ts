import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Run } from "../process/run.ts";

const question = ["--query-gpu=utilization.gpu", "--format=csv,noheader,nounits"];

/** Busy share of the busiest GPU, 0 to 1. Undefined if no driver reports it. */
export const queryGpu = async (
  run: Run,
  devices = "/sys/class/drm",
  nvidia = "/dev/nvidiactl",
): Promise<number | undefined> => {
  const told = await readBusy(devices);
  if (!existsSync(nvidia)) return busiest(told);
  const { exitCode, stdout } = await run({ command: "nvidia-smi", args: question, limitMs: 5000 });
  return busiest([...told, ...(exitCode === 0 ? percentsOf(stdout) : [])]);
};

/** AMD drivers keep a percentage in a file per card. */
const readBusy = async (devices: string): Promise<number[]> => {
  const cards = (await readdir(devices).catch(() => [])).filter((name) => /^card\d+$/.test(name));
  const files = cards.map((card) => join(devices, card, "device/gpu_busy_percent"));
  const texts = await Promise.all(files.map((file) => readFile(file, "utf8").catch(() => "")));
  return texts.flatMap(percentsOf);
};

/** One percentage per line; a card that cannot report says "[N/A]". */
const percentsOf = (text: string): number[] =>
  text.split("\n").flatMap((line) => (/^\s*\d+\s*$/.test(line) ? [Math.min(100, Number(line))] : []));

const busiest = (percents: readonly number[]): number | undefined =>
  percents.length === 0 ? undefined : Math.max(...percents) / 100;
