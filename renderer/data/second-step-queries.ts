import { queryOptions } from "@tanstack/react-query";
import type { Unfinished } from "../../shared/people/second-steps.ts";
import { request } from "./client.ts";

export const secondStepsQuery = queryOptions({
  queryKey: ["second-steps"],
  staleTime: 0, // there are no events for them
  queryFn: ({ signal }) => request("getSecondSteps", {}, { signal }),
});

/** A right password that lacks the second step: pages that took one leave it here for the page for signing in. */
export const unfinishedQuery = queryOptions<Unfinished | null>({
  queryKey: ["unfinished"],
  staleTime: Number.POSITIVE_INFINITY,
  queryFn: () => null,
});
