import type { FastifyInstance } from "fastify";
import type { z } from "zod";
import { api, type RouteName } from "../../shared/api/api.ts";
import type { ParamsOf, Route } from "../../shared/api/route.ts";
import { type Ui, type UiRouteName, ui, uiBase } from "../../shared/api/ui/ui-api.ts";
import { apiRights, echoingRoutes, type Right, uiRights } from "../../shared/rights/rights.ts";
import { isTold } from "../../shared/rights/told.ts";
import type { ActionRecord } from "../views/audit.ts";
import { type Binding, bind, type Handlers, told } from "./server.ts";
import type { SessionGuard, Visit } from "./session-guard.ts";

export type UiHandlers = {
  readonly [N in UiRouteName]: (
    args: ParamsOf<Ui[N]["path"]> & z.output<Ui[N]["input"]>,
    request: { readonly ip: string; readonly allowed: Visit },
  ) => Promise<z.output<Ui[N]["returns"]>> | z.output<Ui[N]["returns"]>;
};

/** Serves the pages' own routes, and the API's routes for people, below /ui/v1 with the session cookie; a piece of work for each. */
export const uiBindings = (
  app: FastifyInstance,
  guard: SessionGuard,
  handlers: Handlers & UiHandlers,
  answered: (call: ActionRecord) => void,
): (() => void)[] => {
  const serve = (name: RouteName | UiRouteName, route: Route, { person }: Right): void => {
    const allow = async (...[request, reply]: Parameters<Binding["allow"]>) => guard(request, reply, person);
    // The mapped types tie each handler to its route; a loop over the tables cannot express that.
    const handler = handlers[name] as Binding<Visit>["handle"];
    const handle = told(name, handler, answered);
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
