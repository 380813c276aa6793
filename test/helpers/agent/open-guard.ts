import { createGuard } from "../../../agent/outbound/guard.ts";
import { parseRule } from "../../../shared/outbound/rules.ts";

/** Lets tests reach the servers that they start on this machine, as an operator does with `--allow-outbound`. */
export const allowsLoopback = ["public", "127.0.0.0/8", "::1"] as const;

export const loopbackGuard = createGuard(() => allowsLoopback.flatMap((rule) => parseRule(rule) ?? []));
