import type { FastifyInstance } from "fastify";
import { uiBase } from "../../shared/api/ui/ui-api.ts";
import { AppError } from "../../shared/basics/errors.ts";
import { redact, redactJob } from "../../shared/credentials/redact.ts";
import type { Scope } from "../../shared/people/scopes.ts";
import { doorRights } from "../../shared/rights/door-rights.ts";
import type { Alerts } from "../alerts/alerts.ts";
import type { Backups } from "../backup/backups.ts";
import type { JoinTokens } from "../connections/join-tokens.ts";
import type { Doors } from "../doors/doors.ts";
import { createTurns, type Turns } from "../doors/turns.ts";
import type { Files } from "../files/files.ts";
import { createGuard } from "../http/auth.ts";
import { createListeners } from "../http/event-stream.ts";
import { bindEvents, type ListenerGuard } from "../http/events.ts";
import { bindMedia, bindOutputs, createMediaLinks, type MediaLinks } from "../http/files/media.ts";
import { bindPreviews, createPreviewLinks } from "../http/files/previews.ts";
import { bindMcp } from "../http/mcp.ts";
import { bindMetrics } from "../http/metrics.ts";
import { bindPages, builtPages } from "../http/pages.ts";
import { type Around, apiBindings, createServer } from "../http/server.ts";
import { createSessionGuard } from "../http/session-guard.ts";
import { createSignInThrottle, type SignInThrottle } from "../http/sign-in-throttle.ts";
import { bindSignedIn } from "../http/signed-in.ts";
import { bindSignedOut } from "../http/signed-out.ts";
import { bindSubscriptions } from "../http/subscriptions.ts";
import { uiBindings } from "../http/ui.ts";
import type { Identity } from "../identity/identity.ts";
import { idOf } from "../jobs/job-ids.ts";
import type { NumberedEvent } from "../live/event-bus.ts";
import type { Accounts } from "../people/accounts.ts";
import type { Tokens } from "../people/api-tokens.ts";
import type { MachineKey } from "../people/machine-key.ts";
import { requireNarrow } from "../people/narrowed-calls.ts";
import type { People } from "../people/people.ts";
import type { SecondSteps } from "../second-steps/second-steps.ts";
import type { Lead } from "../standby/hand-over.ts";
import type { Tls } from "../tls/tls.ts";
import type { Traces } from "../tracing/settings.ts";
import { type ActionRecord, recordAction } from "../views/audit.ts";
import { createEstimates, type Estimator } from "../views/estimates.ts";
import type { Origin } from "../views/farm-view.ts";
import { eventWithin, requireReached } from "../views/reached.ts";
import type { Webhooks } from "../webhooks/webhooks.ts";
import { accountHandlers } from "./account.ts";
import { computeGroupHandlers } from "./compute-groups.ts";
import { credentialHandlers } from "./credentials.ts";
import { jobActionHandlers, jobHandlers } from "./jobs.ts";
import { linkHandlers } from "./links.ts";
import { loginHandlers } from "./login.ts";
import { mountHandlers } from "./mounts.ts";
import { nodeHandlers } from "./nodes.ts";
import { openApiHandlers } from "./openapi.ts";
import { peopleHandlers } from "./people.ts";
import { presetHandlers } from "./presets.ts";
import { savedViewHandlers } from "./saved-views.ts";
import { secondStepHandlers } from "./second-steps.ts";
import { taskHandlers } from "./tasks.ts";
import { trailHandlers } from "./trail.ts";
import { viewHandlers } from "./views.ts";
import { webhookHandlers } from "./webhooks.ts";

export type AppNeeds = {
  readonly farm: Files;
  readonly accounts: Accounts;
  readonly tokens: Tokens;
  readonly people: People;
  readonly identity: Identity;
  readonly steps: SecondSteps;
  readonly machine: Pick<MachineKey, "isRight">;
  readonly join: JoinTokens;
  readonly tls?: Tls | undefined;
  readonly doors?: Doors | undefined;
  readonly backups: Backups;
  readonly lead: Lead;
  readonly alerts: Alerts;
  readonly webhooks: Webhooks;
  readonly traces: Traces;
  readonly origin: Origin;
};

/**
 * Binds everything that is served over HTTP: the API for programs, the routes for people, events, media, pages. Routes are bound
 * some at a time, as the loop has time for them. The app comes in an object, because whoever waits for it itself starts it.
 */
