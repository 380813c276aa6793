import { expect, test } from "vitest";
import { changeNetworkRules, readNetworkRules } from "../../../coordinator/nodes/network-rules.ts";
import { useFarm } from "../../helpers/farm/farm-story.ts";

const { world, farm } = useFarm();

test("two people's changes of the network rules at the same time both take effect, and nodes hear the outcome", async () => {
  await changeNetworkRules(farm(), { add: ["old.test"], remove: [] });
  const node = await world().node();
  await node.take();
  await Promise.all([
    changeNetworkRules(farm(), { add: ["one.test"], remove: [] }),
    changeNetworkRules(farm(), { add: ["other.test"], remove: ["old.test"] }),
  ]);
  expect(await readNetworkRules(farm())).toEqual(["one.test", "other.test"]);
  expect((await node.take()).at(-1)).toMatchObject({ type: "outbound", rules: ["one.test", "other.test"] });
});

test("removing a rule that somebody else removed at the same time is refused", async () => {
  await changeNetworkRules(farm(), { add: ["old.test"], remove: [] });
  const remove = () => changeNetworkRules(farm(), { add: [], remove: ["old.test"] });
  const answers = await Promise.allSettled([remove(), remove()]);
  expect(answers.map(({ status }) => status)).toEqual(["fulfilled", "rejected"]);
  expect(await readNetworkRules(farm())).toEqual([]);
});
