import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import type { OutputOf } from "../../shared/api/api.ts";
import type { BackupsView } from "../../shared/api/backups.ts";
import { AppError } from "../../shared/basics/errors.ts";
import { type JobPage, jobsPerPage } from "./batch.ts";
import { request } from "./client.ts";
import { argumentsOf, type JobSelection } from "./job-states.ts";
import { withShortNames } from "./short-names.ts";

/** All queries of the pages with their cache keys. Events keep the results fresh. */
export const sessionQuery = queryOptions({
  queryKey: ["session"],
  staleTime: Number.POSITIVE_INFINITY,
  queryFn: async ({ signal }) => {
    try {
      return await request("getSession", {}, { signal });
    } catch (problem) {
      if (problem instanceof AppError && problem.code === "NOT_AUTHENTICATED") return null;
      throw problem;
    }
  },
});

export const farmQuery = queryOptions({
  queryKey: ["counts", "farm"],
  queryFn: ({ signal }) => request("viewFarm", {}, { signal }),
});

export const jobCountsQuery = queryOptions({
  queryKey: ["counts", "jobs"],
  queryFn: async ({ signal }) => (await request("countJobStates", {}, { signal })).items,
});

/** One page of a list of jobs. */
export const jobsQuery = (selection: JobSelection, page: number) =>
  queryOptions({
    queryKey: ["jobs", selection, page],
    queryFn: ({ signal }): Promise<JobPage> =>
      request("viewJobs", { ...argumentsOf(selection), skip: page * jobsPerPage, take: jobsPerPage }, { signal }),
  });

export const ownersQuery = queryOptions({
  queryKey: ["owners"],
  queryFn: async ({ signal }) => (await request("listOwners", {}, { signal })).items,
});

export const overviewQuery = queryOptions({
  queryKey: ["overview"],
  refetchInterval: 5000,
  queryFn: ({ signal }) => request("viewOverview", {}, { signal }),
});

export const nodeQuery = (id: string) =>
  queryOptions({
    queryKey: ["node", id],
    refetchInterval: 10_000,
    queryFn: ({ signal }) => request("viewNode", { node_id: id }, { signal }),
  });

/** Values from the nodes' heartbeats; requested only where they are shown. */
export const loadsQuery = queryOptions({
  queryKey: ["loads"],
  staleTime: 0,
  refetchInterval: 5000,
  queryFn: async ({ signal }) =>
    new Map((await request("viewLoads", {}, { signal })).items.map((use) => [use.node_id, use])),
});

/** What nodes are compared by; with a text also which of their programs it is part of. */
export const pacesQuery = (text = "") =>
  queryOptions({
    queryKey: ["paces", text],
    staleTime: 5000,
    refetchInterval: 10_000,
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) =>
      new Map((await request("viewPaces", { text }, { signal })).items.map((pace) => [pace.node_id, pace])),
  });

export const timelineQuery = (hours: number, nodeId?: string) =>
  queryOptions({
    queryKey: ["timeline", hours, nodeId],
    refetchInterval: 5000,
    queryFn: ({ signal }) =>
      request("viewTimeline", { hours, ...(nodeId === undefined ? {} : { node_id: nodeId }) }, { signal }),
  });

export const savedViewsQuery = queryOptions({
  queryKey: ["views"],
  queryFn: async ({ signal }) => (await request("listViews", {}, { signal })).items,
});

export const outputsQuery = (jobId: string) =>
  queryOptions({
    queryKey: ["job", jobId, "outputs"],
    queryFn: ({ signal }) => request("listOutputs", { job_id: jobId, take: 500 }, { signal }),
  });

/** There are no events for checks of folders, so it is polled. */
export const watchesQuery = (jobId: string) =>
  queryOptions({
    queryKey: ["job", jobId, "watches"],
    refetchInterval: 5000,
    queryFn: async ({ signal }) => (await request("listWatches", { job_id: jobId, take: 200 }, { signal })).items,
  });

/** The states of jobs that another page names, by id; a deleted job has none. */
export const jobStatesQuery = (ids: readonly string[]) =>
  queryOptions({
    queryKey: ["job", "states", ids.join()],
    enabled: ids.length > 0,
    refetchInterval: 5000,
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => {
      const fields = ["id", "status", "substatus"] as const;
      const { items } = await request("listJobs", { ids: [...ids], fields: [...fields], take: ids.length }, { signal });
      return new Map(items.map(({ id = "", status = "queued", substatus = null }) => [id, { status, substatus }]));
    },
  });

/** Each ended element may have added findings. */
export const findingsQuery = (jobId: string, ended: number) =>
  queryOptions({
    queryKey: ["job", jobId, "findings", ended],
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => (await request("viewFindings", { job_id: jobId }, { signal })).items,
  });

export const historyQuery = queryOptions({
  queryKey: ["history"],
  staleTime: 0,
  queryFn: async ({ signal }) => (await request("listHistory", {}, { signal })).items,
});

/** The maximum number of tasks on a job's page; the coordinator returns no more at once. */
export const tasksShown = 1000;

export const jobQuery = (id: string) =>
  queryOptions({
    queryKey: ["job", id, "view"],
    queryFn: ({ signal }) => request("viewJob", { job_id: id, take: tasksShown }, { signal }),
    select: withShortNames,
  });

export type TaskChoice = {
  readonly element: string | undefined;
  readonly status: "queued" | "running" | "completed" | "failed" | "stopped" | undefined;
  readonly page: number;
};

