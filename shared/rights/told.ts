import type { RouteName } from "../api/api.ts";
import type { Route } from "../api/route.ts";
import type { UiRouteName } from "../api/ui/ui-api.ts";

/** Reads that leave a line in the audit as changes do: they hand out secrets, or what jobs made. */
export const toldReads: ReadonlySet<string> = new Set<RouteName | UiRouteName>([
  ...(["linkOutput", "previewOutput", "previewSource", "previewFile", "showJoinToken", "getAccount"] as const),
]);

/** Whether each call of a route leaves a line, also a refused one. Whatever is no GET does, so that no new route can forget. */
export const isTold = (name: string, { method }: Pick<Route, "method">): boolean =>
  method !== "GET" || toldReads.has(name);
