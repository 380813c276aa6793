/**
 * Medians that were found when a measure was last looked at on two idle cores, by bench, measure and reference. A run is a
 * regression where it is above its target and worse than here by more than the tolerance; what was missed before is told as
 * such. `npm run bench -- --json` prints what to write here.
 */
export const baselines: Readonly<Record<string, number>> = {
  "farm-overhead: wall: xargs -P2, same processes": 1.1,
  "farm-overhead: CPU of coordinator and agent a task: one node -e 0": 0.36,
  "ladder: CPU of all: the best command by hand": 0.99,
  "analyses: CPU of all detectors: decode and what each adds alone": 0.95,
  "long-transcode: wall: the bare ffmpeg command": 0.98,
};

/** A machine that does other things too measures this much worse without anybody having made anything slower. */
export const tolerance = 0.15;

export const baselineKey = (bench: string, measure: string, reference: string): string =>
  `${bench}: ${measure}: ${reference}`;
