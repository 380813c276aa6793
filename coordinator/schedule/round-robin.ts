import { settleIn } from "./heap.ts";
import { rankOf } from "./order.ts";
import { type createGroups, type Job, lastTurnOf } from "./ready-groups.ts";

/** A turn that a job got with a task. It is kept once the claim is durable, or given back. */
export type Turn = { readonly jobId: number; readonly nr: number };

type Groups = Pick<ReturnType<typeof createGroups>, "job" | "jobOf" | "dropJob">;

/** Numbers the turns of all jobs, and ranks a job's groups anew after each. */
export const createRoundRobin = (groups: Groups) => {
  let newest = 0;
  return {
    take: (jobId: number): Turn => {
      const job = groups.jobOf(jobId);
      newest += 1;
      job.turns.open.push(newest);
      rankAnew(job);
      return { jobId, nr: newest };
    },
    /** The claim is durable. */
    keepTurn: ({ jobId, nr }: Turn): void => {
      const job = groups.job(jobId);
      if (!job) return;
      withdrawTurn(job, nr);
      job.turns.kept = Math.max(job.turns.kept, nr);
    },
    /** The claim failed: the job is due as if it had not had this turn. The caller adds the task again. */
    giveBackTurn: ({ jobId, nr }: Turn): void => {
      const job = groups.job(jobId);
      if (!job) return;
      withdrawTurn(job, nr);
      rankAnew(job);
      groups.dropJob(job);
    },
    /** The last stored turn of each job. Call it before any task is added. */
    recallTurns: (turns: Iterable<readonly [jobId: number, turn: number]>): void => {
      for (const [jobId, turn] of turns) {
        groups.jobOf(jobId).turns.kept = turn;
        newest = Math.max(newest, turn);
      }
    },
  };
};

/** Several turns may be open, and end in any order. */
const withdrawTurn = ({ turns: { open } }: Job, nr: number): void => {
  const at = open.indexOf(nr);
  if (at >= 0) open.splice(at, 1);
};

const rankAnew = ({ id, turns, groups }: Job): void => {
  const turn = lastTurnOf(turns);
  for (const group of groups) {
    group.rank = rankOf(group.priority, turn, id);
    settleIn(group.list.groups, group, group.rank);
  }
};
