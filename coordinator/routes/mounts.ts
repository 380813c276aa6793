import { AppError } from "../../shared/errors.ts";
import { changedMounts, normalPrefix } from "../../shared/mounts.ts";
import { type FarmMount, farmMounts } from "../../shared/protocol.ts";
import { firstRepeated } from "../../shared/repeated.ts";
import type { Handlers } from "../http/server.ts";
import type { Farm } from "../work/farm.ts";

export const mountHandlers = (farm: Farm) =>
  ({
    listMounts: async () => ({ items: await farm.store.mounts.all() }),
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

const replace = async (farm: Farm, decide: (mounts: FarmMount[]) => FarmMount[]): Promise<{ items: FarmMount[] }> => {
  const now = await farm.store.mounts.change(decide);
  farm.registry.mount(now);
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
