import { api } from "../../shared/api/api.ts";
import { farmEvent } from "../../shared/api/events.ts";
import { ui, uiBase } from "../../shared/api/ui/ui-api.ts";
import { limits } from "../../shared/model/job.ts";

/** What pages need of tables whose schemas would be half of what a browser has to read first. */
export const routes: Readonly<Record<string, { readonly method: string; readonly path: string }>> = Object.fromEntries(
  Object.entries({ ...api, ...ui }).map(([name, { method, path }]) => [name, { method, path }]),
);
export const eventTypes: readonly string[] = farmEvent.options.map(({ shape }) => shape.type.value);
export const mostExpirationMinutes: number = limits.expirationMinutes;
export { uiBase };
