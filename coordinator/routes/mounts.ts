import { AppError } from "../../shared/basics/errors.ts";
import { firstRepeated } from "../../shared/basics/first-repeated.ts";
import { changedMounts, type FarmMount, farmMounts, normalPrefix } from "../../shared/files/mounts.ts";
import type { Handlers } from "../http/server.ts";
import { changeMounts, readMounts } from "../nodes/mounts.ts";
import type { Nodes } from "../nodes/nodes.ts";

type Parts = Pick<Nodes, "log" | "epoch" | "store" | "registry" | "refreshRecords">;

export const mountHandlers = (farm: Parts) =>
  ({
    listMounts: async () => ({ items: await readMounts(farm) }),
    setMounts: async ({ items }) => {
      const mounts = normal(items);
      refuseTwins(mounts);
      return replace(farm, () => mounts);
    },
    changeMounts: async ({ set, remove }) => {
      const change = { set: normal(set), remove: remove.map(normalPrefix) };
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

const refuseUnknown = (mounts: readonly FarmMount[], prefixes: readonly string[]): void => {
  const unknown = prefixes.find((prefix) => !mounts.some((mount) => mount.prefix === prefix));
  if (unknown !== undefined) throw new AppError("NOT_FOUND", `There is no mount of ${unknown} for the whole farm`);
};
