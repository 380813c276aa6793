import { expect, test } from "vitest";
import { aConnection, aFailure, aSource } from "../../helpers/farm/farm.ts";
import { useFarm } from "../../helpers/farm/farm-story.ts";

const { world, submit, report } = useFarm();

/** As many elements in one row as a payload holds. */
const aChain = (length: number) => {
  const elements = [...Array(length).keys()].map((n) =>
    n === 0 ? aSource({ uid: "e0" }) : { uid: `e${n}`, kind: "qc" },
  );
  const connections = elements.slice(1).map((_, n) => aConnection(`e${n}`, [`e${n + 1}`]));
  return { name: "chain", payload: { elements, connections } };
};

test("a failure at the head of a long chain skips all of it in a moment, not in minutes", async () => {
  const node = await world().node();
  const jobId = await submit(aChain(1000));
  const probe = await node.assigned();
  const begun = performance.now();
  await report(node, aFailure(probe));
  const took = performance.now() - begun;
  expect(world().job(jobId)).toMatchObject({ status: "failed", error: "e0: media broke" });
  expect(took).toBeLessThan(5000);
});
