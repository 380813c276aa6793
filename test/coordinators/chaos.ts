import { setTimeout as pause } from "node:timers/promises";
import { messageOf } from "../../shared/basics/errors.ts";
import { aCopyTo, aFileSource } from "../helpers/farm/job-builders.ts";
import { until } from "../helpers/processes/farm-processes.ts";
import { randomFrom } from "../helpers/random/random.ts";
import { audit, type Findings } from "./audit.ts";
import { type Fault, faultsOf } from "./faults.ts";
import { openWorld, type World } from "./world.ts";

export type ChaosChoices = {
  readonly seed: number;
  readonly faults: number;
  /** Only faults whose names contain this. */
  readonly only?: string | undefined;
  readonly say: (text: string) => void;
  /** True: no more faults, and the audit of what there was. */
  readonly isEnough?: () => boolean;
};

/** How long clients waited for an answer around one fault: the longest time without any. */
export type Outage = { readonly fault: string; readonly takes: boolean; readonly ms: number };

export type ChaosResult = {
  readonly findings: Findings;
  readonly outages: readonly Outage[];
  /** From the end of a lease to the first batch of the next leader, by the database's clock. */
  readonly afterLease: readonly number[];
  readonly jobs: number;
  readonly batches: number;
  /** The kinds of faults that came, and how often. */
  readonly kinds: Readonly<Record<string, number>>;
};

/** Callers that submit all the time. */
const callers = 3;
const betweenJobsMs = 250;
const patienceMs = 400_000;

/** Faults one after the other while jobs come in and are done; then quiet, and an audit of the rows. */
export const runChaos = async ({ seed, faults: count, only, say, isEnough }: ChaosChoices): Promise<ChaosResult> => {
  await using world = await openWorld(seed);
  const known = faultsOf(world);
  const names = drawn(
    [...known.keys()].filter((name) => name.includes(only ?? "")),
    count,
    seed,
  );
  const submissions = submitOn(world);
  const outages: Outage[] = [];
  const gaveUp: string[] = [];
  for (const [nth, name] of names.entries()) {
    if (isEnough?.()) break;
    const fault = known.get(name) as Fault; // drawn from there
    const ms = await outageOf(world, fault, submissions.answers).catch(messageOf);
    if (typeof ms === "string") {
      gaveUp.push(`fault ${nth + 1}, ${name}: ${ms}`);
      break;
    }
    outages.push({ fault: name, takes: fault.takes, ms });
    say(`${nth + 1} of ${count}: ${name}: ${Math.round(ms)} ms without an answer`);
  }
  const logs = world.logs().map((text, nth) => `--- coordinator ${nth}\n${text.slice(-3000)}`);
  if (gaveUp.length > 0) say([...gaveUp, ...logs].join("\n"));
  await submissions.end();
  const left = await untilQuiet(world);
  const found = await audit(world, submissions.accepted);
  return {
    findings: { ...found, unended: [...gaveUp, ...left, ...found.unended] },
    outages,
    afterLease: (await world.watched.takeovers()).map(({ afterLeaseMs }) => afterLeaseMs),
    jobs: submissions.accepted.size,
    batches: await world.watched.batches(),
    kinds: Object.fromEntries([...Map.groupBy(outages, ({ fault }) => fault)].map(([name, all]) => [name, all.length])),
  };
};

/** Every kind comes before one comes again. */
const drawn = (all: readonly string[], count: number, seed: number): string[] => {
  const random = randomFrom(seed);
  const waiting: string[] = [];
  return Array.from({ length: count }, () => {
    if (waiting.length === 0) waiting.push(...all);
    return waiting.splice(random.integer(0, waiting.length - 1), 1)[0] ?? "";
  });
};

/** Waits until there is a leader, lets it happen, and waits until jobs are accepted again. */
const outageOf = async (world: World, fault: Fault, answers: readonly number[]): Promise<number> => {
  let leader = await world.leader();
  await until(
    "a coordinator leads",
    async () => {
      leader = await world.leader();
      return leader !== undefined;
    },
    patienceMs,
  );
  if (!leader) throw new Error("nobody leads");
  await pause(world.random.integer(0, 1000));
  const begun = performance.now();
  await fault.run(world, leader);
  const over = performance.now();
  await until("jobs are accepted again", () => (answers.at(-1) ?? 0) > over, patienceMs);
  const around = [begun, ...answers.filter((at) => at > begun)];
  return around.slice(1).reduce((longest, at, index) => Math.max(longest, at - (around[index] ?? at)), 0);
};

/** Jobs without end, each sent under its own name until it is accepted. */
const submitOn = (world: World) => {
  const accepted = new Map<string, string>();
  const answers: number[] = [];
  let [count, isOver] = [0, false];
  const one = async (name: string): Promise<void> => {
    const folder = `/out/${name}`;
    const copies = ["a", "b"].map((uid) => ({ ...aCopyTo(`${folder}/${uid}`, { existing_files: "fail" }), uid }));
    const job = {
      name,
      payload: {
        elements: [aFileSource(`/media/${name}.mov`), ...copies],
        connections: [{ from: [{ element: "source" }], to: { success: copies.map(({ uid }) => ({ element: uid })) } }],
      },
    };
    for (;;) {
      const answer = await world.client.createJob(job, { headers: { "idempotency-key": name } }).catch(() => undefined);
      if (answer) {
        accepted.set(answer.id, name);
        answers.push(performance.now());
        return;
      }
      await pause(50);
    }
  };
  const caller = async (): Promise<void> => {
    while (!isOver) {
      await one(`job-${++count}`);
      await pause(betweenJobsMs);
    }
  };
  const all = Array.from({ length: callers }, caller);
  return {
    accepted,
    answers,
    end: async (): Promise<void> => {
      isOver = true;
      await Promise.race([Promise.all(all), pause(patienceMs)]);
    },
  };
};

/** Every job ends, and every node lets go of what it held. */
const untilQuiet = async ({ pair, nodes }: World): Promise<string[]> => {
  const end = performance.now() + patienceMs;
  for (;;) {
    const rows = await pair
      .ask("SELECT count(*)::int AS n FROM jobs WHERE status IN ('queued', 'active')")
      .catch(() => [{ n: -1 }]);
    const held = nodes.reduce((sum, node) => sum + node.holds(), 0);
    if (rows[0]?.n === 0 && held === 0) return [];
    if (performance.now() > end) return [`${rows[0]?.n} jobs are open, and nodes hold ${held} attempts`];
    await pause(200);
  }
};
