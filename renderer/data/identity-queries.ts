import { queryOptions } from "@tanstack/react-query";
import { request } from "./client.ts";

/** For whoever is not signed in: an owner may have changed it since. */
export const signInsQuery = queryOptions({
  queryKey: ["sign-ins"],
  staleTime: 0,
  queryFn: ({ signal }) => request("listSignIns", {}, { signal }),
});

/** Only for owners; without secrets. */
export const identityQuery = queryOptions({
  queryKey: ["identity"],
  staleTime: 0, // there are no events for it
  queryFn: ({ signal }) => request("getIdentity", {}, { signal }),
});

export const sessionsQuery = queryOptions({
  queryKey: ["sessions"],
  staleTime: 0, // there are no events for them
  queryFn: async ({ signal }) => (await request("listSessions", {}, { signal })).items,
});
