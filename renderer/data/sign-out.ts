import type { QueryClient } from "@tanstack/react-query";
import { sessionQuery } from "./queries.ts";

/**
 * Nobody is signed in any more: the sign-in page replaces every page, and cached data is removed. The session query
 * stays, because the page that chooses between the two observes it.
 */
export const forgetPerson = (queries: QueryClient): void => {
  queries.setQueryData(sessionQuery.queryKey, null);
  queries.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== sessionQuery.queryKey[0] });
};
