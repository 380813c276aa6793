import { join } from "node:path";
import { shellCommand } from "../../../shared/texts/shell.ts";
import type { Performer } from "../step.ts";

/** Runs fdkaac. Its file stores how many samples of encoder and decoder delay players skip. */
export const performFdkaac: Performer<"fdkaac"> = async ({ from, to, profile, bitRate }, context) => {
  const { scratch, log, tools, signal, onProgress, onUsage } = context;
  const rate = ["--profile", String(profile), "--bitrate", String(bitRate)];
  const delay = ["--gapless-mode", "1", "--include-sbr-delay"];
  const args = [...rate, ...delay, "-o", join(scratch, to), join(scratch, from)];
  log.line(`$ fdkaac ${shellCommand(args)}`);
  const { cpuMs, peakMemory } = await tools.fdkaac({
    args,
    signal,
    onStderr: (text) => onProgress({ percent: percentIn(text) }),
  });
  onUsage({ cpuMs, peakMemory });
};

/** `[67%] 00:02.005/00:03.000 (77x), ETA 00:00.013` */
const percentIn = (text: string): number | undefined => {
  const found = [...text.matchAll(/\[(\d{1,3})%\]/g)].at(-1)?.[1];
  return found === undefined ? undefined : Math.min(100, Number(found));
};
