import type { QueryClient } from "@tanstack/react-query";
import { sessionQuery } from "./queries.ts";

/**
 * Nobody is signed in any more: the sign-in takes the place of every page, and what was read is forgotten. The session's
 * own question stays, since the page that chooses between the two listens to it.
 */
export const forgetPerson = (queries: QueryClient): void => {
  queries.setQueryData(sessionQuery.queryKey, null);
  queries.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== sessionQuery.queryKey[0] });
};
