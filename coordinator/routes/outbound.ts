import type { Handlers } from "../http/server.ts";
import type { Farm } from "../work/farm.ts";
import { changeOutbound, outboundOf } from "../work/outbound.ts";

export const outboundHandlers = (farm: Farm) =>
  ({
    listOutbound: async () => ({ items: await outboundOf(farm) }),
    changeOutbound: async (change) => ({ items: await changeOutbound(farm, change) }),
  }) satisfies Partial<Handlers>;
