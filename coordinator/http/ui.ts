import type { FastifyInstance } from "fastify";
import type { z } from "zod";
import { api, type RouteName } from "../../shared/api/api.ts";
import type { ParamsOf, Route } from "../../shared/api/route.ts";
import { type Ui, type UiRouteName, ui, uiBase } from "../../shared/api/ui/ui-api.ts";
import { apiRights, echoingRoutes, type Right, uiRights } from "../../shared/rights/rights.ts";
import { isTold } from "../../shared/rights/told.ts";
import { refuseNarrow } from "../people/narrowed-calls.ts";
import type { ActionRecord } from "../views/audit.ts";
import { type Binding, bind, type Handlers, told } from "./server.ts";
import type { SessionGuard, Visit } from "./session-guard.ts";

export type UiHandlers = {
  readonly [N in UiRouteName]: (
    args: ParamsOf<Ui[N]["path"]> & z.output<Ui[N]["input"]>,
    request: { readonly ip: string; readonly allowed: Visit },
  ) => Promise<z.output<Ui[N]["returns"]>> | z.output<Ui[N]["returns"]>;
};

type Around = {
  readonly answered: (call: ActionRecord) => void;
  /** Throws for what somebody may not change because their role is narrowed. */
  readonly mayChange: (right: Right, narrowed: Visit["narrowed"], args: object) => Promise<void>;
};

/** Serves the pages' own routes, and the API's routes for people, below /ui/v1 with the session cookie; a piece of work for each. */
export const uiBindings = (
  app: FastifyInstance,
  guard: SessionGuard,
  handlers: Handlers & UiHandlers,
  { answered, mayChange }: Around,
): (() => void)[] => {
  const serve = (name: RouteName | UiRouteName, route: Route, right: Right): void => {
    const { person } = right;
    const allow = async (...[request, reply]: Parameters<Binding["allow"]>) => {
      const visit = await guard(request, reply, person);
      refuseNarrow(right, visit.narrowed); // before a body is read
      return visit;
    };
    // The mapped types tie each handler to its route; a loop over the tables cannot express that.
    const handler = handlers[name] as Binding<Visit>["handle"];
    const act = told(name, handler, answered);
    const handle: Binding<Visit>["handle"] = async (args, asked) => {
      await mayChange(right, asked.narrowed, args);
      return act(args, asked);
    };
    const isBodyOnly = route.method !== "GET" || undefined;
    bind(
      app,
      { ...route, ...(isBodyOnly && { isBodyOnly }) },
      {
        ...{ base: uiBase, allow, handle, isOfStrangers: person === "stranger", echoes: echoingRoutes.has(name) },
        told: isTold(name, route) ? name : undefined,
      },
    );
  };
  // Object.keys forgets that these are the tables' names.
  const own = (Object.keys(ui) as UiRouteName[]).map((name) => () => serve(name, ui[name], uiRights[name]));
  const shared = (Object.keys(api) as RouteName[])
    .filter((name) => apiRights[name].person !== "nobody")
    .map((name) => () => serve(name, api[name], apiRights[name]));
  return [...own, ...shared];
};
