import { queryOptions } from "@tanstack/react-query";
import { request } from "./client.ts";

/** Looked at again and again: no event tells what a collector says. */
export const tracesQuery = queryOptions({
  queryKey: ["traces"],
  staleTime: 0,
  refetchInterval: 10_000,
  queryFn: ({ signal }) => request("getTraces", {}, { signal }),
});