export const createApp = async (needs: AppNeeds): Promise<{ readonly app: FastifyInstance }> => {
  const { farm, accounts, tokens, people, identity, machine, tls, doors, backups, lead, alerts, origin } = needs;
  const links = createMediaLinks(farm);
  const previews = createPreviewLinks(farm);
  const throttle = createSignInThrottle(farm.clock);
  const estimator = createEstimates(farm);
  const guard = createGuard({ accounts, tokens, throttle });
  const sessionGuard = createSessionGuard(people, machine);
  const { sharedRequests: shared, loneRequests: alone, restMs } = farm.config.doors;
  const turns = createTurns({ shared, alone, restMs }, farm.clock);
  const handlers = createHandlers(needs, { throttle, estimator, links, turns });
  const note = (call: ActionRecord) => recordAction(farm, call);
  const mayReach: Around["mayReach"] = async ({ object }, reach, args) => {
    if (object === "job" || object === "task") await requireReached(farm, reach, args);
  };
  const app = createServer(farm, { tls, doors, turns });
  const uiRoutes = uiBindings(
    app,
    sessionGuard,
    {
      ...handlers,
      getDefinition: async (args, asked) => redactJob(await handlers.getDefinition(args, asked)),
      getPreset: async (args, asked) => redact(await handlers.getPreset(args, asked)),
      ...peopleHandlers({ people, identity, steps: needs.steps, throttle, clock: farm.clock }),
      ...secondStepHandlers(needs, throttle),
      ...linkHandlers(needs, throttle),
      ...accountHandlers(needs, throttle),
      getRetention: () => farm.retention.read(),
      setRetention: (wanted) => farm.retention.set(wanted),
      getBackups: () => backups.view(),
      setBackups: (wanted) => backups.setSchedule(wanted),
      makeBackup: () => {
        backups.begin();
        return backups.view();
      },
      getLead: lead.view,
      giveLead: lead.give,
      getTraces: async () => needs.traces.view(),
      setTraces: (wanted) => needs.traces.change(wanted),
      getAlerts: () => alerts.view(),
      setAlerts: (wanted) => alerts.setSettings(wanted),
      putAlertChannel: ({ name, channel }) => alerts.putChannel(name, channel),
      deleteAlertChannel: ({ name }) => alerts.removeChannel(name),
      testAlertChannel: ({ name }) => alerts.test(name),
      ...trailHandlers(farm),
      ...viewHandlers(farm, origin, previews, estimator),
    },
    { answered: note, mayChange: (right, narrowed, args) => requireNarrow(farm, right, narrowed, args) },
  );
  for (const bindOne of [...apiBindings(app, guard, handlers, { answered: note, mayReach }), ...uiRoutes])
    await farm.timeSlice(bindOne);

  const { "GET /v1/events": programsEvents, "GET /ui/v1/events": peoplesEvents } = doorRights;
  const allowProgram: ListenerGuard = async (request) => {
    const {
      who,
      lasts = async () => true,
      succeeded,
      reach,
      scopes,
    } = await guard(request, { access: "farm", ...programsEvents });
    succeeded?.();
    doors?.know(request.raw.socket, "known");
    const hearsAll = reach === "all" && hearsAllOf.every((scope) => scopes.includes(scope));
    const hears = ({ event, owned }: NumberedEvent) => eventWithin(farm, { reach, scopes }, event, owned);
    const some = { hears, hearsAs: JSON.stringify([reach, scopes]) };
    return { who, lasts, ...(hearsAll ? {} : some) };
  };
  const allowPerson: ListenerGuard = async (request, reply) => {
    const { who, session } = await sessionGuard(request, reply, peoplesEvents.person);
    doors?.know(request.raw.socket, "known");
    return { who, lasts: async () => session !== undefined && people.lasts(session) };
  };
  const listeners = createListeners(farm.config.doors);
  bindEvents(app, { url: "/v1/events", allow: allowProgram, listeners }, farm);
  bindEvents(app, { url: `${uiBase}/events`, allow: allowPerson, listeners }, farm);
  bindSubscriptions(app, farm, listeners);
  bindMedia(app, farm, links);
  bindOutputs(app, farm, async (request, task) => {
    const right = doorRights["GET /v1/tasks/:task_id/outputs/:position"];
    const caller = await guard(request, { access: "farm", ...right });
    await mayReach(right, caller.reach, task);
    return caller;
  });
  bindPreviews(app, farm, previews);
  bindMcp(app, farm, { guard, handlers, mayReach, answered: note, version: origin.version });
  bindMetrics(app, farm, { tls, backups, webhooks: needs.webhooks });
  bindSignedIn(app);
  bindSignedOut(app, identity.endByProvider);
  bindPages(app, farm.config.pagesDir ?? builtPages);
  return { app };
};

/** Whoever may do all of this hears every event. */
const hearsAllOf: readonly Scope[] = ["jobs:read", "nodes:read", "settings"];

type Made = {
  readonly throttle: SignInThrottle;
  readonly estimator: Estimator;
  readonly links: MediaLinks;
  readonly turns: Turns;
};

/** What programs and people may both ask for. */
const createHandlers = ({ farm, tokens, origin, webhooks }: AppNeeds, { throttle, estimator, links, turns }: Made) => ({
  ...jobHandlers(farm, estimator),
  ...jobActionHandlers(farm, { hasOthers: () => turns.active() > 1 }),
  ...computeGroupHandlers(farm),
  ...mountHandlers(farm),
  ...nodeHandlers(farm),
  ...openApiHandlers(origin.version),
  ...presetHandlers(farm),
  ...credentialHandlers(farm),
  ...savedViewHandlers(farm),
  ...taskHandlers(farm),
  ...webhookHandlers(webhooks),
  linkOutput: (
    { task_id, position }: { readonly task_id: string; readonly position: string },
    { who }: { readonly who: string },
  ) => links.link(idOf(task_id), idOf(position), who),
  ...loginHandlers(tokens, throttle),
  health: () => ({ status: "ok" }) as const,
  readiness: async () => {
    if (await farm.isReady()) return { status: "ok" } as const;
    throw new AppError("UNAVAILABLE", "The farm cannot work now");
  },
});
