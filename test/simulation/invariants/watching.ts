import type { Invariant } from "./invariant.ts";
import { storeOf } from "./requests.ts";

/** A file that a watched folder took is named at the end of its job's name. */
const fileOf = (name: string): string => name.slice(name.lastIndexOf(": ") + 2);
const nameOf = (path: string): string => path.slice(path.lastIndexOf("/") + 1);

export const watching: readonly Invariant[] = [
  {
    name: "each file once",
    says: "Every file that comes into a watched folder begins one job; where a machine saw an old state of its share for a while, it may begin another one.",
    check: (seen) => ({
      ended: () => {
        const children = Map.groupBy(storeOf(seen).jobs, ({ parent_id }) => parent_id);
        return seen.sent().flatMap(({ id, plan }) => {
          if (id === undefined || !plan.dropped) return [];
          const begun = (children.get(id) ?? []).map(({ name }) => fileOf(name));
          return [...plan.dropped.keys()].map(nameOf).flatMap((name) => {
            const count = begun.filter((each) => each === name).length;
            const isWrong = count === 0 || (count > 1 && !seen.isViewLate());
            return isWrong ? [`job ${id}: ${count} jobs came of ${name}`] : [];
          });
        });
      },
    }),
  },
  {
    name: "missing is not failing",
    says: "A folder or a file that goes while it is looked at counts as missing, not as a failure of its storage.",
    check: () => ({
      said: (node, message) => {
        if (message.type !== "polled" || message.response.what !== "failure") return [];
        const { message: words } = message.response.failure;
        return /ENOENT/.test(words) ? [`${node} looked for files: ${words}`] : [];
      },
    }),
  },
];
