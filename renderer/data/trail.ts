import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { request } from "./client.ts";

/** Lines of the audit, the newest first. */
export const trailQuery = (asked: {
  readonly text: string;
  readonly isRefused: boolean;
  readonly before?: number | undefined;
}) =>
  queryOptions({
    queryKey: ["trail", asked],
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => {
      const { text, isRefused, before } = asked;
      const search = {
        ...(text !== "" && { text }),
        ...(isRefused && { outcome: "refused" as const }),
        ...(before !== undefined && { before }),
      };
      return (await request("listTrail", search, { signal })).items;
    },
  });

export const trailCheckQuery = queryOptions({
  queryKey: ["trail", "check"],
  staleTime: 0,
  queryFn: ({ signal }) => request("checkTrail", {}, { signal }),
});
