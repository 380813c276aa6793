import type { FastifyServerOptions } from "fastify";
import type { Clock } from "../../shared/basics/clock.ts";

/** The caller's own name for a request if it is short and plain; else one that no other request of this farm has. */
export const createRequestIds = ({ now }: Pick<Clock, "now">): NonNullable<FastifyServerOptions["genReqId"]> => {
  const begun = now().toString(36);
  let last = 0;
  return ({ headers }) => {
    const given = headers["x-request-id"];
    last += 1;
    return typeof given === "string" && /^[\w.:-]{1,100}$/.test(given) ? given : `${begun}-${last}`;
  };
};
