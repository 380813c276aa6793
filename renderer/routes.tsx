import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useQuery } from "@tanstack/react-query";
import {
  createHashHistory,
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
} from "@tanstack/react-router";
import { messageOf } from "../shared/basics/errors.ts";
import { sessionQuery } from "./data/queries.ts";
import { SessionContext } from "./data/session.tsx";
import { jobSearch } from "./pages/job/search.ts";
import { jobsSearch } from "./pages/jobs/search.ts";
import { nodesSearch } from "./pages/nodes/search.ts";
import { OverviewPage } from "./pages/overview/index.tsx";
import { SignInPage } from "./pages/sign-in/index.tsx";
import { signedInSearch } from "./pages/signed-in/search.ts";
import { submitSearch } from "./pages/submit/search.ts";
import { welcomeSearch } from "./pages/welcome/search.ts";
import { readPart } from "./shell/parts.ts";
import { Shell } from "./shell/shell.tsx";
import { TryAgain } from "./ui/controls/failed.tsx";
import { Empty, Loading } from "./ui/text/notice.tsx";

/** The shell with its pages for who is signed in; the sign-in for who is not. */
const Inside = () => {
  const { data: session, error, refetch } = useQuery(sessionQuery);
  if (session) {
    return (
      <SessionContext value={session}>
        <Shell />
      </SessionContext>
    );
  }
  if (session === null) return <SignInPage />;
  if (!error) return <Loading what={t`Mediafarm`} />;
  return (
    <main>
      <Empty title={t`The coordinator does not answer.`}>
        <p>{messageOf(error)}</p>
        <TryAgain onClick={() => void refetch()} />
      </Empty>
    </main>
  );
};

/** The page of this name in a part of the program that is read when somebody needs it. */
const partOf = <Part extends Record<string, unknown>, Name extends keyof Part & string>(
  read: () => Promise<Part>,
  name: Name,
) => lazyRouteComponent(() => readPart(read), name);

/** Pages that a browser reads when somebody goes there, or as soon as it has nothing else to do. */
const pages = {
  account: partOf(() => import("./pages/account/index.tsx"), "AccountPage"),
  alerts: partOf(() => import("./pages/alerts/index.tsx"), "AlertsPage"),
  api: partOf(() => import("./pages/api/index.tsx"), "ApiPage"),
  audit: partOf(() => import("./pages/audit/index.tsx"), "AuditPage"),
  computer: partOf(() => import("./pages/computer/index.tsx"), "ComputerPage"),
  farm: partOf(() => import("./pages/farm/index.tsx"), "FarmPage"),
  history: partOf(() => import("./pages/history/index.tsx"), "HistoryPage"),
  job: partOf(() => import("./pages/job/index.tsx"), "JobPage"),
  jobs: partOf(() => import("./pages/jobs/index.tsx"), "JobsPage"),
  node: partOf(() => import("./pages/node/index.tsx"), "NodePage"),
  nodes: partOf(() => import("./pages/nodes/index.tsx"), "NodesPage"),
  people: partOf(() => import("./pages/people/index.tsx"), "PeoplePage"),
  presets: partOf(() => import("./pages/presets/index.tsx"), "PresetsPage"),
  reset: partOf(() => import("./pages/reset/index.tsx"), "ResetPage"),
  signedIn: partOf(() => import("./pages/signed-in/index.tsx"), "SignedInPage"),
  submit: partOf(() => import("./pages/submit/index.tsx"), "SubmitPage"),
  webhooks: partOf(() => import("./pages/webhooks/index.tsx"), "WebhooksPage"),
  welcome: partOf(() => import("./pages/welcome/index.tsx"), "WelcomePage"),
} as const;

/**
 * All pages, those first that most people go to next: who loses the coordinator can still go to any of them that is read.
 */
export const pagesAhead: Iterable<() => Promise<unknown> | undefined> = [
  ...new Set([pages.jobs, pages.job, pages.nodes, pages.node, pages.submit, ...Object.values(pages)]),
].map((page) => () => page.preload?.());

const root = createRootRoute({ component: Outlet });
/** A task that somebody asks about: its drawer opens over any page. `wall`: for a display that nobody sits at. */
const insideSearch = ({ why, wall }: Record<string, unknown>): { readonly why?: string; readonly wall?: true } => ({
  ...(why === undefined ? {} : { why: String(why) }),
  ...(wall === true && { wall }),
});
const inside = createRoute({
  getParentRoute: () => root,
  id: "inside",
  component: Inside,
  validateSearch: insideSearch,
});

const routeTree = root.addChildren([
  createRoute({
    getParentRoute: () => root,
    path: "/",
    beforeLoad: () => {
      throw redirect({ to: "/overview" });
    },
  }),
  createRoute({
    getParentRoute: () => root,
    path: "/welcome",
    component: pages.welcome,
    validateSearch: welcomeSearch,
  }),
  createRoute({ getParentRoute: () => root, path: "/reset", component: pages.reset, validateSearch: welcomeSearch }),
  createRoute({
    getParentRoute: () => root,
    path: "/signed-in",
    component: pages.signedIn,
    validateSearch: signedInSearch,
  }),
  inside.addChildren([
    createRoute({ getParentRoute: () => inside, path: "/account", component: pages.account }),
    createRoute({ getParentRoute: () => inside, path: "/alerts", component: pages.alerts }),
    createRoute({ getParentRoute: () => inside, path: "/api", component: pages.api }),
    createRoute({ getParentRoute: () => inside, path: "/audit", component: pages.audit }),
    createRoute({ getParentRoute: () => inside, path: "/computer", component: pages.computer }),
    createRoute({ getParentRoute: () => inside, path: "/farm", component: pages.farm }),
    createRoute({ getParentRoute: () => inside, path: "/jobs", component: pages.jobs, validateSearch: jobsSearch }),
    createRoute({
      getParentRoute: () => inside,
      path: "/jobs/$jobId",
      component: pages.job,
      validateSearch: jobSearch,
    }),
    createRoute({ getParentRoute: () => inside, path: "/nodes", component: pages.nodes, validateSearch: nodesSearch }),
    createRoute({ getParentRoute: () => inside, path: "/nodes/$nodeId", component: pages.node }),
    createRoute({ getParentRoute: () => inside, path: "/overview", component: OverviewPage }),
    createRoute({ getParentRoute: () => inside, path: "/history", component: pages.history }),
    createRoute({ getParentRoute: () => inside, path: "/people", component: pages.people }),
    createRoute({ getParentRoute: () => inside, path: "/presets", component: pages.presets }),
    createRoute({
      getParentRoute: () => inside,
      path: "/submit",
      component: pages.submit,
      validateSearch: submitSearch,
    }),
    createRoute({ getParentRoute: () => inside, path: "/webhooks", component: pages.webhooks }),
  ]),
]);

/** Addresses stand behind the #, so the same pages work wherever they are loaded from. */
export const router = createRouter({
  routeTree,
  history: createHashHistory(),
  // While the farm is away, a page that is not read yet has to wait for it.
  defaultPendingComponent: () => <Loading what={t`the page`} />,
  defaultNotFoundComponent: () => (
    <main>
      <Empty title={t`There is no such page.`}>
        <a href="#/overview">
          <Trans>Go to the overview</Trans>
        </a>
      </Empty>
    </main>
  ),
});

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}