export const tasksPerPage = 200;

/** Tasks of a job with more than its page holds, one page at a time. */
export const jobTasksQuery = (id: string, { element, status, page }: TaskChoice) =>
  queryOptions({
    queryKey: ["job", id, "tasks", element, status, page],
    staleTime: 0,
    queryFn: async ({ signal }) => {
      const place = { skip: page * tasksPerPage, take: tasksPerPage };
      return (await request("viewJob", { job_id: id, element, status, ...place }, { signal })).tasks;
    },
  });

export const definitionQuery = (id: string) =>
  queryOptions({
    queryKey: ["job", id, "definition"],
    staleTime: 60_000,
    queryFn: ({ signal }) => request("getDefinition", { job_id: id }, { signal }),
  });

export const resolvedQuery = (id: string) =>
  queryOptions({
    queryKey: ["job", id, "resolved"],
    staleTime: 60_000,
    queryFn: async ({ signal }) => (await request("viewResolved", { job_id: id }, { signal })).items,
  });

export const logQuery = (taskId: string, isRunning: boolean) =>
  queryOptions({
    queryKey: ["log", taskId],
    queryFn: async ({ signal }) => (await request("getTaskLog", { task_id: taskId }, { signal })).items,
    refetchInterval: isRunning ? 1000 : false,
  });

export const explainQuery = (taskId: string) =>
  queryOptions({
    queryKey: ["explain", taskId],
    queryFn: ({ signal }) => request("explainTask", { task_id: taskId }, { signal }),
    refetchInterval: 3000,
  });

export const nodesQuery = queryOptions({
  queryKey: ["nodes"],
  queryFn: async ({ signal }) => (await request("listNodes", {}, { signal })).items,
});

export const folderQuery = (nodeId: string, path: string) =>
  queryOptions({
    queryKey: ["folder", nodeId, path],
    retry: false,
    queryFn: ({ signal }) => request("listFolder", { path, ...(nodeId === "" ? {} : { node_id: nodeId }) }, { signal }),
  });

export const findFileQuery = (name: string, size: number) =>
  queryOptions({
    queryKey: ["file", name, size],
    staleTime: 0,
    retry: false,
    queryFn: async ({ signal }) => (await request("findFile", { name, size }, { signal })).items,
  });

export const peopleQuery = queryOptions({
  queryKey: ["people"],
  queryFn: async ({ signal }) => (await request("listPeople", {}, { signal })).items,
});

export const accountQuery = queryOptions({
  queryKey: ["account"],
  queryFn: ({ signal }) => request("getAccount", {}, { signal }),
});

/** Only for owners; without secrets. */
export const credentialsQuery = queryOptions({
  queryKey: ["credentials"],
  staleTime: 0, // there are no events for them
  queryFn: async ({ signal }) => (await request("listCredentials", {}, { signal })).items,
});

export const mountsQuery = queryOptions({
  queryKey: ["mounts"],
  staleTime: 0, // there are no events for them
  queryFn: async ({ signal }) => (await request("listMounts", {}, { signal })).items,
});

export const computeGroupsQuery = queryOptions({
  queryKey: ["groups"],
  staleTime: 0, // there are no events for them
  queryFn: async ({ signal }) => (await request("listComputeGroups", {}, { signal })).items,
});

export const retentionQuery = queryOptions({
  queryKey: ["retention"],
  staleTime: 0, // no event tells of it
  queryFn: ({ signal }) => request("getRetention", {}, { signal }),
});

/** Polled while one is being made: no event tells of it. */
export const backupsQuery = queryOptions({
  queryKey: ["backups"],
  staleTime: 0,
  refetchInterval: ({ state }: { readonly state: { readonly data?: BackupsView | undefined } }) =>
    state.data?.is_running ? 1000 : false,
  queryFn: ({ signal }) => request("getBackups", {}, { signal }),
});

export const outboundQuery = queryOptions({
  queryKey: ["outbound"],
  staleTime: 0, // there are no events for them
  queryFn: async ({ signal }) => (await request("listOutbound", {}, { signal })).items,
});

/** Includes the number of running tasks, which changes all the time. */
export const limitsQuery = queryOptions({
  queryKey: ["limits"],
  staleTime: 0,
  refetchInterval: 3000,
  queryFn: async ({ signal }) => (await request("listLimits", {}, { signal })).items,
});

/** A secret: removed from the cache as soon as nobody looks at it. */
export const joinTokenQuery = queryOptions({
  queryKey: ["join-token"],
  staleTime: 0,
  gcTime: 0,
  queryFn: async ({ signal }) => (await request("showJoinToken", {}, { signal })).join_token,
});

export const apiUsersQuery = queryOptions({
  queryKey: ["api-users"],
  queryFn: async ({ signal }) => (await request("listApiUsers", {}, { signal })).items,
});

export const presetsQuery = queryOptions({
  queryKey: ["presets"],
  queryFn: async ({ signal }) => (await request("listPresets", {}, { signal })).items,
});
export type PresetHead = OutputOf<"listPresets">["items"][number];

export const presetQuery = (key: string) =>
  queryOptions({ queryKey: ["preset", key], queryFn: ({ signal }) => request("getPreset", { key }, { signal }) });

/** It changes only with the coordinator's version. */
export const apiDocumentQuery = queryOptions({
  queryKey: ["openapi"],
  staleTime: Number.POSITIVE_INFINITY,
  queryFn: ({ signal }) => request("getOpenApi", {}, { signal }),
});
