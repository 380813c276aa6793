import type { FactsRow, ListingRow, TaskRow, WatchedFileRow } from "../../store/rows.ts";
import { idIn } from "../cache-miss.ts";
import { estimateBytes } from "../weight.ts";
import type { ChangeContext } from "./change-context.ts";

/** Changes of what is known of files: their facts, the lists that tasks made of them, and watched ones. */
export const fileChanges = ({ values, putIn, putRow, weigh, expect }: ChangeContext) => {
  const facts = (uri: string): FactsRow | undefined => {
    expect({ facts: [uri] });
    return values.facts.get(uri);
  };
  const putFacts = (uri: string, before: FactsRow | undefined, after: FactsRow | undefined): void =>
    putIn(values.facts, uri, { table: "facts", key: [uri], before, after });

  return {
    facts,
    setFacts: (uri: string, after: FactsRow): void => putFacts(uri, facts(uri), after),
    dropFacts: (uri: string): void => {
      const before = facts(uri);
      if (before) putFacts(uri, before, undefined);
    },
    /** One page of a task's list. */
    listing: (task: number, page: number): ListingRow | undefined => {
      expect({ listings: [{ task, page }] });
      return values.listings.get(idIn.listings({ task, page }));
    },
    /** A page of the files that the task found in folders. */
    insertListing: ({ id, job_id }: TaskRow, page: number, after: ListingRow): void => {
      weigh(estimateBytes(after));
      const change = { table: "listings", key: [id, page], before: undefined, after, job: job_id } as const;
      putIn(values.listings, idIn.listings({ task: id, page }), change);
    },
    /** A file of a watched folder; undefined forgets it. */
    setWatchedFile: (
      watch: string,
      map: Map<string, WatchedFileRow>,
      uri: string,
      after: WatchedFileRow | undefined,
    ): void => {
      const before = map.get(uri);
      const job = (after ?? before)?.owner ?? undefined;
      putRow(map, uri, { table: "watchedFiles", key: [watch, uri], before, after, job });
    },
  };
};
