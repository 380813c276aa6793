import { describe, expect, test } from "vitest";
import { grantCommit } from "../../coordinator/attempts/report.ts";
import { takeMessage } from "../../coordinator/connections/messages.ts";
import { submissionNameMs } from "../../coordinator/jobs/idempotency.ts";
import { updateJob } from "../../coordinator/jobs/update.ts";
import { buildNodeInfo } from "../../coordinator/nodes/node-info.ts";
import { createAccounts } from "../../coordinator/people/accounts.ts";
import { createTokens } from "../../coordinator/people/api-tokens.ts";
import { createOneTimeCodes } from "../../coordinator/people/one-time-codes.ts";
import { createPeople, idleMs } from "../../coordinator/people/people.ts";
import { explain } from "../../coordinator/views/explain.ts";
import { Secret } from "../../shared/basics/secret.ts";
import { cheapPasswords, goodPassword } from "../helpers/farm/doors.ts";
import { aFailure, anIntent, aReport, aSmallJob } from "../helpers/farm/farm.ts";
import { type FakeNode, useFarm, withRetry } from "../helpers/farm/farm-story.ts";
import { stored } from "../helpers/farm/stored.ts";
import { submitJob } from "../helpers/farm/submit-job.ts";

const { world, farm, submit, report, advance, toCopy, restart, distrust } = useFarm();
const hour = 3_600_000;

/** Time that passes while the node is heard all the while. */
const pass = async (node: FakeNode, seconds: number) => {
  farm().registry.heard(node.id, farm().clock.monotonic() + 100 * 24 * hour);
  await advance(seconds * 1000);
};

/** A job whose task has failed and waits for its retry. */
const failOnce = async (node: FakeNode, delaySec: number) => {
  const jobId = await submit(withRetry(1, delaySec));
  await report(node, aFailure(await node.assigned()));
  return jobId;
};

const untilOf = (node: FakeNode): number => {
  const row = farm().registry.row(node.id);
  return Date.parse((row && buildNodeInfo(farm(), row).health.until) ?? "");
};

