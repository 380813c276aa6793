import { createHmac } from "node:crypto";
import { systemClock } from "../../shared/basics/system-clock.ts";
import { aFolder } from "../helpers/agent/agent-fixture.ts";
import { goodPassword } from "../helpers/farm/doors.ts";
import { clientId, clientSecret, forgedToken, newKey } from "../helpers/farm/identity-provider.ts";
import { answerIn, type Browser, type IdentityStory, openIdentityStory } from "../helpers/farm/identity-story.ts";
import type { Attack, Tally } from "./attack.ts";

type Got = string | undefined | false;
/** Ada has a password and the role of an operator; at the provider, u1 is an admin, u2 may look, u3 nothing. */
type Way = readonly [what: string, attempt: (story: IdentityStory, ada: Browser) => Promise<Got>];

const again = { password: goodPassword };
const begin = async ({ request }: IdentityStory, browser: Browser, payload: object = again) =>
  String((await request(browser, "POST", "/links/studio", payload)).body.go_to);
const finish = (story: IdentityStory, browser: Browser, url: URL) =>
  story.request(browser, "PUT", "/links/studio", answerIn(url));
const link = async (story: IdentityStory, browser: Browser, who: string) =>
  finish(story, browser, await story.visit(await begin(story, browser), who));
const refused = ({ status, body }: { status: number; body: unknown }): Got =>
  status >= 400 && status < 500 ? undefined : `${status} ${JSON.stringify(body).slice(0, 200)}`;
const roleOf = async ({ request }: IdentityStory, browser: Browser): Promise<string> => {
  const { status, body } = await request(browser, "GET", "/session");
  return status === 200 ? `${body.name} ${body.role}` : String(status);
};

const event = "http://schemas.openid.net/event/backchannel-logout";
const tokenWith = ({ provider }: IdentityStory, claims: object, key = provider.key(), alg = "RS256"): string => {
  const now = Math.floor(systemClock.now() / 1000);
  const given = {
    ...{ iss: provider.issuer, aud: clientId, sub: "u2", iat: now, exp: now + 120 },
    ...{ jti: `jti ${Math.random()}`, events: { [event]: {} } },
  };
  return forgedToken(`x.${Buffer.from(JSON.stringify(given)).toString("base64url")}.x`, key, claims, alg);
};
const tell = (story: IdentityStory, token: string, name = "studio") => {
  story.keepUp();
  return story.doors.inject({
    ...{ method: "POST", url: `/signed-out/${name}`, payload: new URLSearchParams({ logout_token: token }).toString() },
    headers: { host: "farm.test", "content-type": "application/x-www-form-urlencoded" },
  });
};
/** Whether somebody who came by the provider is signed in still. */
const staysIn = async (story: IdentityStory, tokenOf: () => string): Promise<Got> => {
  const browser: Browser = new Map();
  await story.signInAt("u2", browser);
  await tell(story, tokenOf());
  const role = await roleOf(story, browser);
  return role !== "eve viewer" && role;
};

const links: readonly Way[] = [
  [
    "a link that was begun in another browser",
    async (story, ada) => {
      const url = await story.visit(await begin(story, ada), "u2");
      const eve = await story.withPassword("viewer", "Eve");
      return refused(await finish(story, eve, url));
    },
  ],
  [
    "a link finished by a browser that took its cookie along",
    async (story, ada) => {
      const url = await story.visit(await begin(story, ada), "u2");
      const eve = await story.withPassword("viewer", "Eve");
      for (const [name, value] of ada) if (!name.startsWith("mediafarm_session")) eve.set(name, value);
      return refused(await finish(story, eve, url));
    },
  ],
  [
    "a sign-in that ends as a link",
    async (story, ada) => {
      const { body } = await story.request(ada, "POST", "/sign-ins/studio", {});
      return refused(await finish(story, ada, await story.visit(body.go_to, "u2")));
    },
  ],
  [
    "a link that ends as a sign-in",
    async (story, ada) => {
      const url = await story.visit(await begin(story, ada), "u1");
      return refused(await story.request(ada, "PUT", "/sign-ins/studio", answerIn(url)));
    },
  ],
  ["a link without the password", async (story, ada) => refused(await story.request(ada, "POST", "/links/studio", {}))],
  [
    "a link with another's password",
    async (story, ada) => refused(await story.request(ada, "POST", "/links/studio", { password: "not hers at all" })),
  ],
  [
    "the same answer five times at once",
    async (story, ada) => {
      const url = await story.visit(await begin(story, ada), "u2");
      const tries = await Promise.all([1, 2, 3, 4, 5].map(() => finish(story, new Map(ada), url)));
      const taken = tries.filter(({ status }) => status === 200).length;
      return taken > 1 && `${taken} times`;
    },
  ],
  [
    "one account for two people, at once",
    async (story, ada) => {
      const bob = await story.withPassword("operator", "Bob");
      const urls: URL[] = [];
      for (const each of [ada, bob]) urls.push(await story.visit(await begin(story, each), "u2"));
      const [one, other] = await Promise.all([ada, bob].map((each, at) => finish(story, each, urls[at] as URL)));
      return one?.status === 200 && other?.status === 200 && "both have it";
    },
  ],
  [
    "a stronger role by the account's groups",
    async (story, ada) => {
      await link(story, ada, "u1");
      const browser: Browser = new Map();
      await story.signInAt("u1", browser);
      const role = await roleOf(story, browser);
      return role !== "Ada operator" && role;
    },
  ],
  [
    "a role that was narrowed, by the account's groups",
    async (story, ada) => {
      await link(story, ada, "u1");
      await story.request(story.root, "PUT", "/people/Ada", { only_tags: ["own"] });
      const browser: Browser = new Map();
      await story.signInAt("u1", browser);
      const answer = await story.request(browser, "POST", "/presets", {
        key: "x",
        name: "x",
        kind: "copy",
        payload: {},
      });
      return refused(answer);
    },
  ],
  [
    "an account whose groups open nothing",
    async (story, ada) => {
      await link(story, ada, "u2");
      story.provider.people.set("u2", { preferred_username: "eve", groups: ["elsewhere"] });
      return refused(await story.signInAt("u2"));
    },
  ],
  [
    "a link that was ended, used once more",
    async (story, ada) => {
      await link(story, ada, "u2");
      const browser: Browser = new Map();
      await story.signInAt("u2", browser);
      await story.request(ada, "DELETE", "/links/studio", again);
      const role = await roleOf(story, browser);
      return role !== "401" && role;
    },
  ],
  [
    "a link of somebody who was removed",
    async (story, ada) => {
      await link(story, ada, "u2");
      await story.request(story.root, "DELETE", "/people/Ada");
      const browser: Browser = new Map();
      await story.signInAt("u2", browser);
      const role = await roleOf(story, browser);
      return role !== "eve viewer" && role;
    },
  ],
  [
    "somebody else's link, ended by a viewer",
    async (story, ada) => {
      await link(story, ada, "u2");
      const eve = await story.withPassword("viewer", "Eve");
      return refused(await story.request(eve, "DELETE", "/people/Ada/links/studio"));
    },
  ],
];

