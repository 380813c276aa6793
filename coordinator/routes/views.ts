import type { TaskState } from "../../shared/state/task.ts";
import type { MediaLinks } from "../http/media.ts";
import type { PreviewLinks } from "../http/previews.ts";
import type { UiHandlers } from "../http/ui.ts";
import { historyOf } from "../work/audit.ts";
import { type Estimator, latestOf } from "../work/estimates.ts";
import type { Farm } from "../work/farm.ts";
import { farmViewOf, type Origin } from "../work/farm-view.ts";
import { findingsOf } from "../work/findings.ts";
import { listFolder } from "../work/folders.ts";
import { jobPage } from "../work/job-rows.ts";
import { jobView } from "../work/job-view.ts";
import { findNodeFiles, listNodeFolder, tryEntry } from "../work/node-files.ts";
import { nodeUses, nodeView, timelineOf } from "../work/node-view.ts";
import { createOverview } from "../work/overview.ts";
import { resolvedOf } from "../work/resolved.ts";
import { idOf, requireJob } from "./jobs.ts";

/** The views of the pages, each read in one request. */
export const viewHandlers = (
  farm: Farm,
  origin: Origin,
  links: MediaLinks,
  previews: PreviewLinks,
  estimator: Estimator,
) => {
  const estimates = estimator.all;
  const latest = latestOf(estimates);
  return {
    viewJob: async ({ job_id, skip, take, element, status }) =>
      jobView(
        farm,
        await requireJob(farm, job_id),
        { skip, take, element, states: status && statesOf(status) },
        estimates,
      ),
    viewResolved: async ({ job_id }) => ({ items: await resolvedOf(farm, (await requireJob(farm, job_id)).id) }),
    viewFindings: async ({ job_id }) => ({ items: await findingsOf(farm, await requireJob(farm, job_id)) }),
    viewJobs: (query) => jobPage(farm, query, estimates),
    listOwners: async () => ({ items: await farm.store.jobs.owners(mostOwners) }),
    countJobStates: async () => ({
      items: (await farm.store.jobs.states()).map(({ n, ...state }) => ({ ...state, count: n })),
    }),
    viewFarm: () => farmViewOf(farm, origin, latest()),
    viewOverview: createOverview(farm, estimates),
    viewNode: ({ node_id }) => nodeView(farm, idOf(node_id)),
    viewLoads: async () => ({ items: nodeUses(farm) }),
    viewTimeline: ({ hours, node_id }) => timelineOf(farm, hours, node_id === undefined ? undefined : idOf(node_id)),
    linkOutput: ({ task_id, position }) => links.link(idOf(task_id), idOf(position)),
    previewOutput: ({ task_id, position }) => previews.ofOutput(idOf(task_id), idOf(position)),
    previewSource: ({ job_id }) => previews.ofSource(idOf(job_id)),
    previewFile: ({ path, node_id }) => previews.ofFile(path, node_id === undefined ? undefined : idOf(node_id)),
    listFolder: ({ path, node_id }) =>
      node_id === undefined ? listFolder(farm, path) : listNodeFolder(farm, idOf(node_id), path),
    findFile: async ({ name, size }) => ({ items: await findNodeFiles(farm, { name, size }) }),
    tryCredential: async (asked) => ({ items: await tryEntry(farm, asked) }),
    listHistory: async ({ take }) => ({ items: await historyOf(farm, take) }),
  } satisfies Partial<UiHandlers>;
};

/** More than a menu can show. */
const mostOwners = 500;

const statesOf = (status: keyof typeof tasksBy): readonly TaskState[] => tasksBy[status];

const tasksBy = {
  queued: ["ready", "delayed"],
  running: ["running", "committing"],
  completed: ["completed"],
  failed: ["failed"],
} as const satisfies Record<string, readonly TaskState[]>;
