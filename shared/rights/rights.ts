import type { RouteName } from "../api/api.ts";
import type { FarmEvent } from "../api/events.ts";
import type { UiRouteName } from "../api/ui/ui-api.ts";
import type { Role } from "../people/person.ts";
import type { Scope } from "../people/scopes.ts";
import type { AgentMessage } from "../protocol/messages.ts";

/** What an action is done to. Jobs, their tasks and presets have owners; everything else is the farm's. */
export type RightObject =
  | ("job" | "task" | "jobs" | "preset" | "presets")
  | ("node" | "settings" | "mounts" | "vault" | "account" | "people" | "files" | "session" | "interface")
  | "webhooks";
export type Action = "read" | "create" | "change" | "delete";

/**
 * Who may do something: actor x object x action. Objects `job` and `task` are named by the path and are checked before
 * the handler is called; handlers of `jobs`, `preset` and `presets` select what the caller reaches.
 */
export type Right = {
  readonly object: RightObject;
  readonly action: Action;
  /** What a program needs; any: a token · pair: the farm's pair · nobody: no program may · stranger: nothing. */
  readonly program: Scope | "any" | "pair" | "nobody" | "stranger";
  /**
   * What a person needs, at least; nobody: not for people · stranger: nothing · entering: a session, or a right password
   * where the farm wants a second step that they have not set up.
   */
  readonly person: Role | "nobody" | "stranger" | "entering";
};

type Row = readonly [Right["object"], Action, Right["program"], Right["person"]];

const table = <N extends string>(rows: { readonly [K in N]: Row }): { readonly [K in N]: Right } =>
  Object.fromEntries(
    Object.entries<Row>(rows).map(([name, [object, action, program, person]]) => [
      name,
      { object, action, program, person },
    ]),
  ) as { readonly [K in N]: Right }; // fromEntries forgets the names

/** Routes that programs and people share. */
export const apiRights = table<RouteName>({
  login: ["session", "create", "pair", "nobody"],
  createJob: ["jobs", "create", "jobs:write", "operator"],
  changeJobs: ["jobs", "change", "jobs:write", "operator"],
  undoJobs: ["jobs", "change", "jobs:write", "operator"],
  retryJob: ["job", "change", "jobs:write", "operator"],
  listOutputs: ["job", "read", "jobs:read", "viewer"],
  listWatches: ["job", "read", "jobs:read", "viewer"],
  updateJob: ["job", "change", "jobs:write", "operator"],
  stopJob: ["job", "change", "jobs:write", "operator"],
  pauseJob: ["job", "change", "jobs:write", "operator"],
  resumeJob: ["job", "change", "jobs:write", "operator"],
  deleteJob: ["job", "delete", "jobs:write", "operator"],
  deleteJobs: ["jobs", "delete", "jobs:write", "operator"],
  getDefinition: ["job", "read", "jobs:read", "viewer"],
  getResult: ["job", "read", "jobs:read", "viewer"],
  getJobInfo: ["job", "read", "jobs:read", "viewer"],
  listJobs: ["jobs", "read", "jobs:read", "viewer"],
  countJobs: ["jobs", "read", "jobs:read", "viewer"],
  listTasks: ["job", "read", "jobs:read", "viewer"],
  getTaskLog: ["task", "read", "jobs:read", "viewer"],
  linkOutput: ["task", "read", "jobs:read", "viewer"],
  retryTask: ["task", "change", "jobs:write", "operator"],
  explainTask: ["task", "read", "jobs:read", "viewer"],
  listPresets: ["presets", "read", "presets:read", "viewer"],
  getPreset: ["preset", "read", "presets:read", "viewer"],
  putPreset: ["preset", "change", "presets:write", "operator"],
  deletePreset: ["preset", "delete", "presets:write", "operator"],
  listNodes: ["node", "read", "nodes:read", "viewer"],
  updateNode: ["node", "change", "nodes:write", "operator"],
  revokeNode: ["node", "delete", "nodes:write", "owner"],
  listComputeGroups: ["settings", "read", "nodes:read", "viewer"],
  putComputeGroup: ["settings", "change", "settings", "operator"],
  deleteComputeGroup: ["settings", "delete", "settings", "operator"],
  listLimits: ["settings", "read", "nodes:read", "viewer"],
  setLimits: ["settings", "change", "settings", "operator"],
  changeLimits: ["settings", "change", "settings", "operator"],
  listViews: ["settings", "read", "settings", "viewer"],
  putView: ["settings", "change", "settings", "operator"],
  deleteView: ["settings", "delete", "settings", "operator"],
  // They open folders, and the network, of every node.
  listMounts: ["mounts", "read", "nodes:read", "viewer"],
  setMounts: ["mounts", "change", "mounts", "owner"],
  changeMounts: ["mounts", "change", "mounts", "owner"],
  listOutbound: ["mounts", "read", "nodes:read", "viewer"],
  changeOutbound: ["mounts", "change", "mounts", "owner"],
  listCredentials: ["vault", "read", "vault", "owner"],
  putCredential: ["vault", "change", "vault", "owner"],
  changeCredential: ["vault", "change", "vault", "owner"],
  testCredential: ["vault", "read", "vault", "owner"],
  deleteCredential: ["vault", "delete", "vault", "owner"],
  // They hear of everybody's jobs, and have the coordinator call addresses.
  listWebhooks: ["webhooks", "read", "webhooks", "operator"],
  createWebhook: ["webhooks", "create", "webhooks", "owner"],
  changeWebhook: ["webhooks", "change", "webhooks", "owner"],
  deleteWebhook: ["webhooks", "delete", "webhooks", "owner"],
  rotateWebhook: ["webhooks", "change", "webhooks", "owner"],
  testWebhook: ["webhooks", "create", "webhooks", "operator"],
  listWebhookMessages: ["webhooks", "read", "webhooks", "operator"],
  getWebhookMessage: ["webhooks", "read", "webhooks", "operator"],
  sendWebhookMessages: ["webhooks", "create", "webhooks", "operator"],
  getOpenApi: ["interface", "read", "any", "viewer"],
  health: ["interface", "read", "stranger", "nobody"],
  readiness: ["interface", "read", "stranger", "nobody"],
});

