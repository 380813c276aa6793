import { beforeEach, describe, expect, test } from "vitest";
import { grantCommit, noteStart } from "../../../coordinator/attempts/report.ts";
import type { Farm } from "../../../coordinator/farm.ts";
import { stopJob } from "../../../coordinator/jobs/stop.ts";
import type { Transaction } from "../../../coordinator/kernel/transaction.ts";
import { changeNode } from "../../../coordinator/nodes/change-node.ts";
import { noteBreach } from "../../../coordinator/nodes/health/breaches.ts";
import { mostBreaches } from "../../../coordinator/nodes/health/health-rules.ts";
import type { Change } from "../../../coordinator/store/batch.ts";
import type { NodeRow } from "../../../coordinator/store/rows.ts";
import { takePollAnswer } from "../../../coordinator/watch/polling.ts";
import type { Assignment } from "../../../shared/protocol/messages.ts";
import { attemptMachine } from "../../../shared/state/attempt.ts";
import { elementRunMachine } from "../../../shared/state/element-run.ts";
import { nodeHealthMachine } from "../../../shared/state/node.ts";
import { taskMachine } from "../../../shared/state/task.ts";
import { aFailure, aJob, anIntent, aReport, aSmallJob, aSource } from "../../helpers/farm/farm.ts";
import { type FakeNode, useFarm, withRetry } from "../../helpers/farm/farm-story.ts";

/**
 * Every transition of every machine that the store keeps, by what happens. What moved is read from
 * the decisions themselves: a batch writes only where a row came to.
 */
const { world, farm, submit, report, advance, toCopy, distrust } = useFarm();

const kept = { tasks: "task", attempts: "attempt", runs: "element" } as const;

/** What was decided since the test began; a decision that is made again is here twice. */
let drafts: Transaction[] = [];

beforeEach(() => {
  drafts = [];
  const { change, changeLater } = farm();
  const watched =
    (ask: Farm["change"]): Farm["change"] =>
    (jobIds, decide) =>
      ask(jobIds, (draft) => {
        drafts.push(draft);
        return decide(draft);
      });
  Object.assign(farm(), { change: watched(change), changeLater: watched(changeLater) });
});

const moves = (): string[] => drafts.flatMap(({ changes }) => changes).flatMap(moveOf);

const moveOf = (change: Change): string[] => {
  const { table, before, after } = change;
  if (table === "nodes" && before && after) return [`health ${before.health.state} → ${after.health.state}`];
  if (table !== "tasks" && table !== "attempts" && table !== "runs") return [];
  // An element that waits has no row yet.
  const from = before?.state ?? (table === "runs" ? "waiting" : undefined);
  return from && after ? [`${kept[table]} ${from} → ${after.state}`] : [];
};

/** A node breaks its protocol as often as it takes. */
const breach = async (nodeId: number): Promise<void> => {
  for (let nr = 0; nr < mostBreaches; nr += 1) await noteBreach(farm(), nodeId, "lied");
};

const given = async (job = aSmallJob()) => {
  const node = await world().node();
  const jobId = await submit(job);
  return { node, jobId, probe: await node.assigned() };
};
const granted = async (more: Record<string, unknown> = {}) => {
  const node = await world().node();
  const jobId = await submit(aJob(more));
  await report(node, aReport(await node.assigned()));
  const copy = await node.assigned();
  await grantCommit(farm(), node.id, copy.fence, anIntent(copy));
  return { node, jobId, copy };
};
const start = async (node: FakeNode, { fence }: Assignment) => {
  noteStart(farm(), node.id, fence);
  await farm().settle();
};
/** Given to a node that has begun with it. */
const begun = async () => {
  const all = await given();
  await start(all.node, all.probe);
  return all;
};
const begunCopy = async () => {
  const node = await world().node();
  const { copy } = await toCopy(node);
  await start(node, copy);
  return { node, copy };
};
const grant = (node: FakeNode, copy: Assignment) => grantCommit(farm(), node.id, copy.fence, anIntent(copy));
const silence = () => advance(600_000);
const delayed = async () => {
  const all = await given(withRetry(1));
  await report(all.node, aFailure(all.probe));
  return all;
};
const inHealth = async (state: "quarantined" | "probation") => {
  const node = await world().node();
  const until = farm().clock.steady() + 1000;
  await farm().change([], (draft) => {
    const row = draft.node(node.id) as NodeRow; // it was enrolled just now
    draft.setNode(row, { health: { state, since: 0, until, why: "it was so", strikes: 1 } });
  });
  drafts = [];
  return node;
};
const tried = async (how: (assignment: Assignment) => ReturnType<typeof aReport>) => {
  const node = await inHealth("probation");
  await submit(aSmallJob());
  await report(node, how(await node.assigned()));
};
const licensed = { name: "n", payload: { elements: [{ uid: "n", kind: "dolby_vision", payload: {} }] } };

