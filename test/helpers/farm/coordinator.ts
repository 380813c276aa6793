import type { z } from "zod";
import { coordinatorConfig } from "../../../coordinator/config.ts";
import { startCoordinator } from "../../../coordinator/coordinator.ts";
import { createTestClock } from "../clock.ts";
import { endOwnWatch, watchOwnLoop } from "../loop/in-process.ts";
import { silentLog } from "./farm.ts";

export type TestCoordinator = Awaited<ReturnType<typeof openTestCoordinator>>;

type Call = { readonly body?: unknown; readonly headers?: Record<string, string | undefined> };

/**
 * A whole coordinator on a free port, its clock moved by hand, and requests with both layers unless told otherwise. Its
 * close fails if it kept its loop from others for too long.
 */
export const openTestCoordinator = async (
  dataDir: string,
  changes: Partial<z.input<typeof coordinatorConfig>> = {},
  outside: Pick<Parameters<typeof startCoordinator>[1], "openStore" | "deliver"> = {},
) => {
  const clock = createTestClock();
  const doors = { restMs: 0, ...changes.doors }; // the clock stands still: callers would rest for ever
  const config = coordinatorConfig.parse({ dataDir, port: 0, ...changes, doors });
  const coordinator = await startWatched(config, { clock, random: () => 0, log: silentLog, ...outside });
  const secrets = coordinator.firstCredentials;
  if (!secrets) throw new Error("the folder was used before");
  const origin = coordinator.baseUrl.replace(/\/v1$/, "");
  const pair = `Basic ${btoa(`${secrets.oapiKey}:${secrets.oapiSecret}`)}`;

  /** `path` begins behind the origin. A body that is text goes out as it is; a header set to undefined stays away. */
  const ask = async (method: string, path: string, { body, headers = {} }: Call = {}) => {
    const all = {
      authorization: pair,
      "x-service-compliance": "20261101",
      "content-type": "application/json",
      ...headers,
    };
    const sent = Object.entries(all).filter((each): each is [string, string] => each[1] !== undefined);
    const text = body === undefined || typeof body === "string" ? body : JSON.stringify(body);
    const response = await fetch(origin + path, { method, headers: Object.fromEntries(sent), body: text });
    const answer = await response.text();
    // What the API answers; each test looks at the fields it knows.
    return { status: response.status, body: JSON.parse(answer || "{}"), headers: response.headers };
  };

  const logIn = async (): Promise<string> => {
    const { body } = await ask("POST", "/v1/login", {
      body: { auth_key: secrets.authKey, auth_secret: secrets.authSecret },
    });
    return body.token;
  };

  const token = await logIn();
  return {
    folder: dataDir,
    coordinator,
    clock,
    secrets,
    origin,
    token,
    ask,
    logIn,
    /** With a token as well. */
    api: (method: string, path: string, call: Call = {}) =>
      ask(method, `/v1${path}`, { ...call, headers: { "x-service-sapiauth": token, ...call.headers } }),
  };
};

const startWatched: typeof startCoordinator = async (...args) => {
  const coordinator = await startCoordinator(...args);
  watchOwnLoop();
  const close = async (): Promise<void> => {
    const requireFree = endOwnWatch(); // whoever ends serves nobody any more
    await coordinator.close();
    requireFree();
  };
  return { ...coordinator, close };
};
