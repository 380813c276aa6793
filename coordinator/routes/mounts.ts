import { AppError } from "../../shared/basics/errors.ts";
import { firstRepeated } from "../../shared/basics/first-repeated.ts";
import { changedMounts, type FarmMount, farmMounts, normalPrefix } from "../../shared/files/mounts.ts";
import type { Handlers } from "../http/server.ts";
import { changeMounts, readMounts } from "../nodes/mounts.ts";
import type { Nodes } from "../nodes/nodes.ts";
import { liesIn } from "../nodes/own-folder.ts";

type Parts = Pick<Nodes, "log" | "epoch" | "store" | "registry" | "refreshRecords" | "config">;

export const mountHandlers = (farm: Parts) =>
  ({
    listMounts: async () => ({ items: await readMounts(farm) }),
    setMounts: async ({ items }) => {
      const mounts = normal(items);
      refuseTwins(mounts);
      refuseOwn(farm, mounts);
      return replace(farm, () => mounts);
    },
    changeMounts: async ({ set, remove }) => {
      const change = { set: normal(set), remove: remove.map(normalPrefix) };
      refuseOwn(farm, change.set);
      return replace(farm, (mounts) => {
        refuseUnknown(mounts, change.remove);
        const all = changedMounts(mounts, change);
        const { error } = farmMounts.safeParse(all);
        if (error) throw new AppError("VALIDATION_FAILED", `The farm cannot have ${all.length} mounts: 1000 at most`);
        return all;
      });
    },
  }) satisfies Partial<Handlers>;

const replace = async (farm: Parts, decide: (mounts: FarmMount[]) => FarmMount[]): Promise<{ items: FarmMount[] }> => {
  const now = await changeMounts(farm, decide);
  await farm.refreshRecords();
  farm.registry.tellAll({ type: "mounts", epoch: farm.epoch, mounts: now });
  farm.log.info({ mounts: now }, "the farm's mounts were changed");
  return { items: now };
};

const normal = (mounts: readonly FarmMount[]): FarmMount[] =>
  mounts.map(({ prefix, folders }) => ({ prefix: normalPrefix(prefix), folders }));

const refuseTwins = (mounts: readonly FarmMount[]): void => {
  const twice = firstRepeated(mounts, ({ prefix }) => prefix);
  if (!twice) return;
  const message = `${twice.prefix} is mounted twice; one mount holds the folders of both kinds of nodes`;
  const path = `items[${mounts.indexOf(twice)}].prefix`;
  throw new AppError("VALIDATION_FAILED", message, { details: [{ path, message }] });
};

/**
 * A mount of this coordinator's data folder is refused here, by its name and where links lead to. On every node the guard of
 * its roots refuses any coordinator's data folder once more.
 */
const refuseOwn = ({ config: { dataDir } }: Pick<Parts, "config">, mounts: readonly FarmMount[]): void => {
  for (const [at, { prefix, folders }] of mounts.entries()) {
    const folder = [folders.posix, folders.win32].find((each) => each !== undefined && liesIn(each, dataDir));
    if (folder === undefined) continue;
    const message = `${folder} is in the coordinator's own data folder, with its keys: ${prefix} may not be mounted there`;
    throw new AppError("VALIDATION_FAILED", message, { details: [{ path: `items[${at}].folders`, message }] });
  }
};

const refuseUnknown = (mounts: readonly FarmMount[], prefixes: readonly string[]): void => {
  const unknown = prefixes.find((prefix) => !mounts.some((mount) => mount.prefix === prefix));
  if (unknown !== undefined) throw new AppError("NOT_FOUND", `There is no mount of ${unknown} for the whole farm`);
};
