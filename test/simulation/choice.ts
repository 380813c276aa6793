/** What is simulated: a seed, so many faults, and which of its faults and jobs are left out. */
export type Choice = {
  readonly seed: number;
  readonly faults: number;
  readonly without?: readonly number[];
  readonly withoutJobs?: readonly number[];
  /** Which kinds of jobs and faults there are: a seed that failed stays the same when there are more. */
  readonly swarm?: number;
  /** Faults of this kind alone. */
  readonly only?: string;
  /** Faults are drawn and told, and nothing goes wrong: to see what they change. */
  readonly isHarmless?: boolean;
  /** More than one: each farm has two coordinators or more, up to so many, and one store for all of them. */
  readonly coordinators?: number;
};

/**
 * 1: copies. 2: graphs of copies, films in one piece and in sections, programs that fail, lines that one side forgets.
 * 3: watched folders, batches, mounts, limits of tags, secrets in jobs, owners who come back, programs that hang, views of
 * the share that differ, folders that go while they are listed. 4: people who end what is being published. 5: copies that
 * meet on one name, or on an older file. 6: a store that answers not every question, coordinators that forget what they do
 * not use, programs that are asked to end, people who look, a copy that is refused and what is done instead.
 * 7: people who ask for two things of one job at once. 8: connections that are lost without a word, machines
 * that sleep over what they were granted.
 */
export const latestSwarm = 8;

/** The words that repeat it. */
export const commandOf = ({
  seed,
  faults,
  without = [],
  withoutJobs = [],
  swarm = latestSwarm,
  ...more
}: Choice): string =>
  [
    `npm run simulate -- --seed ${seed} --faults ${faults}`,
    ...(without.length > 0 ? [`--without ${without.join(",")}`] : []),
    ...(withoutJobs.length > 0 ? [`--without-jobs ${withoutJobs.join(",")}`] : []),
    ...(swarm === latestSwarm ? [] : [`--swarm ${swarm}`]),
    ...(more.only === undefined ? [] : [`--only '${more.only}'`]),
    ...(more.coordinators === undefined ? [] : [`--coordinators ${more.coordinators}`]),
  ].join(" ");
