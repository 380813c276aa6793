import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import type { OutputOf } from "../../shared/api.ts";
import { AppError } from "../../shared/errors.ts";
import { jobsPerPage } from "./batch.ts";
import { request } from "./client.ts";
import { argumentsOf, type JobSelection } from "./job-states.ts";
import { withShortNames } from "./short-names.ts";

/** Every question that pages ask, with the key that its answer is kept under. Events keep the answers fresh. */
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

export const jobsQuery = (selection: JobSelection) =>
  infiniteQueryOptions({
    queryKey: ["jobs", selection.group, selection],
    queryFn: async ({ pageParam, signal }) =>
      (await request("viewJobs", { ...argumentsOf(selection), skip: pageParam, take: jobsPerPage }, { signal })).items,
    initialPageParam: 0,
    getNextPageParam: (last, pages) =>
      last.length < jobsPerPage ? undefined : pages.reduce((sum, page) => sum + page.length, 0),
  });

/** Most tasks that a job's page holds; the coordinator gives no more at once. */
export const tasksShown = 1000;

export const jobQuery = (id: string) =>
  queryOptions({
    queryKey: ["job", id, "view"],
    queryFn: ({ signal }) => request("viewJob", { job_id: id, take: tasksShown }, { signal }),
    select: withShortNames,
  });

export const definitionQuery = (id: string) =>
  queryOptions({
    queryKey: ["job", id, "definition"],
    staleTime: 60_000,
    queryFn: ({ signal }) => request("getDefinition", { job_id: id }, { signal }),
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

export const peopleQuery = queryOptions({
  queryKey: ["people"],
  queryFn: async ({ signal }) => (await request("listPeople", {}, { signal })).items,
});

export const accountQuery = queryOptions({
  queryKey: ["account"],
  queryFn: ({ signal }) => request("getAccount", {}, { signal }),
});

export const mountsQuery = queryOptions({
  queryKey: ["mounts"],
  staleTime: 0, // no event tells of them
  queryFn: async ({ signal }) => (await request("listMounts", {}, { signal })).items,
});

export const computeGroupsQuery = queryOptions({
  queryKey: ["groups"],
  staleTime: 0, // no event tells of them
  queryFn: async ({ signal }) => (await request("listComputeGroups", {}, { signal })).items,
});

/** With how many tasks run under each, which changes all the time. */
export const limitsQuery = queryOptions({
  queryKey: ["limits"],
  staleTime: 0,
  refetchInterval: 3000,
  queryFn: async ({ signal }) => (await request("listLimits", {}, { signal })).items,
});

/** A secret: forgotten as soon as nobody looks at it. */
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

/** It changes with the coordinator's version only. */
export const apiDocumentQuery = queryOptions({
  queryKey: ["openapi"],
  staleTime: Number.POSITIVE_INFINITY,
  queryFn: ({ signal }) => request("getOpenApi", {}, { signal }),
});
