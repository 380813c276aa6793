import type { Db } from "./open.ts";

/** When a job may run and where. */
export type JobSchedule = {
  /** When somebody paused it. */
  readonly paused: number | null;
  /** No task starts before. */
  readonly startAfter: number | null;
  /** For all of its tasks, beside those of their elements. */
  readonly tags: readonly string[];
};

type Raw = Omit<JobSchedule, "tags"> & { readonly tags: string };

const none: JobSchedule = { paused: null, startAfter: null, tags: [] };
const read = (raw: Raw): JobSchedule => ({ ...raw, tags: JSON.parse(raw.tags) });
const columns = "paused, start_after AS startAfter, task_tags AS tags";

export const createJobScheduleStore = ({ writer, memo }: Db) => {
  const row = writer.prepare<[number], Raw>(`SELECT ${columns} FROM job_schedules WHERE job_id = ?`);
  const put = writer.prepare(
    `INSERT INTO job_schedules (job_id, paused, start_after, task_tags) VALUES (?, ?, ?, ?)
     ON CONFLICT (job_id) DO UPDATE SET paused = excluded.paused, start_after = excluded.start_after,
       task_tags = excluded.task_tags`,
  );
  const held = writer.prepare<[], Raw & { readonly jobId: number }>(
    `SELECT job_id AS jobId, ${columns} FROM job_schedules JOIN jobs ON id = job_id
     WHERE (paused IS NOT NULL OR start_after IS NOT NULL) AND status IN ('queued', 'active')`,
  );

  /** Inside a commit, or right after it. */
  const get = (jobId: number): JobSchedule => {
    const known = memo.of(jobId);
    if (!known.schedule) {
      const raw = row.get(jobId);
      known.schedule = raw ? read(raw) : none;
    }
    return known.schedule;
  };

  return {
    get,
    /** What is absent stays. */
    set: (jobId: number, change: Partial<JobSchedule>): void => {
      const schedule = { ...get(jobId), ...change };
      put.run(jobId, schedule.paused, schedule.startAfter, JSON.stringify(schedule.tags));
      memo.of(jobId).schedule = schedule;
    },
    /** Jobs that go on and of which nothing may start now, with why. */
    held: (): [jobId: number, schedule: JobSchedule][] => held.all().map(({ jobId, ...raw }) => [jobId, read(raw)]),
  };
};

export const isHeld = ({ paused, startAfter }: JobSchedule): boolean => paused !== null || startAfter !== null;
