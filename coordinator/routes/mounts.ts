import { AppError } from "../../shared/errors.ts";
import { normalPrefix } from "../../shared/mounts.ts";
import type { FarmMount } from "../../shared/protocol.ts";
import type { Handlers } from "../http/server.ts";
import type { Farm } from "../work/farm.ts";

export const mountHandlers = (farm: Farm): Pick<Handlers, "listMounts" | "setMounts"> => ({
  listMounts: () => ({ items: farm.stores.mounts.readAll() }),
  setMounts: async ({ items }) => {
    const mounts = items.map(({ prefix, folders }) => ({ prefix: normalPrefix(prefix), folders }));
    refuseTwins(mounts);
    await farm.change(() => farm.stores.mounts.replaceAll(mounts));
    const now = farm.stores.mounts.readAll();
    farm.registry.tellAll({ type: "mounts", epoch: farm.epoch, mounts: now });
    farm.log.info({ mounts: now }, "the farm's mounts were changed");
    return { items: now };
  },
});

const refuseTwins = (mounts: readonly FarmMount[]): void => {
  const at = mounts.findIndex(({ prefix }, index) => mounts.findIndex((each) => each.prefix === prefix) !== index);
  if (at < 0) return;
  const message = `${mounts[at]?.prefix} is mounted twice; one mount holds the folders of both kinds of nodes`;
  throw new AppError("VALIDATION_FAILED", message, { details: [{ path: `items[${at}].prefix`, message }] });
};
