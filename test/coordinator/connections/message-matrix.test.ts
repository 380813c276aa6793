import { expect, test } from "vitest";
import { takeMessage } from "../../../coordinator/connections/messages.ts";
import type { AgentMessage, Fence } from "../../../shared/protocol/messages.ts";
import { messageRights } from "../../../shared/rights/rights.ts";
import { turns } from "../../helpers/clock.ts";
import { anIntent, aReport, aSmallJob } from "../../helpers/farm/farm.ts";
import { type FakeNode, useFarm } from "../../helpers/farm/farm-story.ts";
import { stored } from "../../helpers/farm/stored.ts";

const { world, farm, submit } = useFarm();

type Type = Exclude<AgentMessage["type"], "hello">;
type Assigned = Awaited<ReturnType<FakeNode["assigned"]>>;
type About = { readonly assigned: Assigned; readonly fence: Fence; readonly question: number };

/** One message of every type but `hello`, which comes once, before there is a node. A new type needs a row here. */
const samples: { readonly [T in Type]: (about: About) => Extract<AgentMessage, { type: T }> } = {
  heartbeat: () => ({ type: "heartbeat", disk: 1e9 }),
  started: ({ fence }) => ({ type: "started", fence }),
  progress: ({ fence }) => ({ type: "progress", fence, progress: { percent: 50 } }),
  returned: ({ fence }) => ({ type: "returned", fence, why: "the owner is back" }),
  commit: ({ fence, assigned }) => ({ type: "commit", fence, intent: anIntent(assigned) }),
  report: ({ fence, assigned }) => ({ type: "report", report: { ...aReport(assigned), fence } }),
  ended: ({ fence }) => ({ type: "ended", fence, log: "the end" }),
  inspected: ({ fence }) => ({ type: "inspected", fence, seen: "published" }),
  log: ({ fence }) => ({ type: "log", fence, from: 0, left: 0, text: "a line" }),
  request_keys: ({ fence }) => ({ type: "request_keys", fence }),
  polled: ({ question }) => ({ type: "polled", id: question, response: { what: "folder", files: [], isLast: true } }),
  response: ({ question }) => ({ type: "response", id: question, response: { is: "refused", message: "no" } }),
  goodbye: () => ({ type: "goodbye" }),
};

/** Whose the attempt is that the message is about. */
const owners = ["its own", "another's", "one that there has not been yet", "one of an earlier run"] as const;

/** All that the farm knows of what others do. */
const everythingOf = (job: number): string =>
  JSON.stringify([
    stored(farm()).rows(job),
    stored(farm())
      .openAttempts()
      .filter(({ job_id }) => job_id === job),
    farm().progress.job(job),
  ]);

const tryOne = async (type: Type, whose: (typeof owners)[number], nr: number): Promise<string[]> => {
  const tags = [`honest ${nr}`, `liar ${nr}`] as const; // each has a job that no other node takes
  const [honest, liar] = [await world().node({ tags: [tags[0]] }), await world().node({ tags: [tags[1]] })];
  const theirJob = await submit(aSmallJob({ task_tags: [tags[0]] }));
  await submit(aSmallJob({ task_tags: [tags[1]] }));
  const [theirs, own] = [await honest.assigned(), await liar.assigned()];
  const fences: Readonly<Record<typeof whose, Fence>> = {
    "its own": own.fence,
    "another's": theirs.fence,
    "one that there has not been yet": { epoch: farm().epoch + 1, counter: theirs.fence.counter },
    "one of an earlier run": { epoch: 0, counter: theirs.fence.counter },
  };
  const before = everythingOf(theirJob);
  const assigned = whose === "its own" ? own : theirs;
  // Nobody asked anything: a question's number is one that there has not been.
  await takeMessage(farm(), liar.id, samples[type]({ assigned, fence: fences[whose], question: 77 }));
  await turns(20);
  const wrong = everythingOf(theirJob) === before ? [] : [`${type} about ${whose}: the other's work was changed`];
  // One more counts it: `noteBreach` tells how many there were with itself.
  const isCounted = farm().health.noteBreach(liar.id, farm().clock.monotonic()).length > 1;
  const isForeign = {
    itself: false,
    attempt: whose === "another's" || whose === "one that there has not been yet",
    question: type !== "inspected" || whose !== "one of an earlier run", // which may have asked
  }[messageRights[type]];
  if (isCounted !== isForeign) wrong.push(`${type} about ${whose}: ${isCounted ? "" : "not "}counted as a breach`);
  for (const node of [honest, liar]) await takeMessage(farm(), node.id, { type: "goodbye" });
  return wrong;
};

test("every message x whose attempt or question it is about: others' work stays as it was, and a lie is counted", async () => {
  const wrong: string[] = [];
  let tried = 0;
  const types = Object.keys(samples) as Type[]; // Object.keys forgets the names
  expect(["hello", ...types].sort()).toEqual(Object.keys(messageRights).sort());
  for (const type of types)
    for (const whose of owners) {
      tried += 1;
      wrong.push(...(await tryOne(type, whose, tried)));
    }
  console.log(`messages x whose: ${tried} tried, ${wrong.length} wrong`);
  expect(wrong).toEqual([]);
}, 60_000);
