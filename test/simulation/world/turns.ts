import type { Farm } from "../../../coordinator/farm.ts";
import type { OpenTask } from "../../../coordinator/schedule/open-task.ts";

/** A task that a node is given. */
export type Choice = {
  readonly nodeId: number;
  readonly task: OpenTask;
  /** When a job had its last turn, before this one: a number that rises, 0 if it had none. */
  readonly turnOf: (jobId: number) => number;
};
/** A turn that is neither kept nor given back. */
export type OpenTurn = {
  readonly jobId: number;
  readonly taskId: number;
  readonly since: number;
  /** When the task was given out once more: what became of this turn is known soon after. */
  readonly again?: number;
};

type Watched = { -readonly [Name in "take" | "keepTurn" | "giveBackTurn" | "forgetJob"]: Farm["ready"][Name] };

/** Tells of every choice, and counts the turns of jobs anew: the check does not believe the product's numbers. */
export const watchTurns = (farm: Farm, now: () => number, onChosen: (choice: Choice) => void) => {
  const ready = farm.ready as Watched; // only here it is watched
  const registry = farm.registry as { claim: Farm["registry"]["claim"] };
  const { take, keepTurn, giveBackTurn, forgetJob } = ready;
  const { claim } = registry;
  const kept = new Map<number, number>();
  const open = new Map<number, OpenTurn>();
  let before = (_jobId: number): number => 0;
  /** Those before this program began are only known to the product. */
  const recalled = (jobId: number): number => {
    const known = kept.get(jobId);
    if (known !== undefined) return known;
    const [task] = farm.ready.ofJob(jobId);
    const rank = task ? (farm.ready.find(task.id)?.position.group.rank ?? 0) % 2 ** 45 : 0;
    const turn = rank < 2 ** 44 ? rank : 0;
    kept.set(jobId, turn);
    return turn;
  };
  const turnOf = (jobId: number): number =>
    [...open].reduce((last, [nr, each]) => (each.jobId === jobId ? Math.max(last, nr) : last), recalled(jobId));
  ready.take = (task) => {
    for (const { task: each } of farm.ready.tasks()) recalled(each.jobId);
    const had = turnOf(task.jobId);
    for (const [nr, each] of open) if (each.taskId === task.id) open.set(nr, { again: now(), ...each });
    const turn = take(task);
    open.set(turn.nr, { jobId: task.jobId, taskId: task.id, since: now() });
    before = (jobId) => (jobId === task.jobId ? had : turnOf(jobId));
    return turn;
  };
  ready.keepTurn = (turn) => {
    // Unless its job ended meanwhile, and was forgotten with its turns.
    if (open.delete(turn.nr)) kept.set(turn.jobId, Math.max(recalled(turn.jobId), turn.nr));
    keepTurn(turn);
  };
  ready.giveBackTurn = (turn) => {
    open.delete(turn.nr);
    giveBackTurn(turn);
  };
  // A job that has ended and is tried again begins anew.
  ready.forgetJob = (jobId) => {
    kept.delete(jobId);
    forgetJob(jobId);
    if ([...farm.ready.ofJob(jobId)].length > 0) return; // tried again already
    for (const [nr, each] of open) if (each.jobId === jobId) open.delete(nr);
  };
  registry.claim = (nodeId, taskId, use) => {
    const { jobId, priority } = use as OpenTask; // what is claimed is a ready task
    if (jobId !== undefined && priority !== undefined) onChosen({ nodeId, task: use as OpenTask, turnOf: before });
    claim(nodeId, taskId, use);
  };
  return { open: (): readonly OpenTurn[] => [...open.values()] };
};