type Story = readonly [what: string, story: () => Promise<unknown>];

const stories: Readonly<Record<string, Readonly<Record<string, Story>>>> = {
  task: {
    "ready assign": ["a task is given to a free node", given],
    "ready retry": [
      "a source that is awaited does not come in time",
      async () => {
        const options = { wait_for_source_timeout_sec: 1 };
        const payload = { storage_provider: "file", url: "file:///media/in.mov", options };
        const elements = [aSource({ payload: { kind: "asset_url", payload } })];
        const node = await world().node();
        await submit(aSmallJob({ task_retry: { count: 1, delay_sec: 60 }, payload: { elements } }));
        await advance(2000);
        const look = (await node.take()).find(({ type }) => type === "poll");
        if (look?.type !== "poll") throw new Error("no look was asked for");
        const answer = { what: "sources", saw: { 0: null } } as const;
        await takePollAnswer(farm(), node.id, { type: "polled", id: look.id, response: answer });
      },
    ],
    "ready fail": ["a task that waits fails with its stopped job", async () => stopJob(farm(), await submit())],
    "delayed due": [
      "a retry comes due",
      async () => {
        await delayed();
        await advance(60_000);
      },
    ],
    "delayed fail": [
      "a task that waits out a delay fails with its stopped job",
      async () => stopJob(farm(), (await delayed()).jobId),
    ],
    "running grant": ["a task may publish", granted],
    "running complete": [
      "a task without files completes",
      async () => {
        const { node, probe } = await given();
        await report(node, aReport(probe));
      },
    ],
    "running retry": ["a task that failed waits for its retry", delayed],
    "running lose": [
      "a task whose node is lost is ready again",
      async () => {
        await given();
        await silence();
      },
    ],
    "running fail": [
      "a task that failed and has no retry has failed",
      async () => {
        const { node, probe } = await given();
        await report(node, aFailure(probe));
      },
    ],
    "committing complete": [
      "a task that has published completes",
      async () => {
        const { node, copy } = await granted();
        await report(node, aReport(copy));
      },
    ],
    "committing retry": [
      "a task that could not publish waits for its retry",
      async () => {
        const { node, copy } = await granted({ task_retry: { count: 1, delay_sec: 60 } });
        await report(node, aFailure(copy));
      },
    ],
    "committing lose": [
      "a task whose node is lost while it may publish is ready again, later",
      async () => {
        await granted();
        await silence();
      },
    ],
    "committing fail": [
      "a task that could not publish and has no retry has failed",
      async () => {
        const { node, copy } = await granted();
        await report(node, aFailure(copy));
      },
    ],
  },
  attempt: {
    "assigned start": ["its node has begun", begun],
    "assigned grant": ["it may publish, though nobody said that it began", granted],
    "assigned publish": [
      "it is done, though nobody said that it began",
      async () => {
        const { node, probe } = await given();
        await report(node, aReport(probe));
      },
    ],
    "assigned fail": [
      "it failed before it began",
      async () => {
        const { node, probe } = await given();
        await report(node, aFailure(probe));
      },
    ],
    "assigned lose": [
      "its node is lost before it began",
      async () => {
        await given();
        await silence();
      },
    ],
    "assigned cancel": ["its job is stopped before it began", async () => stopJob(farm(), (await given()).jobId)],
    "running grant": [
      "it may publish",
      async () => {
        const { node, copy } = await begunCopy();
        await grant(node, copy);
      },
    ],
    "running publish": [
      "it is done without anything to publish",
      async () => {
        const { node, probe } = await begun();
        await report(node, aReport(probe));
      },
    ],
    "running fail": [
      "it failed",
      async () => {
        const { node, probe } = await begun();
        await report(node, aFailure(probe));
      },
    ],
    "running lose": [
      "its node is lost",
      async () => {
        await begun();
        await silence();
      },
    ],
    "running cancel": ["its job is stopped", async () => stopJob(farm(), (await begun()).jobId)],
    "committing grant": [
      "it asks once more, after a crash, and may",
      async () => {
        const { node, copy } = await granted();
        expect(await grant(node, copy)).toBe("ok");
      },
    ],
    "committing publish": [
      "it has published",
      async () => {
        const { node, copy } = await granted();
        await report(node, aReport(copy));
      },
    ],
    "committing fail": [
      "it could not publish",
      async () => {
        const { node, copy } = await granted();
        await report(node, aFailure(copy));
      },
    ],
    "committing lose": [
      "its node is lost for longer than a grant is waited for",
      async () => {
        await granted();
        await silence();
      },
    ],
    "committing cancel": [
      "its job is stopped while it may publish",
      async () => stopJob(farm(), (await granted()).jobId),
    ],
  },
  element: {
    "waiting start": ["an element whose connections fired is planned", async () => submit()],
    "waiting skip": [
      "an element none of whose connections fired is skipped",
      async () => {
        const { node, probe } = await given(aJob());
        await report(node, aFailure(probe));
      },
    ],
    "waiting fail": ["an element that waits fails with its stopped job", async () => stopJob(farm(), await submit())],
    "planning plan": ["an element's tasks are planned", async () => toCopy(await world().node())],
    "planning succeed": [
      "an element that needs no task but facts succeeds",
      async () => {
        const { node, probe } = await given();
        await report(node, aReport(probe));
      },
    ],
    "planning fail": ["an element that cannot be planned fails", async () => submit(licensed)],
    "running succeed": [
      "an element whose tasks completed succeeds",
      async () => {
        const { node, copy } = await granted();
        await report(node, aReport(copy));
      },
    ],
    "running fail": [
      "an element one of whose tasks failed fails",
      async () => {
        const { node, copy } = await granted();
        await report(node, aFailure(copy));
      },
    ],
  },
  health: {
    "sound distrust": ["a node that keeps failing where another one does not is quarantined", distrust],
    "sound breach": [
      "a node that keeps breaking its protocol is quarantined",
      async () => breach((await world().node()).id),
    ],
    "probation breach": [
      "a node on probation that keeps breaking its protocol is quarantined",
      async () => breach((await inHealth("probation")).id),
    ],
    "quarantined due": [
      "a quarantine that is over ends in probation",
      async () => {
        await inHealth("quarantined");
        await advance(1000);
      },
    ],
    "quarantined forgive": [
      "a quarantined node that an operator makes active is trusted",
      async () => changeNode(farm(), (await inHealth("quarantined")).id, { state: "active" }),
    ],
    "probation succeed": ["a node on probation whose task goes well is trusted", () => tried((each) => aReport(each))],
    "probation fail": [
      "a node on probation whose task fails is quarantined",
      () => tried((each) => aFailure(each, "resources")),
    ],
    "probation forgive": [
      "a node on probation that an operator makes active is trusted",
      async () => changeNode(farm(), (await inHealth("probation")).id, { state: "active" }),
    ],
  },
};

const machines = {
  task: taskMachine,
  attempt: attemptMachine,
  element: elementRunMachine,
  health: nodeHealthMachine,
} as const;

/** `state event` -> the state after it. */
const transitionsOf = (machine: Readonly<Record<string, Readonly<Record<string, string>>>>) =>
  Object.entries(machine).flatMap(([state, exits]) =>
    Object.entries(exits).map(([event, after]) => [`${state} ${event}`, `${state} → ${after}`] as const),
  );

describe.each(Object.entries(machines))("%s", (name, machine) => {
  const transitions = transitionsOf(machine);
  const told = stories[name] ?? {};

  test("has a story for each of its transitions, and for nothing else", () => {
    expect(Object.keys(told).sort()).toEqual(transitions.map(([transition]) => transition).sort());
  });

  for (const [transition, move] of transitions) {
    const [what, story] = told[transition] ?? ["nothing is told of it", async () => undefined];
    test(`${transition}: ${what}`, async () => {
      await story();
      expect(moves()).toContain(`${name} ${move}`);
    });
  }
});
