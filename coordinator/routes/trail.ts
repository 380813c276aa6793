import type { TrailLine } from "../../shared/people/trail.ts";
import type { UiHandlers } from "../http/ui.ts";
import { isoTime } from "../iso-time.ts";
import type { Kernel } from "../kernel/kernel.ts";
import type { TrailRow } from "../store/trail.ts";
import { checkTrail } from "../trail/check.ts";

/** The audit, for owners. What happened just now is written first. */
export const trailHandlers = ({ store, trail }: Pick<Kernel, "store" | "trail">) =>
  ({
    listTrail: async ({ after, take, ...search }) => {
      await trail.flush();
      const rows = after === undefined ? await store.trail.find(search, take) : await store.trail.after(after, take);
      return { items: rows.map(toLine) };
    },
    checkTrail: async () => {
      await trail.flush();
      return checkTrail(store);
    },
  }) satisfies Partial<UiHandlers>;

const toLine = ({ at, ...row }: TrailRow): TrailLine => ({ ...row, at: isoTime(at) });
