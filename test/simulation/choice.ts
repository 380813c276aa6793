/** What is simulated: a seed, so many faults, and which of its faults and jobs are left out. */
export type Choice = {
  readonly seed: number;
  readonly faults: number;
  readonly without?: readonly number[];
  readonly withoutJobs?: readonly number[];
};

/** The words that repeat it. */
export const commandOf = ({ seed, faults, without = [], withoutJobs = [] }: Choice): string =>
  [
    `npm run simulate -- --seed ${seed} --faults ${faults}`,
    ...(without.length > 0 ? [`--without ${without.join(",")}`] : []),
    ...(withoutJobs.length > 0 ? [`--without-jobs ${withoutJobs.join(",")}`] : []),
  ].join(" ");
