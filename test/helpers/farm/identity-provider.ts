import { createSign, generateKeyPairSync, type KeyObject } from "node:crypto";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { type Adapter, type Payload, Provider, type Settings } from "oidc-provider";
import { createAsk } from "../../../agent/outbound/ask.ts";
import { systemClock } from "../../../shared/basics/system-clock.ts";
import type { Answer, Ask, Question } from "../../../shared/outbound/ask.ts";

type Key = { readonly kid: string; readonly key: KeyObject };
/** Changes what the farm hears of the provider. */
export type Lie = (answer: Answer, question: Question) => Answer | Promise<Answer>;

export const clientId = "mediafarm";
export const clientSecret = "a-client-secret-of-the-studio";

export type TestProvider = Awaited<ReturnType<typeof startIdentityProvider>>;

/**
 * A real OpenID Connect provider on this machine, at which people sign in without a password: whoever `signsInAs` says. Its keys
 * can be changed, and what the farm hears of it can be made a lie.
 */
export const startIdentityProvider = async (farmOrigin: string, host = "127.0.0.1") => {
  let listener: RequestListener = (_request, response) => void response.end();
  const server = createServer((request, response) => listener(request, response));
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  const issuer = `http://${host}:${(server.address() as AddressInfo).port}`; // it listens on a port
  const people = new Map<string, Readonly<Record<string, unknown>>>();
  const asked: string[] = [];
  let key = newKey("first");
  let lie: Lie = (answer) => answer;
  let signsInAs = "";
  let hear: (token: string, url: string) => Promise<number> = async () => 200;
  const tell = async (url: string, body: string): Promise<Response> =>
    new Response(null, { status: await hear(new URLSearchParams(body).get("logout_token") ?? "", url) });

  const adapter = createAdapters();
  const useKey = (next: Key): void => {
    key = next;
    const provider = new Provider(issuer, {
      ...{ ...settingsFor(farmOrigin, people, key), adapter },
      fetch: (url, { body }) => tell(url, String(body)),
    });
    // What goes wrong inside is answered to the browser as well.
    provider.on("server_error", () => {});
    const answer = provider.callback();
    listener = (request, response) => {
      if (!request.url?.startsWith("/interaction/")) return void answer(request, response);
      void provider.interactionFinished(request, response, { login: { accountId: signsInAs } });
    };
  };
  useKey(key);

  const reallyAsk = createAsk(systemClock);
  const ask: Ask = async (question) => {
    asked.push(new URL(question.url).pathname);
    return lie(await reallyAsk(question), question);
  };

  return {
    issuer,
    people,
    /** Paths that the farm asked for. */
    asked,
    ask,
    lieBy: (next: Lie): void => {
      lie = next;
    },
    rotateKeys: (): Key => {
      const old = key;
      useKey(newKey(`${key.kid}+`));
      return old;
    },
    key: () => key,
    /** What becomes of the logout tokens that it sends, and where they go: gives the status that it is answered with. */
    tellSignOuts: (next: (token: string, url: string) => Promise<number>): void => {
      hear = next;
    },
    /** A browser signs out at it, and says that it means it. */
    signOut: async (cookies: Map<string, string>): Promise<void> => {
      const cookie = () => [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
      const asked = await fetch(`${issuer}/session/end`, { headers: { cookie: cookie() } });
      const form = await asked.text();
      const xsrf = /name="xsrf" value="([^"]*)"/.exec(form)?.[1] ?? "";
      for (const each of asked.headers.getSetCookie()) {
        const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(each) ?? [];
        cookies.set(name, value);
      }
      const body = new URLSearchParams({ xsrf, logout: "yes" });
      const headers = { cookie: cookie() };
      const done = await fetch(`${issuer}/session/end/confirm`, { method: "POST", redirect: "manual", headers, body });
      if (done.status >= 400) throw new Error(`the provider answers ${done.status}: ${await done.text()}`);
    },
    /** Who signs in at it from now on. */
    letIn: (who: string): void => {
      signsInAs = who;
    },
    /** Lets a browser sign in as somebody; gives where the provider sends the browser. `cookies` are those of the browser. */
    visit: async (address: string, who: string, cookies = new Map<string, string>()): Promise<URL> => {
      signsInAs = who;
      for (let url = new URL(address); ; ) {
        const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
        const response = await fetch(url, { redirect: "manual", headers: { cookie } });
        for (const each of response.headers.getSetCookie()) {
          const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(each) ?? [];
          if (value === "") cookies.delete(name);
          else cookies.set(name, value);
        }
        const location = response.headers.get("location");
        if (location === null) throw new Error(`the provider answers ${response.status}: ${await response.text()}`);
        url = new URL(location, url);
        if (url.origin !== issuer) return url;
      }
    },
    close: (): Promise<void> =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};

