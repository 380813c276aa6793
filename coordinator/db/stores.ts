import { createAccountStore } from "./accounts.ts";
import { createAttemptStore } from "./attempts.ts";
import { createComputeGroupStore } from "./compute-groups.ts";
import { createCredentialStore } from "./credentials.ts";
import { createDeedStore } from "./deeds.ts";
import { createElementRunStore } from "./element-runs.ts";
import { createFactStore } from "./facts.ts";
import { createJobListStore } from "./job-list.ts";
import { createJobOutputStore } from "./job-outputs.ts";
import { createJobPages } from "./job-pages.ts";
import { createJobScheduleStore } from "./job-schedules.ts";
import { createJobViewStore } from "./job-view.ts";
import { createJobStore } from "./jobs.ts";
import { createMountStore } from "./mounts.ts";
import { createNodeStore } from "./nodes.ts";
import type { Db } from "./open.ts";
import { createOpenTaskStore } from "./open-tasks.ts";
import { createPersonStore } from "./people.ts";
import { createPresetStore } from "./presets.ts";
import { createRecentAttemptStore } from "./recent-attempts.ts";
import { createReopenStore } from "./reopen.ts";
import { createSavedViewStore } from "./saved-views.ts";
import { createSubmissionStore } from "./submissions.ts";
import { createTaskStore } from "./tasks.ts";
import { createTokenStore } from "./tokens.ts";
import { createUnsealedStore } from "./unsealed.ts";

/** One store a table, and one for what pages read across tables. */
export const createStores = (db: Db) => ({
  accounts: createAccountStore(db),
  attempts: createAttemptStore(db),
  computeGroups: createComputeGroupStore(db),
  credentials: createCredentialStore(db),
  deeds: createDeedStore(db),
  elementRuns: createElementRunStore(db),
  facts: createFactStore(db),
  jobs: createJobStore(db),
  jobList: createJobListStore(db),
  jobOutputs: createJobOutputStore(db),
  jobPages: createJobPages(db),
  jobView: createJobViewStore(db),
  mounts: createMountStore(db),
  nodes: createNodeStore(db),
  openTasks: createOpenTaskStore(db),
  people: createPersonStore(db),
  presets: createPresetStore(db),
  recentAttempts: createRecentAttemptStore(db),
  reopen: createReopenStore(db),
  savedViews: createSavedViewStore(db),
  schedules: createJobScheduleStore(db),
  submissions: createSubmissionStore(db),
  tasks: createTaskStore(db),
  tokens: createTokenStore(db),
  unsealed: createUnsealedStore(db),
});

export type Stores = ReturnType<typeof createStores>;
