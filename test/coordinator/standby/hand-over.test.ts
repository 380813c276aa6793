import { expect, test } from "vitest";
import { createLead } from "../../../coordinator/standby/hand-over.ts";

const setUp = (standbys: readonly string[], isShared = true) => {
  const given: string[] = [];
  const lease = {
    leader: async () => ({ address: "https://a:8700", term: 3 }),
    standbys: async () => standbys,
  };
  const lead = createLead({
    lease: isShared ? lease : undefined,
    address: () => "https://own:8700",
    handOver: () => given.push("given"),
  });
  return { lead, given };
};

test("the lead is given to one that stands by", async () => {
  const { lead, given } = setUp(["https://b:8700"]);
  expect(await lead.give()).toEqual({
    is_shared: true,
    leader: "https://a:8700",
    term: 3,
    standbys: ["https://b:8700"],
  });
  expect(given).toEqual(["given"]);
});

test("where nobody stands by, the farm is not left without a leader", async () => {
  const { lead, given } = setUp([]);
  await expect(lead.give()).rejects.toThrow(/No coordinator stands by.*--store/);
  expect(given).toEqual([]);
});

test("a farm in a file has one coordinator, which says so", async () => {
  const { lead, given } = setUp([], false);
  expect(await lead.view()).toEqual({ is_shared: false, leader: "https://own:8700", term: null, standbys: [] });
  await expect(lead.give()).rejects.toThrow(/keeps its data in a file/);
  expect(given).toEqual([]);
});
