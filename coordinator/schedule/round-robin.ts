import type { createGroups, Job } from "./groups.ts";
import { settleIn } from "./heap.ts";
import { rankOf } from "./order.ts";
import { keepTurn, lastTurnOf, type Turn, takeTurn, withdrawTurn } from "./turns.ts";

type Groups = Pick<ReturnType<typeof createGroups>, "job" | "jobOf" | "dropJob">;

/** Numbers the turns of all jobs, and ranks a job's groups anew after each. */
export const createTurnBook = (groups: Groups) => {
  let newest = 0;
  return {
    take: (jobId: number): Turn => {
      const job = groups.jobOf(jobId);
      newest += 1;
      takeTurn(job.turns, newest);
      rankAnew(job);
      return { jobId, nr: newest };
    },
    /** The claim is durable. */
    keepTurn: ({ jobId, nr }: Turn): void => {
      const job = groups.job(jobId);
      if (job) keepTurn(job.turns, nr);
    },
    /** The claim failed: the job is due as if it had not had this turn. The caller adds the task again. */
    giveBackTurn: ({ jobId, nr }: Turn): void => {
      const job = groups.job(jobId);
      if (!job) return;
      withdrawTurn(job.turns, nr);
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

const rankAnew = ({ id, turns, groups }: Job): void => {
  const turn = lastTurnOf(turns);
  for (const group of groups) {
    group.rank = rankOf(group.priority, turn, id);
    settleIn(group.list.groups, group, group.rank);
  }
};
