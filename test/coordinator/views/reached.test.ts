import { expect, test } from "vitest";
import { eventWithin } from "../../../coordinator/views/reached.ts";
import type { FarmEvent } from "../../../shared/api/events.ts";
import { type Scope, scopes } from "../../../shared/people/scopes.ts";
import { nobodys, type Owned } from "../../../shared/rights/reach.ts";
import { openTestCoordinator } from "../../helpers/farm/coordinator.ts";
import { aWorldPerTest } from "../../helpers/farm/worlds.ts";

const world = aWorldPerTest({ open: openTestCoordinator, close: ({ coordinator }) => coordinator.close() });
const mine: Owned = { owner_id: "api user 2", owner_group: "dailies" };
const mates: Owned = { owner_id: "api user 3", owner_group: "dailies" };
const deleted: FarmEvent = { type: "job.deleted", job_id: "1" };

test("a listener hears events of jobs that it reaches, with the scope for them, and a reset always", () => {
  const { farm } = world().coordinator;
  const hears = (
    reach: Parameters<typeof eventWithin>[1]["reach"],
    owned: Owned,
    event: FarmEvent = deleted,
    may: readonly Scope[] = scopes,
  ) => eventWithin(farm, { reach, scopes: may }, event, owned) !== undefined;
  const own = { field: "owner_id", value: "api user 2" } as const;
  const group = { field: "owner_group", value: "dailies" } as const;
  const all = [mine, mates, nobodys];
  expect(all.map((each) => hears(own, each))).toEqual([true, false, false]);
  expect(all.map((each) => hears(group, each))).toEqual([true, true, false]);
  expect(all.map((each) => hears("all", each))).toEqual([true, true, true]);
  expect(hears("all", mine, deleted, ["nodes:read"])).toBe(false);
  expect(hears(own, nobodys, { type: "reset" }, ["vault"])).toBe(true);
  expect(hears("all", nobodys, { type: "node.removed", node_id: "1" }, ["jobs:read"])).toBe(false);
});