export const newKey = (kid: string): Key => ({
  kid,
  key: generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey,
});

/** A token like the given one with other claims, signed with a key. */
export const forgedToken = (token: string, { kid, key }: Key, claims: object, alg = "RS256"): string => {
  const [, body = ""] = token.split(".");
  const given = JSON.parse(Buffer.from(body, "base64url").toString());
  const text = [
    { alg, kid },
    { ...given, ...claims },
  ].map((part) => Buffer.from(JSON.stringify(part)).toString("base64url"));
  const signature = alg === "none" ? "" : createSign("sha256").update(text.join(".")).sign(key, "base64url");
  return [...text, signature].join(".");
};

/** Everything in memory, also across a change of keys. */
const createAdapters = (): Settings["adapter"] => {
  const kept = new Map<string, Payload>();
  return (model): Adapter => ({
    upsert: async (id, payload) => void kept.set(`${model} ${id}`, payload),
    find: async (id) => kept.get(`${model} ${id}`),
    findByUid: async (uid) => [...kept.values()].find((each) => each.uid === uid),
    findByUserCode: async () => undefined,
    consume: async (id) => {
      const found = kept.get(`${model} ${id}`);
      if (found) kept.set(`${model} ${id}`, { ...found, consumed: 1 });
    },
    destroy: async (id) => void kept.delete(`${model} ${id}`),
    revokeByGrantId: async (grant) => {
      for (const [key, { grantId }] of kept) if (grantId === grant) kept.delete(key);
    },
  });
};

/** The page on which people say that they want to sign out. */
const askToLeave = (context: { body: string }, form: string): void => {
  const button = '<button form="op.logoutForm" name="logout" value="yes">Yes, sign me out</button>';
  context.body = `<!doctype html><title>Sign out</title>${form}${button}`;
};

const settingsFor = (
  farmOrigin: string,
  people: ReadonlyMap<string, Readonly<Record<string, unknown>>>,
  { kid, key }: Key,
): Omit<Settings, "adapter" | "fetch"> => ({
  clients: [
    {
      client_id: clientId,
      client_secret: clientSecret,
      redirect_uris: [`${farmOrigin}/signed-in/studio`],
      post_logout_redirect_uris: [`${farmOrigin}/`],
      backchannel_logout_uri: `${farmOrigin}/signed-out/studio`,
      backchannel_logout_session_required: true,
    },
  ],
  claims: { openid: ["sub"], profile: ["preferred_username", "groups"] },
  features: {
    devInteractions: { enabled: false },
    rpInitiatedLogout: { enabled: true, logoutSource: askToLeave },
    backchannelLogout: { enabled: true },
  },
  pkce: { required: () => true },
  ttl: { Interaction: 600, Grant: 600, Session: 600, AccessToken: 600, IdToken: 3600 },
  cookies: { keys: ["a key of the test's provider"] },
  jwks: { keys: [{ ...key.export({ format: "jwk" }), kid, use: "sig", alg: "RS256" }] },
  interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
  findAccount: (_context, accountId) => ({
    accountId,
    claims: async () => ({ sub: accountId, ...people.get(accountId) }),
  }),
  // Nobody is asked whether they agree.
  loadExistingGrant: async ({ oidc }) => {
    const { client, session } = oidc;
    const grant = new oidc.provider.Grant({ clientId: client?.clientId ?? "", accountId: session?.accountId ?? "" });
    grant.addOIDCScope("openid profile");
    await grant.save();
    return grant;
  },
});
