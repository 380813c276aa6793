import type { StoredWatchedFile, WatchCounts, WatchReads } from "../store.ts";
import type { Database } from "./connection/database.ts";

const filesSql = "SELECT uri, mark, owner, job_id, at, problem, gone FROM watched_files WHERE watch = $1";
const pageSql = `${filesSql} AND uri <> '' ORDER BY at DESC, uri LIMIT $2 OFFSET $3`;
const countsSql = `SELECT count(*) FILTER (WHERE job_id IS NULL AND problem IS NULL) AS existing,
    count(job_id) AS taken, count(problem) AS refused
  FROM watched_files WHERE watch = $1 AND uri <> ''`;

export const createWatchReads = (reads: Database): WatchReads => ({
  all: (watch) => reads.ask<StoredWatchedFile>(filesSql, watch),
  page: (watch, skip, take) =>
    reads.transaction("read", async (ask) => {
      const [files, counts] = await Promise.all([
        ask<StoredWatchedFile>(pageSql, watch, take, skip),
        ask<WatchCounts>(countsSql, watch),
      ]);
      return { files, counts: counts[0] as WatchCounts }; // a count always gives a row
    }),
});
