import { expect, test } from "vitest";
import { aConnection, aCopy, aReport, aSource } from "../../helpers/farm/farm.ts";
import { useFarm } from "../../helpers/farm/farm-story.ts";

const { world, submit, report } = useFarm();

test("cache_ttl of a source reaches every task that reads its file", async () => {
  const node = await world().node();
  const payload = { storage_provider: "http", url: "http://host/in.mov", options: { cache_ttl: 3600 } };
  const elements = [aSource({ payload: { kind: "asset_url", payload } }), aCopy()];
  await submit({ name: "kept", payload: { elements, connections: [aConnection("src", ["copy"])] } });
  const probe = await node.assigned();
  await report(node, aReport(probe));
  const copy = await node.assigned();
  for (const { work } of [probe, copy])
    expect(Object.values(work.assets)).toMatchObject([{ uri: "http://host/in.mov", cacheSec: 3600 }]);
});
