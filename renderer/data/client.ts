import { uiBase } from "../../shared/ui-api.ts";
import { createUiClient } from "../../shared/ui-client.ts";

/** Beside the page, wherever that was loaded from. */
export const uiUrl = (path: string): string => new URL(`.${uiBase}${path}`, document.baseURI).href;

/** One request by its route's name, with the session's cookie. */
export const request = createUiClient({ urlOf: uiUrl, init: { credentials: "same-origin", cache: "no-store" } });
