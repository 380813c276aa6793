import type { TaskState } from "../../shared/state/task.ts";
import type { Files } from "../files/files.ts";
import { listFolder } from "../files/folders.ts";
import { findNodeFiles, listNodeFolder, tryEntry } from "../files/node-files.ts";
import type { PreviewLinks } from "../http/files/previews.ts";
import type { UiHandlers } from "../http/ui.ts";
import { idOf } from "../jobs/job-ids.ts";
import { acknowledge } from "../views/acknowledgements.ts";
import { listAuditLines } from "../views/audit.ts";
import { cacheLatest, type Estimator } from "../views/estimates.ts";
import { buildFarmView, type Origin } from "../views/farm-view.ts";
import { listFindings } from "../views/findings.ts";
import { jobPage } from "../views/job-rows.ts";
import { jobView } from "../views/job-view.ts";
import { buildTimeline, createNodePaces, nodeUses, nodeView, withAbilities } from "../views/node-view.ts";
import { createOverview } from "../views/overview.ts";
import { resolveElements } from "../views/resolved-elements.ts";
import { requireJob } from "./jobs.ts";

/** The views of the pages, each read in one request. */
export const viewHandlers = (farm: Files, origin: Origin, previews: PreviewLinks, estimator: Estimator) => {
  const estimates = estimator.all;
  const latest = cacheLatest(estimates);
  const paces = createNodePaces(farm, estimator.samples);
  return {
    viewJob: async ({ job_id, skip, take, element, status }) =>
      jobView(
        farm,
        await requireJob(farm, job_id),
        { skip, take, element, states: status && statesOf(status) },
        estimates,
      ),
    viewResolved: async ({ job_id }) => ({ items: await resolveElements(farm, (await requireJob(farm, job_id)).id) }),
    viewFindings: async ({ job_id }) => ({ items: await listFindings(farm, await requireJob(farm, job_id)) }),
    viewJobs: (query) => jobPage(farm, query, estimates),
    listOwners: async () => ({ items: await farm.store.jobs.owners(mostOwners) }),
    countJobStates: async () => ({
      items: (await farm.store.jobs.states({ filters: [] })).map(({ n, ...state }) => ({ ...state, count: n })),
    }),
    viewFarm: () => buildFarmView(farm, origin, latest()),
    viewOverview: createOverview(farm, estimates),
    acknowledge: async (input, { allowed: { sender, who } }) => ({
      items: await acknowledge(farm.store, input, { who: sender.owner ?? who, now: farm.clock.now() }),
    }),
    viewNode: ({ node_id }) => nodeView(farm, idOf(node_id)),
    viewPaces: async ({ text }) => ({ items: withAbilities(farm, await paces(), text) }),
    viewLoads: async () => ({ items: nodeUses(farm) }),
    viewTimeline: ({ hours, node_id }) => buildTimeline(farm, hours, node_id === undefined ? undefined : idOf(node_id)),
    previewOutput: ({ task_id, position }, { allowed }) =>
      previews.ofOutput(idOf(task_id), idOf(position), allowed.who),
    previewSource: ({ job_id }, { allowed }) => previews.ofSource(idOf(job_id), allowed.who),
    previewFile: ({ path, node_id }, { allowed }) =>
      previews.ofFile(path, node_id === undefined ? undefined : idOf(node_id), allowed.who),
    listFolder: ({ path, node_id }) =>
      node_id === undefined ? listFolder(farm, path) : listNodeFolder(farm, idOf(node_id), path),
    findFile: async ({ name, size }) => ({ items: await findNodeFiles(farm, { name, size }) }),
    tryCredential: async (asked) => ({ items: await tryEntry(farm, asked) }),
    listHistory: async ({ take }) => ({ items: await listAuditLines(farm, take) }),
  } satisfies Partial<UiHandlers>;
};

/** More than a menu can show. */
const mostOwners = 500;

const statesOf = (status: keyof typeof tasksBy): readonly ShownState[] => tasksBy[status];

type ShownState = TaskState | "stopped";

const tasksBy = {
  queued: ["ready", "delayed"],
  running: ["running", "committing"],
  completed: ["completed"],
  failed: ["failed"],
  stopped: ["stopped"],
} as const satisfies Record<string, readonly ShownState[]>;
