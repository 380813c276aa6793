import type { FastifyInstance } from "fastify";
import { redact, redactJob } from "../../shared/redact.ts";
import { uiBase } from "../../shared/ui-api.ts";
import type { Accounts } from "../accounts.ts";
import type { JoinTokens } from "../join-tokens.ts";
import type { MachineKey } from "../machine-key.ts";
import type { People } from "../people.ts";
import { accountHandlers } from "../routes/account.ts";
import { computeGroupHandlers } from "../routes/compute-groups.ts";
import { credentialHandlers } from "../routes/credentials.ts";
import { jobActionHandlers } from "../routes/job-actions.ts";
import { jobHandlers } from "../routes/jobs.ts";
import { joinTokenHandlers } from "../routes/join-token.ts";
import { loginHandlers } from "../routes/login.ts";
import { mountHandlers } from "../routes/mounts.ts";
import { nodeHandlers } from "../routes/nodes.ts";
import { openApiHandlers } from "../routes/openapi.ts";
import { outboundHandlers } from "../routes/outbound.ts";
import { peopleHandlers } from "../routes/people.ts";
import { presetHandlers } from "../routes/presets.ts";
import { retentionHandlers } from "../routes/retention.ts";
import { savedViewHandlers } from "../routes/saved-views.ts";
import { taskHandlers } from "../routes/tasks.ts";
import { viewHandlers } from "../routes/views.ts";
import { watchHandlers } from "../routes/watches.ts";
import type { Tls } from "../tls/tls.ts";
import type { Tokens } from "../tokens.ts";
import { type Answered, recordAction } from "../work/audit.ts";
import { createEstimates } from "../work/estimates.ts";
import type { Farm } from "../work/farm.ts";
import type { Origin } from "../work/farm-view.ts";
import { createGuard } from "./auth.ts";
import { bindEvents, type ListenerGuard } from "./events.ts";
import { bindMedia, createMediaLinks } from "./media.ts";
import { bindMetrics } from "./metrics.ts";
import { bindPages, builtPages } from "./pages.ts";
import { bindPreviews, createPreviewLinks } from "./previews.ts";
import { createServer } from "./server.ts";
import { createSessionGuard } from "./session-guard.ts";
import { bindSubscriptions } from "./subscriptions.ts";
import { createThrottle } from "./throttle.ts";
import { bindUi } from "./ui.ts";

export type Inside = {
  readonly farm: Farm;
  readonly accounts: Accounts;
  readonly tokens: Tokens;
  readonly people: People;
  readonly machine: Pick<MachineKey, "isRight">;
  readonly join: JoinTokens;
  readonly tls?: Tls | undefined;
  readonly origin: Origin;
};

/** Binds everything that is served over HTTP: the API for programs, the routes for people, events, media, pages. */
export const openDoors = ({ farm, accounts, tokens, people, machine, join, tls, origin }: Inside): FastifyInstance => {
  const links = createMediaLinks(farm);
  const previews = createPreviewLinks(farm);
  const throttle = createThrottle(farm.clock);
  const estimator = createEstimates(farm);
  const guard = createGuard({ accounts, tokens, throttle });
  const sessionGuard = createSessionGuard(people, machine);
  const handlers = {
    ...jobHandlers(farm, estimator),
    ...jobActionHandlers(farm),
    ...computeGroupHandlers(farm),
    ...mountHandlers(farm),
    ...outboundHandlers(farm),
    ...nodeHandlers(farm),
    ...openApiHandlers(origin.version),
    ...presetHandlers(farm),
    ...credentialHandlers(farm),
    ...savedViewHandlers(farm),
    ...taskHandlers(farm),
    ...watchHandlers(farm),
    ...loginHandlers(tokens, throttle),
    health: () => ({ status: "ok" }) as const,
    readiness: () => ({ status: "ok" }) as const,
  };
  const note = (call: Answered) => recordAction(farm, call);
  const app = createServer(farm, guard, handlers, note, tls);

  bindUi(
    app,
    sessionGuard,
    {
      ...handlers,
      getDefinition: async (args) => redactJob(await handlers.getDefinition(args)),
      getPreset: async (args) => redact(await handlers.getPreset(args)),
      ...peopleHandlers(people, throttle),
      ...accountHandlers(accounts, people, throttle),
      ...joinTokenHandlers(join),
      ...retentionHandlers(farm),
      ...viewHandlers(farm, origin, links, previews, estimator),
    },
    note,
  );

  const allowProgram: ListenerGuard = async (request) => {
    const { lasts = async () => true, succeeded } = await guard(request, { access: "farm" });
    succeeded?.();
    return lasts;
  };
  const allowPerson: ListenerGuard = async (request, reply) => {
    const { session } = await sessionGuard(request, reply, "viewer");
    return async () => session !== undefined && people.lasts(session);
  };
  bindEvents(app, { url: "/v1/events", allow: allowProgram }, farm.events, farm.clock);
  bindEvents(app, { url: `${uiBase}/events`, allow: allowPerson }, farm.events, farm.clock);
  bindSubscriptions(app, farm);
  bindMedia(app, farm, links);
  bindPreviews(app, farm, previews);
  bindMetrics(app, farm, tls);
  bindPages(app, farm.config.pagesDir ?? builtPages);
  return app;
};
