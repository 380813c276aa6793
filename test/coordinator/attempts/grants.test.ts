import { describe, expect, test } from "vitest";
import { grantCommit } from "../../../coordinator/attempts/report.ts";
import { takeDisconnect, takeMessage } from "../../../coordinator/connections/messages.ts";
import { mostBreaches } from "../../../coordinator/nodes/health/health-rules.ts";
import { explain } from "../../../coordinator/views/explain.ts";
import { anIntent, aReport } from "../../helpers/farm/farm.ts";
import { useFarm } from "../../helpers/farm/farm-story.ts";
import { stored } from "../../helpers/farm/stored.ts";

const { world, farm, report, pass, toCopy } = useFarm();

describe("the grant of a lost node", () => {
  const grantLost = async () => {
    const node = await world().node();
    const { jobId, copy } = await toCopy(node);
    await grantCommit(farm(), node.id, copy.fence, anIntent(copy));
    const other = await world().node();
    takeDisconnect(farm(), node.id, node.connection);
    await pass(other, 31);
    return { node, other, jobId, copy, state: () => world().tasks(jobId).at(-1) };
  };
  const explained = (jobId: number) => {
    const row = stored(farm()).tasks(jobId).at(-1);
    if (!row) throw new Error("the job has tasks");
    return explain(farm(), row, "all");
  };

  test("is waited for until a moment that the explanation names, while another node is asked each second", async () => {
    const { other, jobId, copy, state } = await grantLost();
    const asked = (await other.take()).filter(({ type }) => type === "inspect");
    expect(asked.at(-1)).toEqual({ type: "inspect", epoch: farm().epoch, fence: copy.fence, intent: anIntent(copy) });
    const until = new Date(world().clock.now() + 569_000).toISOString();
    expect(explained(jobId)).toMatchObject({
      is_waiting: true,
      summary: `It waits for the grant of node n1, which is lost, until ${until}, or until another node sees what was granted.`,
      reasons: [{ reason: "grant_wait", data: { node: "n1", until } }],
    });
    expect(state()).toBe("copy work committing");
  });

  test.each(["published", "ready"] as const)(
    "goes on at once where another node sees it %s on storage",
    async (seen) => {
      const { node, other, jobId, copy } = await grantLost();
      await takeMessage(farm(), other.id, { type: "inspected", fence: copy.fence, seen });
      const told = await other.take();
      const next = told.find((each) => each.type === "assign")?.assignment;
      if (!next) throw new Error("it was given nothing");
      expect(next).toMatchObject({ previousIntent: anIntent(copy) });
      expect(await report(node, aReport(copy))).toBe("ok"); // too late: it may forget it
      expect(await report(other, aReport(next))).toBe("ok");
      expect(world().job(jobId)).toMatchObject({ status: "completed" });
    },
  );

  test.each(["absent", "out_of_reach"] as const)("is waited for on where another node says %s", async (seen) => {
    const { other, copy, state } = await grantLost();
    await takeMessage(farm(), other.id, { type: "inspected", fence: copy.fence, seen });
    expect(state()).toBe("copy work committing");
    await pass(other, 568);
    expect(state()).toBe("copy work committing");
    await pass(other, 2);
    expect(state()).not.toBe("copy work committing");
  });

  test("goes on where it was when its node returns, and what is seen of it counts no more", async () => {
    const { node, other, jobId, copy, state } = await grantLost();
    world().connect(node.id);
    await takeMessage(farm(), other.id, { type: "inspected", fence: copy.fence, seen: "ready" });
    expect(state()).toBe("copy work committing");
    expect(explained(jobId)).toMatchObject({ is_waiting: false, reasons: [{ reason: "running" }] });
    expect(await report(node, aReport(copy))).toBe("ok");
    expect(world().job(jobId)).toMatchObject({ status: "completed" });
  });
});

test("what a node says of granted files counts only where it was asked, and once", async () => {
  const node = await world().node();
  const { jobId, copy } = await toCopy(node);
  await grantCommit(farm(), node.id, copy.fence, anIntent(copy));
  const other = await world().node();
  const stranger = await world().node();
  takeDisconnect(farm(), node.id, node.connection);
  for (let second = 0; second < 31; second += 1) {
    farm().registry.heard(other.id, world().clock.monotonic());
    farm().registry.heard(stranger.id, world().clock.monotonic());
    await pass(other, 1);
    const asked = [...(await other.take()), ...(await stranger.take())].some(({ type }) => type === "inspect");
    if (asked) break;
  }
  const askedOf = [...(farm().registry.heldAs(node.id, copy.fence)?.asked ?? [])];
  const unasked = [other, stranger].find(({ id }) => !askedOf.includes(id));
  if (!unasked || askedOf.length !== 1) throw new Error("one of the two was asked");
  for (let nr = 0; nr < mostBreaches; nr += 1)
    await takeMessage(farm(), unasked.id, { type: "inspected", fence: copy.fence, seen: "published" });
  expect(world().tasks(jobId).at(-1)).toBe("copy work committing");
  await expect.poll(() => farm().registry.row(unasked.id)?.health.state).toBe("quarantined");
  expect(farm().registry.row(unasked.id)?.health.why).toContain(
    'it sent "inspected" about a question that it was not asked',
  );
});
