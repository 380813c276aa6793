import { type FarmMount, farmMounts } from "../../shared/files/mounts.ts";
import type { Kernel } from "../kernel/kernel.ts";

const key = "all";

/** The folders that every node of the farm mounts, in the order of their prefixes. */
export const readMounts = async ({ store }: Pick<Kernel, "store">): Promise<FarmMount[]> =>
  parseMounts(await store.records.get("mounts", key));

/** The change is a function of the present mounts, so two people's changes at the same time both take effect. */
export const changeMounts = async (
  { store }: Pick<Kernel, "store">,
  decide: (mounts: FarmMount[]) => FarmMount[],
): Promise<FarmMount[]> => {
  const { after } = await store.records.change("mounts", key, (text) =>
    JSON.stringify(decide(parseMounts(text)).sort((a, b) => (a.prefix < b.prefix ? -1 : 1))),
  );
  return parseMounts(after);
};

export const parseMounts = (text: string | undefined): FarmMount[] =>
  text === undefined ? [] : farmMounts.parse(JSON.parse(text));
