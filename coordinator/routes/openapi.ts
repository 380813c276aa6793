import { api } from "../../shared/api.ts";
import { openApiOf } from "../../shared/openapi.ts";
import type { Handlers } from "../http/server.ts";

/** Made when somebody first asks: most farms are never asked. */
export const openApiHandlers = (version: string): Pick<Handlers, "getOpenApi"> => {
  let made: ReturnType<typeof openApiOf> | undefined;
  return {
    getOpenApi: () => {
      made ??= openApiOf(api, version);
      return made;
    },
  };
};
