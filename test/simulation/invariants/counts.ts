import { dataDir } from "../world/places.ts";
import type { Invariant, Seen } from "./invariant.ts";

type Count = { readonly status: string; readonly substatus: string; readonly n: number };

const countsIn = ({ storeAt }: Seen, sql: string): string => {
  const database = storeAt.databases.get(`${dataDir}/farm.db`) as {
    prepare: (sql: string) => { all: () => readonly Count[] };
  }; // made by the store
  return JSON.stringify(database.prepare(sql).all());
};

const counted = "SELECT status, substatus, n FROM job_counts WHERE n <> 0 ORDER BY 1, 2";
const there =
  "SELECT status, coalesce(substatus, '') AS substatus, count(*) AS n FROM jobs GROUP BY 1, 2 ORDER BY 1, 2";

export const counts: readonly Invariant[] = [
  {
    name: "counted jobs",
    says: "After every batch, what the store counts of jobs by their states is what a count of them gives.",
    check: (seen) => {
      const differ = (): string[] => {
        const [said, found] = [countsIn(seen, counted), countsIn(seen, there)];
        return said === found ? [] : [`counted ${said}, there are ${found}`];
      };
      return { settled: differ, ended: differ };
    },
  },
];