describe.each([
  ["ahead", hour],
  ["back", -hour],
])("the machine's clock is set an hour %s, and", (_, jump) => {
  const leap = () => world().clock.jump(jump);

  test("a retry comes after its delay, no sooner and no later", async () => {
    const node = await world().node();
    await failOnce(node, 20);
    leap();
    await pass(node, 19);
    const before = await node.take();
    await pass(node, 1);
    expect([before.length, (await node.take()).map(({ type }) => type)]).toEqual([0, ["assign"]]);
  });

  test("a retry comes after its delay where the coordinator was started again meanwhile", async () => {
    const node = await world().node();
    await failOnce(node, 20);
    leap();
    await pass(node, 5);
    await restart();
    const again = await world().connect(node.id);
    await pass(again, 14);
    const before = await again.take();
    await pass(again, 1);
    expect([before.length, (await again.take()).map(({ type }) => type)]).toEqual([0, ["assign"]]);
  });

  test("a retry's time is told as people's clocks say it then", async () => {
    const node = await world().node();
    const jobId = await failOnce(node, 20);
    leap();
    const [task] = stored(farm()).tasks(jobId);
    const said = task && explain(farm(), task, "all").summary;
    expect(said).toBe(`It failed and is tried again at ${new Date(world().clock.now() + 20_000).toISOString()}.`);
  });

  test("a job that has ended is kept as long as was asked", async () => {
    const node = await world().node();
    const jobId = await submit(aSmallJob({ expiration: 1 }));
    await report(node, aReport(await node.assigned()));
    leap();
    await pass(node, 59);
    const before = world().job(jobId)?.status;
    await pass(node, 1);
    expect([before, world().job(jobId)]).toEqual(["completed", undefined]);
  });

  test("a longer life of a job that has ended counts from its end", async () => {
    const node = await world().node();
    const jobId = await submit(aSmallJob({ expiration: 1 }));
    await report(node, aReport(await node.assigned()));
    leap();
    await updateJob(farm(), jobId, { expiration: 2 });
    await pass(node, 119);
    const before = world().job(jobId)?.status;
    await pass(node, 1);
    expect([before, world().job(jobId)]).toEqual(["completed", undefined]);
  });

  test("a task that nobody can do waits its time for somebody who can", async () => {
    const node = await world().node({ tags: [] });
    const jobId = await submit(aSmallJob({ task_tags: ["rare"] }));
    leap();
    await pass(node, 59);
    const before = world().tasks(jobId);
    await pass(node, 1);
    expect([before, world().tasks(jobId)]).toEqual([["src facts ready"], ["src facts failed"]]);
  });

  test("a quarantine lasts as long as it was to, and is told so", async () => {
    const [bad] = await distrust();
    leap();
    const told = untilOf(bad) - world().clock.now();
    await advance(9 * 60_000 + 59_000);
    const before = farm().registry.row(bad.id)?.health.state;
    await advance(1000);
    expect([told, before, farm().registry.row(bad.id)?.health.state]).toEqual([600_000, "quarantined", "probation"]);
  });

  test("a node that is heard is neither late nor lost", async () => {
    const node = await world().node();
    await submit();
    await node.assigned();
    leap();
    for (let beat = 0; beat < 4; beat += 1) {
      await advance(9000);
      await takeMessage(farm(), node.id, { type: "heartbeat" });
    }
    expect([farm().registry.presence(node.id, world().clock.monotonic()), await node.take()]).toEqual(["online", []]);
  });

  test("a node that is silent is lost after its time", async () => {
    const node = await world().node();
    const jobId = await submit();
    await node.assigned();
    leap();
    await advance(29_000);
    const before = world().tasks(jobId);
    await advance(1000);
    expect([before, world().tasks(jobId)]).toEqual([["src facts running"], ["src facts ready"]]);
  });

  test("a grant of a silent node is waited for as long as it was to be", async () => {
    const node = await world().node();
    const { jobId, copy } = await toCopy(node);
    await grantCommit(farm(), node.id, copy.fence, anIntent(copy));
    leap();
    await advance(599_000);
    const before = world().tasks(jobId).at(-1);
    await advance(1000);
    expect([before, world().tasks(jobId).at(-1)]).toEqual(["copy work committing", "copy work ready"]);
  });

  test("an attempt whose node does not end it is given up after its time", async () => {
    const node = await world().node();
    const jobId = await submit(aSmallJob());
    await node.assigned();
    leap();
    await pass(node, 3600 + 59);
    const before = world().tasks(jobId);
    await pass(node, 1);
    expect([before, world().tasks(jobId)]).toEqual([["src facts running"], ["src facts failed"]]);
  });

  test("a token lives as long as it was to", async () => {
    const tokens = await someTokens();
    leap();
    await world().clock.advance(30 * 60_000 - 1);
    const before = await tokens.isAlive();
    await world().clock.advance(1);
    expect([before, await tokens.isAlive()]).toEqual([true, false]);
  });

  test("a session lives as long as it was to", async () => {
    const people = createPeople(farm().store, cheapPasswords(), farm().clock);
    const code = (await people.newFirstCode()) ?? new Secret("");
    const { session } = await people.signInFirst(code, "ann", new Secret(goodPassword));
    leap();
    await world().clock.advance(idleMs - 1);
    const before = await people.lasts(session);
    await world().clock.advance(1);
    expect([before, await people.lasts(session)]).toEqual([true, false]);
  });

  test("a code that opens once opens as long as it was to", async () => {
    const codes = createOneTimeCodes(farm().clock, 1000);
    const { code } = codes.issue("a thing");
    leap();
    await world().clock.advance(999);
    const before = codes.look(code);
    await world().clock.advance(1);
    expect([before, codes.look(code)]).toEqual(["a thing", undefined]);
  });

  test("a submission's name is remembered as long as it was to be", async () => {
    const name = { who: "me", key: "one" };
    const [first] = [await submitJob(farm(), aSmallJob(), name)];
    leap();
    await world().clock.advance(submissionNameMs - 1);
    const second = await submitJob(farm(), aSmallJob(), name);
    await world().clock.advance(1);
    const third = await submitJob(farm(), aSmallJob(), name);
    expect([second === first, third === first]).toEqual([true, false]);
  });
});

describe("a job that is to start at a time of day", () => {
  const at = (ms: number) => new Date(world().clock.now() + ms).toISOString();

  test("starts when the clock says so, because a clock that was set says the right time", async () => {
    const node = await world().node();
    await submit(aSmallJob({ start_after: at(hour) }));
    world().clock.jump(hour);
    await advance(0);
    expect((await node.take()).map(({ type }) => type)).toEqual(["assign"]);
  });

  test("waits until the clock says so where that was set back", async () => {
    const node = await world().node();
    await submit(aSmallJob({ start_after: at(10_000) }));
    world().clock.jump(-hour);
    await pass(node, 60);
    expect(await node.take()).toEqual([]);
  });
});

/** A token of a user, and whether it still opens. */
const someTokens = async () => {
  const accounts = createAccounts(farm().store, farm().vault, farm().clock);
  const first = await accounts.ensureFirst();
  const tokens = createTokens(farm().store, farm().clock, farm().config.tokenMs);
  const { token } = await tokens.login(first?.authKey ?? "", new Secret(first?.authSecret ?? ""));
  return {
    isAlive: async () => {
      try {
        await tokens.use(token);
        return true;
      } catch {
        return false;
      }
    },
  };
};
