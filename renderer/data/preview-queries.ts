import { queryOptions } from "@tanstack/react-query";
import type { JobOutput } from "../../shared/api/job-outputs.ts";
import type { PreviewLink } from "../../shared/api/ui/ui-api.ts";
import { request, uiUrl } from "./client.ts";

const halfAnHour = 1_800_000;
const asPlayed = ({ path, ...link }: PreviewLink) => {
  const url = uiUrl(path);
  return { ...link, url, stillAt: (step: number) => url.replace(/[^/]*$/, `${step}.jpg`) };
};

export type ShownPreview = ReturnType<typeof asPlayed>;

const previewQuery = (what: readonly (string | number)[], ask: (signal: AbortSignal) => Promise<PreviewLink>) =>
  queryOptions({
    queryKey: ["preview", ...what],
    staleTime: halfAnHour,
    retry: false,
    queryFn: async ({ signal }) => asPlayed(await ask(signal)),
  });

/** A signed address of an output, for an hour. */
export const outputLinkQuery = ({ task_id, position }: Pick<JobOutput, "task_id" | "position">) =>
  queryOptions({
    queryKey: ["media", task_id, position],
    staleTime: halfAnHour,
    retry: false,
    queryFn: ({ signal }) => request("linkOutput", { task_id, position: String(position) }, { signal }),
  });

/** The preview of a job's output. */
export const outputPreviewQuery = ({ task_id, position }: Pick<JobOutput, "task_id" | "position">) =>
  previewQuery([task_id, position], (signal) =>
    request("previewOutput", { task_id, position: String(position) }, { signal }),
  );

/** The preview of a job's source. */
export const sourcePreviewQuery = (jobId: string) =>
  previewQuery(["source", jobId], (signal) => request("previewSource", { job_id: jobId }, { signal }));

/** The preview of a file as a node sees it; without a node, as any of them does. */
export const filePreviewQuery = (path: string, nodeId: string) =>
  previewQuery([nodeId, path], (signal) =>
    request("previewFile", { path, ...(nodeId !== "" && { node_id: nodeId }) }, { signal }),
  );
