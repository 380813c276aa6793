import type { UiHandlers } from "../http/ui.ts";
import type { JoinTokens } from "../join-tokens.ts";
import { sessionOf } from "./people.ts";

/** Owners' routes for the join token. */
export const joinTokenHandlers = (join: JoinTokens) =>
  ({
    showJoinToken: () => ({ join_token: join.current() }),
    renewJoinToken: async (_, { allowed }) => ({ join_token: await join.renew(sessionOf(allowed).name) }),
  }) satisfies Partial<UiHandlers>;
