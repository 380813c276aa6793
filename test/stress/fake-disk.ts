import type { IntentFile } from "../../shared/work/work.ts";

/** A shared disk in memory, with what publishing needs of one: hidden names, create-only, and who wrote which bytes. */
export type FakeDisk = ReturnType<typeof createFakeDisk>;

export const createFakeDisk = () => {
  const hidden = new Map<string, string>();
  const shown = new Map<string, string>();

  const stateOf = ({ temp, final, identity }: IntentFile): "ready" | "published" | "absent" => {
    if (hidden.get(temp) === identity) return "ready";
    return shown.get(final) === identity ? "published" : "absent";
  };

  return {
    stateOf,
    make: ({ temp, identity }: IntentFile): void => {
      hidden.set(temp, identity);
    },
    remove: ({ temp }: Pick<IntentFile, "temp">): void => {
      hidden.delete(temp);
    },
    removeShown: ({ final }: IntentFile): void => {
      shown.delete(final);
    },
    /** False where the name is taken by other bytes and may not be, or the hidden file is gone. */
    publish: (file: IntentFile): boolean => {
      const state = stateOf(file);
      if (state !== "ready") return state === "published";
      if (file.existing === "fail" && shown.has(file.final)) return false;
      shown.set(file.final, file.identity);
      hidden.delete(file.temp);
      return true;
    },
    shown: (): ReadonlyMap<string, string> => shown,
    hidden: (): ReadonlyMap<string, string> => hidden,
  };
};
