import { expect, test } from "vitest";
import { Secret } from "../../../shared/basics/secret.ts";
import { countCrypto } from "../../helpers/counted-crypto.ts";
import { goodPassword, openTestDoors } from "../../helpers/farm/doors.ts";
import { aWorldPerTest } from "../../helpers/farm/worlds.ts";

const world = aWorldPerTest({ open: openTestDoors, close: (doors) => doors.close() });

/** Somebody of each kind, and somebody who does not exist. */
const refusedNames = async (): Promise<string[]> => {
  const { people } = world();
  await people.create("Ada", new Secret(goodPassword), "owner");
  await people.create("Vera", new Secret(goodPassword), "viewer");
  const vouched = { issuer: "https://id.test", subject: "1", names: ["Ida"], role: "viewer", sid: null } as const;
  await people.signInVouched(vouched, 60_000);
  return ["Ada", "ＡＤＡ", "Vera", "Ida", "Nobody"]; // as many as are tried without a delay
};

test("a wrong password takes the same work for every name, whether it exists or not", async () => {
  const names = await refusedNames();
  const work = countCrypto();
  const asked: string[][] = [];
  for (const name of names)
    asked.push(
      await work.of(async () => {
        const { status, text } = await world().signIn(name, "a wrong password");
        expect([status, text]).toEqual([401, expect.stringContaining("NOT_AUTHENTICATED")]);
      }),
    );
  expect(asked[0]?.filter((each) => each.startsWith("scrypt"))).toHaveLength(1);
  for (const each of asked) expect(each).toEqual(asked[0]);
});

test("a wrong secret of a program takes the same work for every key, whether it exists or not", async () => {
  const { enterAsProgram, inject, credentials } = world();
  const { "x-service-sapiauth": _, ...headers } = await enterAsProgram();
  const key = credentials?.authKey ?? "";
  const work = countCrypto();
  const tryKey = (authKey: string) =>
    work.of(async () => {
      const { status } = await inject({
        ...{ method: "POST", url: "/v1/login", headers },
        payload: { auth_key: authKey, auth_secret: "wrong".repeat(8) },
      });
      expect(status).toBe(401);
    });
  const known = await tryKey(key);
  expect(known).toContain("timingSafeEqual");
  expect(await tryKey(`${key.slice(0, -1)}x`)).toEqual(known);
  expect(await tryKey("api_nobody")).toEqual(known);
});
