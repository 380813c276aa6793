import type { Db } from "./open.ts";

/**
 * What a retry by hand writes. The state machines know no way back from an end: these statements are that way, and the
 * only one. Each forgets what memory knows of the job. Called within a commit.
 */
export const createReopenStore = ({ writer, memo }: Db) => {
  const job = writer.prepare(
    `UPDATE jobs SET status = 'active', substatus = 'waiting', error = NULL, stopped = NULL, end_time = NULL,
       expiration_time = NULL WHERE id = ?`,
  );
  const task = writer.prepare(
    `UPDATE tasks SET state = 'ready', retry_nr = 0, losses = 0, failure = NULL, ready_time = ?, start_time = NULL,
       end_time = NULL WHERE id = ? AND state = 'failed'`,
  );
  const run = writer.prepare(
    "UPDATE element_runs SET state = ?, failure = NULL, assets = NULL WHERE job_id = ? AND uid = ?",
  );
  const forgetRun = writer.prepare("DELETE FROM element_runs WHERE job_id = ? AND uid = ?");
  const forgetTasks = writer.prepare("DELETE FROM tasks WHERE job_id = ? AND element_uid = ?");

  return {
    job: (jobId: number): void => {
      memo.forget(jobId);
      job.run(jobId);
    },
    task: (jobId: number, taskId: number, readyTime: number): void => {
      memo.forget(jobId);
      task.run(readyTime, taskId);
    },
    run: (jobId: number, uid: string, to: "planning" | "running"): void => {
      memo.forget(jobId);
      run.run(to, jobId, uid);
    },
    /** The element waits as if nothing had been done for it; its tasks go, with their attempts. */
    forget: (jobId: number, uid: string): void => {
      memo.forget(jobId);
      forgetTasks.run(jobId, uid);
      forgetRun.run(jobId, uid);
    },
  };
};
