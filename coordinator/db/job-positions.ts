import type { JobStatus } from "../../shared/state/job.ts";
import { createJobMarks, type JobMarks, type Page, type Stretch } from "./job-marks.ts";
import type { SortField } from "./job-order.ts";
import type { JobRow } from "./jobs.ts";
import type { FoundMarks } from "./mark-scan.ts";
import type { Db } from "./open.ts";

/** A job before and after a change; undefined before it was made and after it was deleted. */
type Change = { readonly n: number; readonly before: JobRow | undefined; readonly after: JobRow | undefined };

export type JobPositions = ReturnType<typeof createJobPositions>;

/**
 * The marks of the fields that somebody pages deep through. They are looked for when they are first wanted, and kept true
 * by every change of a job from then on.
 */
export const createJobPositions = ({ writer, reader, afterCommit }: Db) => {
  const known = new Map<SortField, JobMarks>();
  /** Walks on their way, and the changes since they began, which they may not have seen. */
  const walks = new Map<SortField, { readonly missed: Change[]; readonly over: Promise<void> }>();
  const changes = writer.prepare<[], { n: number }>("SELECT n FROM job_changes");

  const take = (field: SortField, found: FoundMarks): void => {
    const marks = createJobMarks(found.marks, found.last);
    for (const change of walks.get(field)?.missed ?? []) if (change.n > found.changes) apply(marks, field, change);
    known.set(field, marks);
  };

  const look = (field: SortField): Promise<void> => {
    const walk = walks.get(field);
    if (walk) return walk.over;
    const over = reader
      .marksOf(field)
      .then((found) => take(field, found))
      .catch(() => {}) // without marks pages are found too, if later; the next page tries again
      .finally(() => walks.delete(field));
    walks.set(field, { missed: [], over });
    return over;
  };

  return {
    /** Runs what changes a job within a commit, and notes what it did to the lists. */
    watch: <T>(row: (made?: T) => JobRow | undefined, change: () => T): T => {
      if (known.size + walks.size === 0) return change();
      const before = row();
      const result = change();
      const noted = { n: changes.get()?.n ?? 0, before, after: row(result) };
      afterCommit(() => {
        for (const [field, marks] of known) apply(marks, field, noted);
        for (const { missed } of walks.values()) missed.push(noted);
      });
      return result;
    },
    /** Where to read the page; undefined while the field has no marks, which are then looked for. */
    stretches: (field: SortField, page: Page): Stretch[] | undefined => {
      const marks = known.get(field);
      if (!marks || marks.isWorn()) void look(field);
      return marks?.stretches(page);
    },
    /** The same, once the field has marks; undefined where they cannot be found. */
    soon: async (field: SortField, page: Page): Promise<Stretch[] | undefined> => {
      if (!known.has(field)) await look(field);
      return known.get(field)?.stretches(page);
    },
  };
};

const apply = (marks: JobMarks, field: SortField, { before, after }: Change): void => {
  if (before && after && before.status === after.status && before[field] === after[field]) return;
  if (before) marks.remove({ value: before[field], id: before.id }, before.status satisfies JobStatus);
  if (after) marks.add({ value: after[field], id: after.id }, after.status);
};
