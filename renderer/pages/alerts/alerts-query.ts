import { queryOptions } from "@tanstack/react-query";
import { request } from "../../data/client.ts";

/** What was told changes by itself. */
export const alertsQuery = queryOptions({
  queryKey: ["alerts"],
  refetchInterval: 10_000,
  queryFn: ({ signal }) => request("getAlerts", {}, { signal }),
});
