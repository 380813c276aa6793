import { useQuery } from "@tanstack/react-query";
import {
  createHashHistory,
  createRootRoute,
  createRoute,
  createRouter,
  Outlet,
  redirect,
} from "@tanstack/react-router";
import { messageOf } from "../shared/errors.ts";
import { sessionQuery } from "./data/queries.ts";
import { SessionContext } from "./data/session.tsx";
import { AccountPage } from "./pages/account/index.tsx";
import { ApiPage } from "./pages/api/index.tsx";
import { ComputerPage } from "./pages/computer/index.tsx";
import { FarmPage } from "./pages/farm/index.tsx";
import { HistoryPage } from "./pages/history/index.tsx";
import { JobPage, jobSearch } from "./pages/job/index.tsx";
import { JobsPage, jobsSearch } from "./pages/jobs/index.tsx";
import { NodePage } from "./pages/node/index.tsx";
import { NodesPage, nodesSearch } from "./pages/nodes/index.tsx";
import { OverviewPage } from "./pages/overview/index.tsx";
import { PeoplePage } from "./pages/people/index.tsx";
import { PresetsPage } from "./pages/presets/index.tsx";
import { ResetPage } from "./pages/reset/index.tsx";
import { SignInPage } from "./pages/sign-in/index.tsx";
import { SubmitPage, submitSearch } from "./pages/submit/index.tsx";
import { WelcomePage, welcomeSearch } from "./pages/welcome/index.tsx";
import { Shell } from "./shell/shell.tsx";
import { Button } from "./ui/button.tsx";
import { Empty, Loading } from "./ui/notice.tsx";

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
  if (!error) return <Loading what="Mediafarm" />;
  return (
    <main>
      <Empty title="The coordinator does not answer.">
        <p>{messageOf(error)}</p>
        <Button onClick={() => void refetch()}>Try again</Button>
      </Empty>
    </main>
  );
};

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
  createRoute({ getParentRoute: () => root, path: "/welcome", component: WelcomePage, validateSearch: welcomeSearch }),
  createRoute({ getParentRoute: () => root, path: "/reset", component: ResetPage, validateSearch: welcomeSearch }),
  inside.addChildren([
    createRoute({ getParentRoute: () => inside, path: "/account", component: AccountPage }),
    createRoute({ getParentRoute: () => inside, path: "/api", component: ApiPage }),
    createRoute({ getParentRoute: () => inside, path: "/computer", component: ComputerPage }),
    createRoute({ getParentRoute: () => inside, path: "/farm", component: FarmPage }),
    createRoute({ getParentRoute: () => inside, path: "/jobs", component: JobsPage, validateSearch: jobsSearch }),
    createRoute({ getParentRoute: () => inside, path: "/jobs/$jobId", component: JobPage, validateSearch: jobSearch }),
    createRoute({ getParentRoute: () => inside, path: "/nodes", component: NodesPage, validateSearch: nodesSearch }),
    createRoute({ getParentRoute: () => inside, path: "/nodes/$nodeId", component: NodePage }),
    createRoute({ getParentRoute: () => inside, path: "/overview", component: OverviewPage }),
    createRoute({ getParentRoute: () => inside, path: "/history", component: HistoryPage }),
    createRoute({ getParentRoute: () => inside, path: "/people", component: PeoplePage }),
    createRoute({ getParentRoute: () => inside, path: "/presets", component: PresetsPage }),
    createRoute({ getParentRoute: () => inside, path: "/submit", component: SubmitPage, validateSearch: submitSearch }),
  ]),
]);

/** Addresses stand behind the #, so the same pages work wherever they are loaded from. */
export const router = createRouter({
  routeTree,
  history: createHashHistory(),
  defaultNotFoundComponent: () => (
    <main>
      <Empty title="There is no such page.">
        <a href="#/overview">Go to the overview</a>
      </Empty>
    </main>
  ),
});

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}
