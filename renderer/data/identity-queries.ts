import { queryOptions } from "@tanstack/react-query";
import type { Unfinished } from "../../shared/people/second-steps.ts";
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

export const secondStepsQuery = queryOptions({
  queryKey: ["second-steps"],
  staleTime: 0, // there are no events for them
  queryFn: ({ signal }) => request("getSecondSteps", {}, { signal }),
});

export const linksQuery = queryOptions({
  queryKey: ["links"],
  staleTime: 0, // there are no events for them
  queryFn: ({ signal }) => request("listLinks", {}, { signal }),
});

/** A right password that lacks the second step: pages that took one leave it here for the page for signing in. */
export const unfinishedQuery = queryOptions<Unfinished | null>({
  queryKey: ["unfinished"],
  staleTime: Number.POSITIVE_INFINITY,
  queryFn: () => null,
});