/** Routes of the pages. */
export const uiRights = table<UiRouteName>({
  getSession: ["session", "read", "nobody", "viewer"],
  signIn: ["session", "create", "nobody", "stranger"],
  signOut: ["session", "delete", "nobody", "stranger"],
  listSessions: ["session", "read", "nobody", "viewer"],
  endSession: ["session", "delete", "nobody", "viewer"],
  listSignIns: ["session", "read", "nobody", "stranger"],
  beginSignIn: ["session", "create", "nobody", "stranger"],
  finishSignIn: ["session", "create", "nobody", "stranger"],
  listLinks: ["session", "read", "nobody", "viewer"],
  beginLink: ["session", "create", "nobody", "viewer"],
  finishLink: ["session", "change", "nobody", "viewer"],
  endLink: ["session", "delete", "nobody", "viewer"],
  endPersonLink: ["people", "change", "nobody", "owner"],
  signInFirst: ["session", "create", "nobody", "stranger"],
  signInReset: ["session", "create", "nobody", "stranger"],
  changePassword: ["session", "change", "nobody", "viewer"],
  resetPerson: ["people", "change", "nobody", "owner"],
  getAccount: ["account", "read", "nobody", "owner"],
  showOapiPair: ["account", "read", "nobody", "owner"],
  renewOapiPair: ["account", "change", "nobody", "owner"],
  listApiUsers: ["account", "read", "nobody", "owner"],
  createApiUser: ["account", "create", "nobody", "owner"],
  revokeApiUser: ["account", "delete", "nobody", "owner"],
  showJoinToken: ["account", "read", "nobody", "owner"],
  renewJoinToken: ["account", "change", "nobody", "owner"],
  // Which nodes came in, and which of them to let work, is for operators; who may come in is for owners.
  listJoinTokens: ["node", "read", "nobody", "operator"],
  createJoinToken: ["account", "create", "nobody", "owner"],
  endJoinToken: ["account", "delete", "nobody", "owner"],
  listPeople: ["people", "read", "nobody", "owner"],
  createPerson: ["people", "create", "nobody", "owner"],
  updatePerson: ["people", "change", "nobody", "owner"],
  deletePerson: ["people", "delete", "nobody", "owner"],
  getRetention: ["settings", "read", "nobody", "viewer"],
  setRetention: ["settings", "change", "nobody", "owner"],
  getBackups: ["settings", "read", "nobody", "operator"],
  setBackups: ["settings", "change", "nobody", "owner"],
  makeBackup: ["settings", "create", "nobody", "operator"],
  getTraces: ["settings", "read", "nobody", "operator"],
  setTraces: ["settings", "change", "nobody", "owner"],
  getLead: ["settings", "read", "nobody", "operator"],
  giveLead: ["settings", "change", "nobody", "owner"],
  getIdentity: ["people", "read", "nobody", "owner"],
  setIdentity: ["people", "change", "nobody", "owner"],
  putProvider: ["people", "change", "nobody", "owner"],
  deleteProvider: ["people", "delete", "nobody", "owner"],
  testProvider: ["people", "read", "nobody", "owner"],
  getSecondSteps: ["session", "read", "nobody", "viewer"],
  beginCodes: ["session", "create", "nobody", "entering"],
  confirmCodes: ["session", "change", "nobody", "entering"],
  removeCodes: ["session", "delete", "nobody", "viewer"],
  renewRecovery: ["session", "change", "nobody", "viewer"],
  beginPasskey: ["session", "create", "nobody", "entering"],
  addPasskey: ["session", "change", "nobody", "entering"],
  removePasskey: ["session", "delete", "nobody", "viewer"],
  proveStep: ["session", "create", "nobody", "stranger"],
  askPasskey: ["session", "create", "nobody", "stranger"],
  signInPasskey: ["session", "create", "nobody", "stranger"],
  clearSecondSteps: ["people", "change", "nobody", "owner"],
  setSecondStep: ["people", "change", "nobody", "owner"],
  getAlerts: ["settings", "read", "nobody", "owner"],
  setAlerts: ["settings", "change", "nobody", "owner"],
  putAlertChannel: ["settings", "change", "nobody", "owner"],
  deleteAlertChannel: ["settings", "delete", "nobody", "owner"],
  testAlertChannel: ["settings", "create", "nobody", "owner"],
  tryCredential: ["vault", "read", "nobody", "owner"],
  viewJob: ["job", "read", "nobody", "viewer"],
  viewResolved: ["job", "read", "nobody", "viewer"],
  viewFindings: ["job", "read", "nobody", "viewer"],
  viewJobs: ["jobs", "read", "nobody", "viewer"],
  listOwners: ["jobs", "read", "nobody", "viewer"],
  countJobStates: ["jobs", "read", "nobody", "viewer"],
  viewOverview: ["jobs", "read", "nobody", "viewer"],
  acknowledge: ["settings", "change", "nobody", "operator"],
  viewNode: ["node", "read", "nobody", "viewer"],
  viewPaces: ["node", "read", "nobody", "viewer"],
  viewLoads: ["node", "read", "nobody", "viewer"],
  viewTimeline: ["node", "read", "nobody", "viewer"],
  previewOutput: ["task", "read", "nobody", "viewer"],
  previewSource: ["job", "read", "nobody", "viewer"],
  // Who submits chooses files.
  previewFile: ["files", "read", "nobody", "operator"],
  listFolder: ["files", "read", "nobody", "operator"],
  findFile: ["files", "read", "nobody", "operator"],
  listHistory: ["jobs", "read", "nobody", "viewer"],
  listTrail: ["account", "read", "nobody", "owner"],
  checkTrail: ["account", "read", "nobody", "owner"],
  viewFarm: ["node", "read", "nobody", "viewer"],
});

