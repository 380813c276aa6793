import { describe, expect, test } from "vitest";
import { ruleFor } from "../../../coordinator/identity/ask-provider.ts";
import { decideEntry } from "../../../coordinator/identity/decide.ts";
import {
  consequencesOf,
  type IdentitySettings,
  type Provider,
  withoutProvider,
  withProvider,
} from "../../../coordinator/identity/settings.ts";
import { Secret } from "../../../shared/basics/secret.ts";
import { type GivenIdentityProvider, identityProvider } from "../../../shared/people/identity.ts";

const given = (changes: Partial<GivenIdentityProvider> = {}) =>
  identityProvider.parse({
    ...{ name: "studio", issuer: "https://login.example", client_id: "farm" },
    ...{ roles: { owner: ["admins"], operator: ["editors"], viewer: ["staff"] }, ...changes },
  });
const provider = (changes: Partial<GivenIdentityProvider> = {}, secret: string | null = "s"): Provider => ({
  ...given(changes),
  client_secret: secret === null ? null : new Secret(secret),
});
const settings = (...providers: Provider[]): IdentitySettings => ({ passwords: true, second_step: null, providers });
const secretsIn = ({ providers }: IdentitySettings) => providers.map((each) => each.client_secret?.reveal() ?? null);

describe("a provider", () => {
  test.each<[string, Partial<GivenIdentityProvider>]>([
    ["without TLS on another machine", { issuer: "http://login.example" }],
    ["with a password in its address", { issuer: "https://a:b@login.example" }],
    ["with a query", { issuer: "https://login.example?x" }],
    ["that is no web address", { issuer: "javascript:alert(1)" }],
    ["whose name leaves its place in the address", { name: "../x" }],
    ["without any group", { roles: { owner: [], operator: [], viewer: [] } }],
    ["with a scope that is two", { scopes: ["a b"] }],
    ["whose sessions never end", { session_hours: 0 }],
  ])("%s is refused", (_, changes) => {
    expect(() => given(changes)).toThrow();
  });

  test("may be on the machine itself without TLS", () => {
    for (const issuer of ["http://localhost:8080/realms/x", "http://127.0.0.1:1", "http://[::1]:1"])
      expect(given({ issuer }).issuer).toBe(issuer);
  });

  test("alone is what its rule opens", () => {
    expect(
      ["https://a.example", "https://a.example:8443/x", "http://127.0.0.1:1/", "https://[fd00::1]:8443"].map(ruleFor),
    ).toEqual([...["a.example:443", "a.example:8443", "127.0.0.1:1", "[fd00::1]:8443"]]);
  });
});

describe("a secret that is not given anew", () => {
  test("goes on to the same client of the same issuer, and to no other", () => {
    const before = settings(provider());
    expect(secretsIn(withProvider(before, given({ session_hours: 1 })))).toEqual(["s"]);
    expect(secretsIn(withProvider(before, given({ issuer: "https://evil.example" })))).toEqual([null]);
    expect(secretsIn(withProvider(before, given({ client_id: "other" })))).toEqual([null]);
    expect(secretsIn(withProvider(before, given({ client_secret: null })))).toEqual([null]);
    expect(secretsIn(withProvider(before, given({ client_secret: "t" })))).toEqual(["t"]);
    expect(secretsIn(withProvider(before, given({ name: "two", issuer: "https://b.example" })))).toEqual(["s", null]);
  });
});

test("two providers never vouch as the same issuer, and there are twenty at most", () => {
  for (const spelled of ["https://a.example", "https://A.example/", "HTTPS://a.example:443"])
    expect(() =>
      withProvider(settings(provider({ issuer: "https://a.example" })), given({ name: "two", issuer: spelled })),
    ).toThrow(/has the issuer/);
  const many = Array.from({ length: 20 }, (_, nr) => provider({ name: `p${nr}`, issuer: `https://p${nr}.example` }));
  expect(() => withProvider(settings(...many), given())).toThrow(/20 providers already/);
  expect(withProvider(settings(...many), given({ name: "p7", issuer: "https://new.example" })).providers).toHaveLength(
    20,
  );
});

test("the last provider stays while passwords open nothing", () => {
  expect(() => withoutProvider({ ...settings(provider()), passwords: false }, "studio")).toThrow(/only way to sign in/);
  expect(withoutProvider(settings(provider()), "studio").providers).toEqual([]);
  expect(() => withoutProvider(settings(), "studio")).toThrow(/no identity provider/);
});

test("a change means for who is signed in: nothing, a new sign-in, or the end", () => {
  const before = settings(provider());
  const issuer = "https://login.example";
  const now = (changes: Partial<GivenIdentityProvider>) => consequencesOf(before, settings(provider(changes)));
  expect(now({})).toEqual([]);
  expect(now({ name: "renamed", scopes: ["openid"], name_claim: "email" })).toEqual([]);
  for (const changes of [{ client_id: "x" }, { session_hours: 1 }, { groups_claim: "x" }])
    expect(now(changes)).toEqual([{ issuer, people: "sign in again" }]);
  expect(now({ roles: { owner: [], operator: [], viewer: ["staff"] } })).toEqual([{ issuer, people: "sign in again" }]);
  expect(now({ issuer: "https://other.example" })).toEqual([{ issuer, people: "go" }]);
  expect(consequencesOf(before, { ...before, passwords: false })).toEqual([{ issuer: null, people: "sign in again" }]);
  expect(consequencesOf({ ...before, passwords: false }, before)).toEqual([]);
});

describe("who may enter", () => {
  const decide = (claims: Record<string, unknown>, changes: Partial<GivenIdentityProvider> = {}) =>
    decideEntry("u1", claims, provider(changes));

  test.each([
    [["staff", "admins"], "owner"],
    [["staff", "editors"], "operator"],
    ["staff", "viewer"],
  ])("of the groups %s is %s", (groups, role) => {
    expect(decide({ groups })).toMatchObject({ may: "enter", role });
  });

  test.each([[[]], [["STAFF"]], [["staff "]], [""], [undefined], [null], [7], [{ staff: true }], [["staff", 7]]])(
    "of the groups %j is nobody",
    (groups) => {
      expect(decide({ groups }).may).toBe("not");
    },
  );

  test("is told what to do where the groups are not there", () => {
    expect(decide({})).toMatchObject({ why: "studio does not say which groups you are in (claim groups)" });
    expect(decide({ _claim_names: { groups: "src1" } })).toMatchObject({
      why: expect.stringMatching(/too many for it/),
    });
  });

  test("gets the name of the claim, else one that is there, and never one that is none", () => {
    const namesOf = (claims: Record<string, unknown>, changes = {}) => {
      const entry = decide({ groups: ["staff"], ...claims }, changes);
      return entry.may === "enter" ? entry.names[0] : undefined;
    };
    expect(namesOf({ preferred_username: "ada", name: "Ada L." })).toBe("ada");
    expect(namesOf({ preferred_username: "ada", name: "Ada L." }, { name_claim: "name" })).toBe("Ada L.");
    expect(namesOf({ preferred_username: 7, email: "ada@x.example" })).toBe("ada@x.example");
    expect(namesOf({ preferred_username: " .. ", name: "A\u0000\u202eda" })).toBe("A  da");
    expect(namesOf({})).toBe("u1");
    expect(namesOf({ name: "x".repeat(500) })).toBe("x".repeat(100));
  });
});
