import { readStore } from "../../helpers/farm/store-audit.ts";
import type { Sent } from "../world/people.ts";
import { dataDir } from "../world/places.ts";
import type { Invariant, Seen } from "./invariant.ts";

/** Reads the store where it lies. */
export const atStore = <T>({ storeAt }: Pick<Seen, "storeAt">, read: () => T): T => {
  const life = storeAt.life();
  if (!life) throw new Error("the coordinator is not up, so nobody can read its store");
  return life.run(() => storeAt.calmly(read));
};

export const storeOf = (seen: Pick<Seen, "storeAt">) => atStore(seen, () => readStore(`${dataDir}/farm.db`));

const wrongWith = ({ id, key, asked, done }: Sent, job: { readonly status: string } | undefined): string[] => {
  if (id === undefined) return [`${key} was never answered`];
  if (done.has("delete")) return job ? [`job ${id} was deleted and is there`] : [];
  if (!job) return asked.has("delete") ? [] : [`job ${id} (${key}) is lost`];
  const isOpen = job.status !== "failed" && job.status !== "completed";
  return done.has("stop") && !asked.has("retry") && !asked.has("go on") && isOpen
    ? [`job ${id} was stopped and is ${job.status}`]
    : [];
};

export const requests: readonly Invariant[] = [
  {
    name: "acknowledged",
    says: "A submission, stop or deletion that was acknowledged is never lost.",
    check: (seen) => ({
      ended: () => {
        const jobs = new Map(storeOf(seen).jobs.map((job) => [job.id, job]));
        return seen.sent().flatMap((each) => wrongWith(each, each.id === undefined ? undefined : jobs.get(each.id)));
      },
    }),
  },
  {
    name: "one job a name",
    says: "A submission that is repeated under its name makes one job.",
    check: (seen) => ({
      ended: () => {
        const jobs = storeOf(seen).jobs.filter(({ parent_id }) => parent_id === null);
        const most = seen.sent().length;
        const ids = seen.sent().flatMap(({ id }) => id ?? []);
        const twice = ids.filter((id, at) => ids.indexOf(id) !== at);
        return [
          ...(jobs.length > most ? [`${jobs.length} jobs came of ${most} submissions`] : []),
          ...twice.map((id) => `two submissions are job ${id}`),
        ];
      },
    }),
  },
];