const tokens: readonly (readonly [what: string, tokenOf: (story: IdentityStory) => string])[] = [
  ["by the client's secret", (story) => signedBySecret(story, clientSecret)],
  ["by the public key as a secret", (story) => tokenWith(story, {}, story.provider.key(), "HS256")],
  [
    "by a key of one's own with its kid",
    (story) => tokenWith(story, {}, { ...newKey("x"), kid: story.provider.key().kid }),
  ],
  ["without a signature", (story) => tokenWith(story, {}, story.provider.key(), "none")],
  ["for another program beside", (story) => tokenWith(story, { aud: ["another"] })],
  ["from an issuer that begins alike", (story) => tokenWith(story, { iss: `${story.provider.issuer}.evil.example` })],
  ["from an issuer in a list", (story) => tokenWith(story, { iss: [story.provider.issuer] })],
  ["about a name that is written alike", (story) => tokenWith(story, { sub: "U2" })],
  ["about a name with a space", (story) => tokenWith(story, { sub: "u2 " })],
  ["about everybody", (story) => tokenWith(story, { sub: "%" })],
  ["about a session that is not theirs", (story) => tokenWith(story, { sid: "another session" })],
  ["about a session of nobody", (story) => tokenWith(story, { sub: undefined, sid: "%" })],
  ["of tomorrow", (story) => tokenWith(story, { iat: Math.floor(systemClock.now() / 1000) + 86_400, exp: 9e9 })],
  ["of yesterday that ends never", (story) => tokenWith(story, { iat: 1, exp: 9e9 })],
];

const signedBySecret = (story: IdentityStory, secret: string): string => {
  const [, body = ""] = tokenWith(story, {}).split(".");
  const head = Buffer.from(JSON.stringify({ alg: "HS256", typ: "logout+jwt" })).toString("base64url");
  return `${head}.${body}.${createHmac("sha256", secret).update(`${head}.${body}`).digest("base64url")}`;
};

/** People, browsers and forged tokens at the way in by an identity provider, which is a real one. */
export const providers: Attack = {
  name: "identity providers",
  run: async () => [
    await tally("accounts that are linked", links),
    await tally(
      "tokens that sign somebody out",
      tokens.map(([what, tokenOf]): Way => [what, (story) => staysIn(story, () => tokenOf(story))]),
    ),
  ],
};

const tally = async (what: string, ways: readonly Way[]): Promise<Tally> => {
  const fell: string[] = [];
  for (const [way, attempt] of ways) {
    const { path, remove } = await aFolder();
    const story = await openIdentityStory(path);
    try {
      await story.put();
      const ada = await story.withPassword("operator", "Ada");
      const people = { u1: ["lovelace", "admins"], u2: ["eve", "staff"], u3: ["nobody", "none"] };
      for (const [id, [preferred_username, group]] of Object.entries(people))
        story.provider.people.set(id, { preferred_username, groups: [group] });
      const got = await attempt(story, ada);
      if (got) fell.push(`${way}: ${got}`);
    } catch (problem) {
      fell.push(`${way}: it broke: ${problem}`);
    } finally {
      await story.close();
      await remove();
    }
  }
  return { what, tried: ways.length, fell };
};
