import { afterEach, expect, test } from "vitest";
import { aFarm, anAssignment, type Farm, fenceOf } from "../../helpers/agent/agent-fixture.ts";

let farm: Farm;
afterEach(() => farm.end());

test("an agent that is asked says how far another one's grant came, as far as it can see", async () => {
  farm = await aFarm({ grants: false });
  const { coordinator, root } = farm;
  await farm.start();
  await coordinator.receive("hello");
  coordinator.assign(anAssignment({ root }));
  const { intent } = await coordinator.receive("commit");
  const elsewhere = (change: (uri: string) => string) => ({
    files: intent.files.map((file) => ({ ...file, temp: change(file.temp), final: change(file.final) })),
  });
  let turn = 0;
  const look = async (asked = intent) => {
    coordinator.send({ type: "inspect", epoch: 1, fence: fenceOf(77), intent: asked });
    return (await coordinator.receive("inspected", turn++)).seen;
  };
  expect(await look()).toBe("ready");
  coordinator.send({ type: "granted", epoch: 1, fence: fenceOf(1) });
  await coordinator.reportOf(fenceOf(1));
  expect(await look()).toBe("published");
  expect(await look(elsewhere((uri) => `${uri}x`))).toBe("absent");
  expect(await look({ files: [...intent.files, ...elsewhere((uri) => `${uri}x`).files] })).toBe("absent");
  expect(await look(elsewhere((uri) => uri.replace("file:///", "s3://bucket/")))).toBe("out_of_reach");
  expect(await look(elsewhere((uri) => uri.replace(/^file:.*\//, "file:///etc/")))).toBe("out_of_reach");
});
