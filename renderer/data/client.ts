import { createUiClient } from "../../shared/api/ui/ui-client.ts";
import { routes, uiBase } from "./static-tables.ts";

/** On the host that the page was loaded from. */
export const uiUrl = (path: string): string => new URL(`.${uiBase}${path}`, document.baseURI).href;

/** One request by its route's name, with the session's cookie. */
export const request = createUiClient({
  routes,
  urlOf: uiUrl,
  init: { credentials: "same-origin", cache: "no-store" },
});
