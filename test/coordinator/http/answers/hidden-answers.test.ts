import { expect, test } from "vitest";
import { openTestCoordinator } from "../../../helpers/farm/coordinator.ts";
import { aConnection, aCopy, aSmallJob } from "../../../helpers/farm/farm.ts";
import { stored } from "../../../helpers/farm/stored.ts";
import { aWorldPerTest } from "../../../helpers/farm/worlds.ts";

const world = aWorldPerTest({ open: openTestCoordinator, close: ({ coordinator }) => coordinator.close() });
const ask = async (path: string) => JSON.stringify((await world().api("GET", path)).body);

test("an address with a password leaves in no answer, whatever made it, and its sender alone has it back", async () => {
  const source = { storage_provider: "http", path: "http://user:hush@nas.test/in" };
  const watch = { uid: "watch", kind: "watchfolder", payload: { source, settings: { interval_sec: 10 } } };
  const payload = { elements: [watch, aCopy()], connections: [aConnection("watch", ["copy"])] };
  const { id } = (
    await world().api("POST", "/jobs", { body: aSmallJob({ name: "as in https://h/a?token=hush", payload }) })
  ).body;
  const { farm } = world().coordinator;
  for (let turn = 0; turn < 50 && farm.polls.size() === 0; turn += 1) await world().clock.advance(1000);
  const tasks: { id: string }[] = (await world().api("GET", `/jobs/${id}/tasks`)).body.items;
  expect(tasks).toHaveLength(1);
  const paths = [`/jobs/${id}/watches`, `/jobs/${id}/result`, `/jobs/${id}/info`, `/tasks/${tasks[0]?.id}/explain`];
  expect(await ask(`/tasks/${tasks[0]?.id}/explain`)).toContain("http://user@nas.test/in");
  for (const path of paths) expect([path, await ask(path)]).toEqual([path, expect.not.stringContaining("hush")]);
  expect(await ask(`/jobs/${id}/watches`)).toContain("http://user@nas.test/in");
  expect(await ask(`/jobs/${id}/definition`)).toContain("http://user:hush@nas.test/in");
  expect(await ask(`/jobs/${id}/info?fields[]=name`)).toContain("https://h/a?token=(hidden)");
  const kept = stored(farm).all("SELECT awaits, work, failure FROM tasks");
  expect(JSON.stringify(kept)).not.toContain("hush");
});
