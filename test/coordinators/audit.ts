import type { Intent } from "../../shared/work/work.ts";
import type { World } from "./world.ts";

/** What should never have happened, by what it would be. */
export type Findings = Readonly<
  Record<"lost" | "twice" | "partial" | "interleaved" | "unended" | "said", readonly string[]>
>;

type TaskRow = {
  readonly id: string;
  readonly state: string;
  readonly published: number;
  readonly attempts: number;
  readonly intent: string | null;
};

/** Looks at the rows and at the disk once everything has ended. `accepted`: names of jobs whose ids were answered, by id. */
export const audit = async (world: World, accepted: ReadonlyMap<string, string>): Promise<Findings> => {
  const jobs = await world.pair.ask("SELECT id::text, name, status, error FROM jobs");
  const tasks = (await world.pair.ask(`SELECT id::text, state, intent::text,
      (SELECT count(*)::int FROM attempts WHERE task_id = tasks.id AND state = 'published') AS published,
      (SELECT count(*)::int FROM attempts WHERE task_id = tasks.id AND ended IS NULL) AS attempts FROM tasks`)) as TaskRow[];
  const byId = new Map(jobs.map((job) => [String(job.id), job]));
  const byName = Map.groupBy(jobs, ({ name }) => name);
  const backwards = await world.pair.ask(`SELECT counter, epoch FROM
      (SELECT counter, epoch, lag(epoch) OVER (ORDER BY counter) AS before FROM attempts) AS a WHERE before > epoch`);
  return {
    lost: [
      ...[...accepted].filter(([id, name]) => byId.get(id)?.name !== name).map(([id]) => `job ${id} is lost`),
      ...jobs.filter(({ status }) => status === "failed").map(({ id, error }) => `job ${id} failed: ${error}`),
    ],
    twice: [
      ...[...byName].filter(([, all]) => all.length > 1).map(([name, all]) => `${all.length} jobs are called ${name}`),
      ...tasks.filter(({ published }) => published > 1).map(({ id }) => `task ${id} was published more than once`),
    ],
    partial: [
      ...tasks
        .filter(({ state, published }) => state === "completed" && published !== 1)
        .map(({ id }) => `task ${id} is completed without a published attempt`),
      ...shownWrongly(world, tasks),
    ],
    interleaved: [
      ...(await world.watched.interleaved()),
      ...backwards.map(({ counter, epoch }) => `attempt ${counter} is of the older epoch ${epoch}`),
    ],
    unended: [
      ...jobs
        .filter(({ status }) => status !== "completed" && status !== "failed")
        .map(({ id }) => `job ${id} is open`),
      ...tasks.filter(({ attempts }) => attempts > 0).map(({ id }) => `an attempt of task ${id} is open`),
    ],
    said: world.book.violations(),
  };
};

/** What is shown was granted, what is completed is shown whole, and nothing hidden is left. */
const shownWrongly = ({ disk, book }: World, tasks: readonly TaskRow[]): string[] => {
  const shown = disk.shown();
  const meant = tasks.flatMap(({ id, state, intent }) => {
    if (state !== "completed" || intent === null) return [];
    const { files }: Intent = JSON.parse(intent);
    return files.map(({ final, identity }) => ({ id, final, identity }));
  });
  const known = new Set(meant.map(({ final }) => final));
  return [
    ...meant
      .filter(({ final, identity }) => shown.get(final) !== identity)
      .map(({ id, final, identity }) => `task ${id}: ${final} shows ${shown.get(final)} and not ${identity}`),
    ...[...shown]
      .filter(([final, identity]) => !known.has(final) || !book.granted().has(identity))
      .map(([final, identity]) => `${final} shows ${identity}, which nobody is known to have made`),
    ...[...disk.hidden().keys()].map((file) => `${file} is left behind`),
  ];
};
