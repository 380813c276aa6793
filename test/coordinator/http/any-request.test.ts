import type fc from "fast-check";
import { describe, expect, test } from "vitest";
import { turns } from "../../helpers/clock.ts";
import { openTestDoors } from "../../helpers/farm/doors.ts";
import { aSmallJob } from "../../helpers/farm/farm.ts";
import { aWorldPerFile } from "../../helpers/farm/worlds.ts";
import { cases, holdsInHundreds, times } from "../../helpers/long.ts";
import { anyHeaders, anyRequest, changedJob, definedJob, type HostileRequest } from "../../helpers/random/hostile.ts";

const world = aWorldPerFile({
  open: async (folder) => {
    const doors = await openTestDoors(folder);
    return { ...doors, credentials: await doors.enterAsProgram() };
  },
  close: ({ close }) => close(),
});

const ask = async ({ method, path, body: payload, headers }: HostileRequest) => {
  const all = { ...world().credentials, ...headers };
  const request = { method, url: `/v1${path}`, headers: all, ...(payload === undefined ? {} : { payload }) };
  const { status, body } = await world().inject(request);
  return { status, body };
};

/** Who guesses is slowed down: time passes until all have their answers. */
const answers = async (requests: readonly HostileRequest[]) => {
  let isOver = false;
  const over = Promise.all(requests.map(ask)).finally(() => {
    isOver = true;
  });
  while (!isOver) {
    if (world().clock.waiting() > 0) await world().clock.advance(5000);
    await turns(1);
  }
  return over;
};

/** What was accepted on the way is deleted again, so that a million of them fit into the farm. */
const deleteAll = async (found: readonly { readonly body: { readonly id?: string } }[]) => {
  const ids = found.flatMap(({ body: { id } }) => id ?? []);
  if (ids.length > 0) await ask({ method: "DELETE", path: "/jobs", body: JSON.stringify({ ids }) });
};

/** Sends them, and gives the statuses that were answered. */
const statusesOf = async (request: fc.Arbitrary<HostileRequest>, cases: number): Promise<number[]> => {
  const statuses = new Set<number>();
  await holdsInHundreds(
    request,
    async (requests) => {
      const found = await answers(requests);
      for (const { status, body } of found) {
        statuses.add(status);
        expect(status).toBeLessThan(500);
        if (status >= 400) expect(body).toMatchObject({ error: expect.stringMatching(/^[A-Z_]+$/) });
      }
      await deleteAll(found);
    },
    cases,
  );
  return [...statuses].sort();
};

const timeout = times(60_000, 120_000, 6 * 3_600_000);

describe("whatever is sent is answered, and never with a fault of ours", () => {
  test(
    "at any route, with any arguments",
    async () => {
      const statuses = await statusesOf(anyRequest, cases(2000));
      expect(statuses).toEqual(expect.arrayContaining([200, 400, 404]));
    },
    timeout,
  );

  test(
    "with any headers",
    async () => {
      const statuses = await statusesOf(anyHeaders, cases(2000));
      expect(statuses).toEqual(expect.arrayContaining([200, 400, 401, 404]));
    },
    timeout,
  );

  test(
    "with a good job in which some places hold something else",
    async () => {
      expect(await statusesOf(changedJob, cases(1000))).toEqual([200, 400]);
    },
    timeout,
  );

  test(
    "with definitions that name each other, themselves and nobody",
    async () => {
      expect(await statusesOf(definedJob, cases(1000))).toEqual([200, 400]);
    },
    timeout,
  );

  test("and afterwards the farm takes jobs as before", async () => {
    const { status } = await ask({ method: "POST", path: "/jobs", body: JSON.stringify(aSmallJob()) });
    expect(status).toBe(200);
  });
});
