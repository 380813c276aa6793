import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { uiBase } from "../../../shared/api/ui/ui-api.ts";
import { scopes } from "../../../shared/people/scopes.ts";
import { turns } from "../../helpers/clock.ts";
import { fromOwnPages, goodPassword, openTestDoors } from "../../helpers/farm/doors.ts";
import { aSmallJob } from "../../helpers/farm/farm.ts";
import { aWorldPerTest } from "../../helpers/farm/worlds.ts";

/** Whoever was let in may lose that right before their request is over. */
const doors = aWorldPerTest({ open: openTestDoors, close: ({ close }) => close() });

type Asked = { readonly method: "POST" | "DELETE"; readonly url: string };
type Headed = Asked & { readonly headers: Record<string, string> };

/** Sends the head of a request and the beginning of its body, then the rest, between which something happens. */
const slowly = async (request: Headed, body: object, between: () => Promise<unknown>) => {
  const text = JSON.stringify(body);
  const payload = new PassThrough();
  payload.write(text.slice(0, 5));
  const answer = doors().inject({
    ...request,
    headers: { ...request.headers, "content-type": "application/json", "content-length": String(text.length) },
    payload,
  });
  await turns(20);
  await between();
  await doors().clock.advance(1000);
  payload.end(text.slice(5));
  return answer;
};

const asPerson = (cookie: string, method: Asked["method"], path: string): Headed => ({
  method,
  url: uiBase + path,
  headers: { ...fromOwnPages, cookie: `mediafarm_session=${cookie}` },
});
const newOwner = { name: "Mallory", password: goodPassword, role: "owner" };
const names = async (cookie: string): Promise<string[]> =>
  (await doors().ask("GET", "/people", cookie)).body.items.map(({ name }: { name: string }) => name);

test("an owner who is removed while their request comes makes nobody an owner", async () => {
  const [olga, zoe] = [await doors().enter("owner", "Olga"), await doors().enter("owner", "Zoe")];
  const { status } = await slowly(asPerson(zoe, "POST", "/people"), newOwner, () =>
    doors().ask("DELETE", "/people/Zoe", olga),
  );
  expect([status, await names(olga)]).toEqual([401, ["Olga"]]);
});

test("an owner who becomes a viewer while their request comes does what a viewer may", async () => {
  const [olga, zoe] = [await doors().enter("owner", "Olga"), await doors().enter("owner", "Zoe")];
  const { status } = await slowly(asPerson(zoe, "POST", "/people"), newOwner, () =>
    doors().ask("PUT", "/people/Zoe", olga, { role: "viewer" }),
  );
  expect([status, await names(olga)]).toEqual([403, ["Olga", "Zoe"]]);
});

test("an owner whose body comes slowly is let in while nothing changes", async () => {
  const olga = await doors().enter("owner", "Olga");
  const { status } = await slowly(asPerson(olga, "POST", "/people"), newOwner, async () => undefined);
  expect([status, await names(olga)]).toEqual([200, ["Mallory", "Olga"]]);
});

/** A program, and how an owner revokes it. */
const aProgram = async () => {
  const olga = await doors().enter("owner", "Olga");
  const headers = await doors().enterAsProgram({ scopes, reach: "all", group: null }, "rogue");
  const revoke = async () => {
    const { body } = await doors().ask("GET", "/api-users", olga);
    const { auth_key } = body.items.find(({ name }: { name: string }) => name === "rogue");
    return doors().ask("DELETE", `/api-users/${auth_key}`, olga);
  };
  return { olga, headers, revoke };
};
const countOf = async (olga: string): Promise<number> => (await doors().ask("GET", "/jobs/count", olga)).body.count;

test("a program that is revoked while its job comes sends none", async () => {
  const { olga, headers, revoke } = await aProgram();
  const { status } = await slowly({ method: "POST", url: "/v1/jobs", headers }, aSmallJob(), revoke);
  expect([status, await countOf(olga)]).toEqual([401, 0]);
});

/** Something happens before the farm decides for this time. */
const beforeDecision = (nr: number, happens: () => Promise<unknown>): void => {
  const { farm } = doors();
  const { change } = farm;
  let count = 0;
  const changed = async (...args: Parameters<typeof change>) => {
    count += 1;
    if (count === nr) await happens();
    return change(...args);
  };
  Object.assign(farm, { change: changed });
};

test.each<readonly [string, Asked, (ids: string[]) => object, at: number, left: number]>([
  // Parts of 25 and of 5 jobs: the one under way is ended.
  ["bulk change", { method: "POST", url: "/v1/jobs/actions" }, (ids) => ({ action: "delete", ids }), 30, 10],
  ["deletion", { method: "DELETE", url: "/v1/jobs" }, (ids) => ({ ids }), 3, 45],
])("a program that is revoked in the middle of a large %s goes no further", async (_what, asked, bodyOf, at, left) => {
  const { olga, headers, revoke } = await aProgram();
  const ids: string[] = [];
  for (let nr = 0; nr < 60; nr += 1) {
    const { body } = await doors().inject({ method: "POST", url: "/v1/jobs", headers, payload: aSmallJob() });
    ids.push(body.id);
  }
  beforeDecision(at, async () => {
    await revoke();
    await doors().clock.advance(1000);
  });
  const { status } = await doors().inject({ ...asked, headers, payload: bodyOf(ids) });
  expect([status, await countOf(olga)]).toEqual([401, left]);
});
