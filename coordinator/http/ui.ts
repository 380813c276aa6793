import type { FastifyInstance } from "fastify";
import type { z } from "zod";
import { api, type RouteName } from "../../shared/api.ts";
import type { ParamsOf, Route } from "../../shared/route.ts";
import { type Ui, type UiRouteName, ui, uiBase } from "../../shared/ui-api.ts";
import type { Answered } from "../work/audit.ts";
import { type Binding, bind, type Handlers } from "./server.ts";
import type { SessionGuard, Visit } from "./session-guard.ts";

export type UiHandlers = {
  readonly [N in UiRouteName]: (
    args: ParamsOf<Ui[N]["path"]> & z.output<Ui[N]["input"]>,
    request: { readonly ip: string; readonly allowed: Visit },
  ) => Promise<z.output<Ui[N]["returns"]>> | z.output<Ui[N]["returns"]>;
};

/** Serves the pages' own routes, and the API's routes for people, below /ui/v1 with the session cookie. */
export const bindUi = (
  app: FastifyInstance,
  guard: SessionGuard,
  handlers: Handlers & UiHandlers,
  answered: (call: Answered) => void,
): void => {
  const serve = (name: RouteName | UiRouteName, route: Route): void => {
    const allow = async (...[request, reply]: Parameters<Binding["allow"]>) => guard(request, reply, route.role);
    // The mapped types tie each handler to its route; a loop over the tables cannot express that.
    const handler = handlers[name] as Binding<Visit>["handle"];
    const handle: Binding<Visit>["handle"] = async (args, asked) => {
      const answer = await handler(args, asked);
      const who = asked.sender.owner ?? asked.who;
      // The routes of the tables return an object, or nothing.
      answered({ route: name, args, who, answer: answer as Answered["answer"] });
      return answer;
    };
    const isBodyOnly = route.method !== "GET" || undefined;
    bind(
      app,
      { ...route, ...(isBodyOnly && { isBodyOnly }) },
      { base: uiBase, allow, handle, isOfStrangers: route.role === null },
    );
  };
  // Object.keys forgets that these are the tables' names.
  for (const name of Object.keys(ui) as UiRouteName[]) serve(name, ui[name]);
  for (const name of Object.keys(api) as RouteName[]) if (api[name].role !== null) serve(name, api[name]);
};