/**
 * Answers that hold what was sent as it was sent: their handlers hide its secrets from everybody but who sent it. Every other
 * answer, and every event, goes out without the passwords and signatures that its texts may hold, whoever asks.
 */
export const echoingRoutes: ReadonlySet<string> = new Set<RouteName>(["getDefinition", "getPreset", "getOpenApi"]);

/** Events of the farm: what a program needs to be told, and whether it must reach the job that they are about. */
export const eventRights: {
  readonly [T in FarmEvent["type"]]: {
    readonly program: Scope | "any";
    readonly person: Role;
    readonly isOfJob: boolean;
  };
} = {
  "job.changed": { program: "jobs:read", person: "viewer", isOfJob: true },
  "job.deleted": { program: "jobs:read", person: "viewer", isOfJob: true },
  "task.changed": { program: "jobs:read", person: "viewer", isOfJob: true },
  "task.progress": { program: "jobs:read", person: "viewer", isOfJob: true },
  "node.changed": { program: "nodes:read", person: "viewer", isOfJob: false },
  "node.removed": { program: "nodes:read", person: "viewer", isOfJob: false },
  "alert.told": { program: "settings", person: "viewer", isOfJob: false },
  reset: { program: "any", person: "viewer", isOfJob: false },
};

/**
 * What a node's message may concern: itself, an attempt whose fence it holds, or a question that it was asked. The coordinator
 * counts a message about anything else as a breach.
 */
export type MessageRight = "itself" | "attempt" | "question";
export const messageRights: { readonly [T in AgentMessage["type"]]: MessageRight } = {
  hello: "itself",
  heartbeat: "itself",
  started: "attempt",
  progress: "attempt",
  returned: "attempt",
  ended: "attempt",
  commit: "attempt",
  report: "attempt",
  inspected: "question",
  log: "attempt",
  request_keys: "attempt",
  polled: "question",
  response: "question",
  goodbye: "itself",
};
