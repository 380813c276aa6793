import type { WatchCounts, WatchReads } from "../store.ts";
import type { Connections } from "./connections.ts";

const filesSql = "SELECT uri, mark, owner, job_id, at, problem, gone FROM watched_files WHERE watch = ?";

/** Reads of watched folders, on the reader thread: there may be many thousand files. */
export const createWatchReads = ({ reader }: Connections): WatchReads => ({
  all: (watch) => reader.all(filesSql, [watch]),
  counts: async (watch) => {
    const [row] = await reader.all<WatchCounts>(
      `SELECT count(*) FILTER (WHERE job_id IS NULL AND problem IS NULL) AS existing, count(job_id) AS taken,
         count(problem) AS refused
       FROM watched_files WHERE watch = ? AND uri <> ''`,
      [watch],
    );
    return row ?? { existing: 0, taken: 0, refused: 0 };
  },
  files: (watch, skip, take) =>
    reader.all(`${filesSql} AND uri <> '' ORDER BY at DESC, uri LIMIT ? OFFSET ?`, [watch, take, skip]),
});
