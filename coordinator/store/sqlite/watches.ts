import type { StoredWatchedFile, WatchCounts, WatchReads } from "../store.ts";
import type { Connections } from "./connections.ts";

const filesSql = "SELECT uri, mark, owner, job_id, at, problem, gone FROM watched_files WHERE watch = ?";
const pageSql = `${filesSql} AND uri <> '' ORDER BY at DESC, uri LIMIT ? OFFSET ?`;
const countsSql = `SELECT count(*) FILTER (WHERE job_id IS NULL AND problem IS NULL) AS existing, count(job_id) AS taken,
    count(problem) AS refused
  FROM watched_files WHERE watch = ? AND uri <> ''`;

/** Reads of watched folders, on the reader thread: there may be many thousand files. */
export const createWatchReads = ({ reader }: Connections): WatchReads => ({
  all: (watch) => reader.all(filesSql, [watch]),
  page: async (watch, skip, take) => {
    const questions = [
      { sql: pageSql, params: [watch, take, skip] },
      { sql: countsSql, params: [watch] },
    ];
    // Each statement gives rows of its own type.
    const [files, [counts]] = (await reader.snapshot(questions)) as [StoredWatchedFile[], [WatchCounts]];
    return { files, counts };
  },
});
