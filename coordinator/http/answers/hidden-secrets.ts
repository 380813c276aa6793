import type { FastifyInstance } from "fastify";
import { redactJson, showsSecret } from "../../../shared/credentials/redact.ts";
import type { TimeSlice } from "../../kernel/time-slice.ts";
import { atOnce } from "./printed-answers.ts";

/** What a handler forgot to hide goes out hidden. Nothing but the documents of our own routes is JSON. */
export const hideSecrets = (app: FastifyInstance, timeSlice: TimeSlice): void => {
  app.addHook("onSend", async ({ routeOptions }, reply, payload) => {
    if (typeof payload !== "string" || routeOptions.config.echoes) return payload;
    if (!String(reply.getHeader("content-type")).startsWith("application/json")) return payload;
    return (await showsSecretAnywhere(payload, timeSlice)) ? redactJson(payload) : payload;
  });
};

/** What shows a secret is found within so many characters. */
const overlap = 2000;

const showsSecretAnywhere = async (text: string, timeSlice: TimeSlice): Promise<boolean> => {
  if (text.length <= atOnce) return showsSecret(text);
  for (let from = 0; from < text.length; from += atOnce)
    if (await timeSlice(() => showsSecret(text.slice(from, from + atOnce + overlap)))) return true;
  return false;
};
