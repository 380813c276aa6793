import type { FastifyInstance, InjectOptions } from "fastify";
import { createAlerts } from "../../../coordinator/alerts/alerts.ts";
import { createBackups } from "../../../coordinator/backup/backups.ts";
import type { CoordinatorChoices } from "../../../coordinator/config.ts";
import { openJoinTokens } from "../../../coordinator/connections/join-tokens.ts";
import { createIdentity } from "../../../coordinator/identity/identity.ts";
import { createAccounts } from "../../../coordinator/people/accounts.ts";
import { createTokens } from "../../../coordinator/people/api-tokens.ts";
import { createMachineKey } from "../../../coordinator/people/machine-key.ts";
import { createPasswords } from "../../../coordinator/people/passwords.ts";
import { createPeople, type People } from "../../../coordinator/people/people.ts";
import { createApp } from "../../../coordinator/routes/app.ts";
import { createSecondSteps } from "../../../coordinator/second-steps/second-steps.ts";
import { createVault } from "../../../coordinator/secrets/vault.ts";
import { createLead } from "../../../coordinator/standby/hand-over.ts";
import { openTraces } from "../../../coordinator/tracing/settings.ts";
import { createTracing } from "../../../coordinator/tracing/tracing.ts";
import { createWebhooks } from "../../../coordinator/webhooks/webhooks.ts";
import { uiBase } from "../../../shared/api/ui/ui-api.ts";
import { Secret } from "../../../shared/basics/secret.ts";
import type { Ask } from "../../../shared/outbound/ask.ts";
import type { Role } from "../../../shared/people/person.ts";
import type { Power } from "../../../shared/people/scopes.ts";
import { createTestClock } from "../clock.ts";
import { openTestFarm, type TestFarm } from "./farm.ts";

/** Hashes that cost next to nothing: tests ask who comes in, not how hard a guess is. */
export const cheapPasswords = () => createPasswords(createTestClock(), { logN: 4, r: 1, p: 1 });

export const goodPassword = "long enough";

/** What a browser sends with a change from our own pages. */
export const fromOwnPages = { origin: "http://farm.test", host: "farm.test" };

export type TestDoors = Awaited<ReturnType<typeof openTestDoors>>;

/** A farm with its HTTP doors, asked without a network. */
export const openTestDoors = async (
  folder: string,
  {
    askOutside,
    ...options
  }: Partial<Pick<CoordinatorChoices, "pagesDir" | "metricsKey" | "proxies" | "doors">> & {
    readonly askOutside?: Ask;
  } = {},
) => {
  const world: TestFarm = await openTestFarm(folder, {
    config: {
      ...{ pagesDir: `${folder}/no-pages`, hostNames: ["farm.test"] },
      // The clock stands still: strangers who wait for their turn, and callers who rest, would wait for ever.
      doors: { strangerRequests: 100_000, restMs: 0 },
      ...options,
    },
  });
  const { farm } = world;
  const { clock } = farm;
  const vault = createVault(folder);
  const accounts = createAccounts(farm.store, vault, clock);
  const tokens = createTokens(farm.store, clock, farm.config.tokenMs);
  const credentials = await accounts.ensureFirst();
  const people: People = createPeople(farm.store, cheapPasswords(), clock);
  const identity = createIdentity({ farm, people, ask: askOutside });
  const steps = createSecondSteps({ farm, people });
  const origin = { host: "machine", version: "1.2.3", started: clock.now() };
  const machine = createMachineKey(folder);
  const join = await openJoinTokens({ ...farm, vault }, () => "farm.test:8700");
  const backups = createBackups(farm);
  const webhooks = createWebhooks({ farm, outbox: world.outbox, deliver: undefined });
  const tracing = createTracing({ farm, settings: undefined, ask: askOutside, about: origin });
  const traces = await openTraces({ store: farm.store, vault, tracing, environment: undefined });
  const alerts = createAlerts({
    farm,
    webhooks,
    backups,
    tls: undefined,
    deliver: undefined,
    dashboard: () => "http://farm.test/",
  });
  const { app }: { readonly app: FastifyInstance } = await createApp({
    farm,
    accounts,
    tokens,
    people,
    identity,
    steps,
    machine,
    join,
    backups,
    alerts,
    webhooks,
    traces,
    lead: createLead({ lease: undefined, address: () => "http://farm.test:8700", handOver: undefined }),
    origin,
  });

  const inject = async (request: InjectOptions) => {
    const response = await app.inject(request);
    const isJson = String(response.headers["content-type"]).startsWith("application/json");
    return {
      status: response.statusCode,
      headers: response.headers,
      text: response.body,
      body: isJson ? response.json() : undefined,
      /** The value of the session's cookie that was set, "" where it was taken back. */
      cookie: /^mediafarm_session=([^;]*)/.exec(String(response.headers["set-cookie"] ?? ""))?.[1],
    };
  };

  const ask = (method: "GET" | "POST" | "PUT" | "DELETE", path: string, cookie?: string, body?: object) =>
    inject({
      method,
      url: uiBase + path,
      headers: { ...fromOwnPages, ...(cookie === undefined ? {} : { cookie: `mediafarm_session=${cookie}` }) },
      ...(body ? { payload: body } : {}),
    });

  const signIn = (name: string, password = goodPassword) => ask("POST", "/session", undefined, { name, password });

  return {
    ...world,
    app,
    people,
    machine,
    credentials,
    inject,
    ask,
    signIn,
    /** Makes somebody and signs them in; gives the cookie. */
    enter: async (role: Role, name: string = role): Promise<string> => {
      await people.create(name, new Secret(goodPassword), role);
      const { cookie } = await signIn(name);
      if (!cookie) throw new Error(`${name} was not let in`);
      return cookie;
    },
    /** Headers with which a program is let in by both layers: the first one, which may do everything, or a new one. */
    enterAsProgram: async (power?: Power, name = "a program") => {
      const pair = {
        authorization: `Basic ${btoa(`${credentials?.oapiKey}:${credentials?.oapiSecret}`)}`,
        "x-service-compliance": "20261101",
      };
      const first = { auth_key: credentials?.authKey, auth_secret: credentials?.authSecret };
      const made = power && (await accounts.createUser(name, power));
      const payload = made ? { ...made, auth_secret: made.auth_secret.reveal() } : first;
      const { body } = await inject({ method: "POST", url: "/v1/login", headers: pair, payload });
      return { ...pair, "x-service-sapiauth": String(body.token), "content-type": "application/json" };
    },
    close: async () => {
      await app.close();
      await world.close();
    },
  };
};
