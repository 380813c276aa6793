import { expect, test } from "vitest";
import { choose, type Situation } from "../../../coordinator/schedule/choose.ts";
import { countFree } from "../../../coordinator/schedule/fit.ts";
import type { Offer } from "../../../coordinator/schedule/node-facts.ts";
import { type Candidate, findObstacles } from "../../../coordinator/schedule/obstacles.ts";
import type { OpenTask } from "../../../coordinator/schedule/open-task.ts";
import { createReadyIndex } from "../../../coordinator/schedule/ready.ts";
import type { Turn } from "../../../coordinator/schedule/round-robin.ts";
import type { Demand } from "../../../shared/model/demand.ts";
import { aNode, anOpenTask } from "../../helpers/farm/schedule.ts";
import { share } from "../../helpers/long.ts";
import { randomFrom } from "../../helpers/random/random.ts";

type Random = ReturnType<typeof randomFrom>;

const tags = [..."abcdef"].map((letter) => `tag-${letter}`);
const nodeIds = [1, 2, 3];

const someOf = <T>(random: Random, list: readonly T[], share: number): T[] => list.filter(() => random.chance(share));

const someDemand = (random: Random): Demand => ({
  ...(random.chance(0.2) ? { cores: random.integer(1, 12) } : {}),
  ...(random.chance(0.2) ? { memory: random.integer(1, 20) * 1e9 } : {}),
  ...(random.chance(0.1) ? { gpus: random.integer(1, 2) } : {}),
});

const someTask = (random: Random, id: number): OpenTask =>
  anOpenTask(id, {
    jobId: random.integer(1, 15),
    priority: random.integer(99, 101),
    tags: someOf(random, tags, 0.15),
    requires: someOf(random, ["ffmpeg", "encoder"], 0.2),
    weight: random.one(["full", "light"]),
    demand: someDemand(random),
    avoids: random.chance(0.1) ? [random.one(nodeIds)] : [],
  });

const someOffer = (random: Random): Offer => {
  const slots = random.integer(0, 4);
  const node = aNode({
    id: random.one(nodeIds),
    tags: someOf(random, tags, 0.7),
    capabilities: someOf(random, ["ffmpeg", "encoder"], 0.8),
    mandatory: random.chance(0.1) ? [random.one(tags)] : [],
    capacity: { slots, cores: random.integer(1, 12), memory: 16e9, disk: undefined, gpus: random.integer(0, 1) },
  });
  const uses = [...Array(random.integer(0, 3))].map(() => ({
    weight: random.one(["full", "light"] as const),
    demand: someDemand(random),
  }));
  return { node, free: countFree(node, uses) };
};

const someSituation = (random: Random): Situation => {
  const others = random.chance(0.5);
  return { full: new Set(someOf(random, tags, 0.05)), hasOthers: () => others };
};

/** What the design says, word for word, over a plain list. */
const naiveChoice = (
  offer: Offer,
  tasks: readonly OpenTask[],
  turns: ReadonlyMap<number, readonly number[]>,
  { full, hasOthers }: Situation,
): OpenTask | undefined => {
  const { node } = offer;
  const mayRun = (task: OpenTask): boolean =>
    hasRoom(offer, task) &&
    task.requires.every((need) => node.capabilities.has(need)) &&
    task.tags.every((tag) => node.tags.has(tag) && !full.has(tag)) &&
    node.mandatory.every((tag) => task.tags.includes(tag)) &&
    (!task.avoids.includes(node.id) || !hasOthers(task));
  const turnOf = ({ jobId }: OpenTask) => turns.get(jobId)?.at(-1) ?? 0;
  const hasBegun = (task: OpenTask) => Number(turnOf(task) > 0);
  const [first] = tasks
    .filter(mayRun)
    .sort(
      (a, b) =>
        b.priority - a.priority ||
        hasBegun(b) - hasBegun(a) ||
        turnOf(a) - turnOf(b) ||
        a.jobId - b.jobId ||
        a.id - b.id,
    );
  return first;
};

const hasRoom = ({ node: { capacity }, free }: Offer, { weight, demand }: OpenTask): boolean => {
  const { cores = 0, memory = 0, gpus = 0 } = demand;
  const share = capacity.slots > 1 ? Math.ceil(cores / (capacity.cores / capacity.slots)) : 1;
  const slots = Math.max(1, Math.min(capacity.slots, share));
  if (weight === "full" ? free.slots < slots : free.light < 1) return false;
  if (memory > capacity.memory || gpus > capacity.gpus) return false;
  return (memory === 0 || memory <= free.memory) && (gpus === 0 || gpus <= free.gpus);
};

/** The offer as the explanation sees it: of a node that works. */
const candidateOf = (offer: Offer): Candidate => ({
  name: "n",
  isConnected: true,
  state: "active",
  health: { state: "sound", until: "" },
  busy: 0,
  offer,
});

test.each([7, 8])("a node has reasons against a task where the choice would not give it one (seed %i)", (seed) => {
  const random = randomFrom(seed);
  let taken = 0;
  for (let nr = 0; nr < 3000; nr += 1) {
    const index = createReadyIndex();
    index.add(someTask(random, 1));
    const situation = { ...someSituation(random), full: new Set<string>() };
    const found = index.find(1);
    if (!found) throw new Error("it was just added");
    const { set, position } = found;
    const reservation = { key: random.one([set.key, "other"]), priority: random.integer(98, 102), taskId: 9, jobId: 9 };
    const offer = { ...someOffer(random), ...(random.chance(0.2) ? { reservation } : {}) };
    const reasons = findObstacles(candidateOf(offer), { ...set, position }, situation);
    expect(reasons.length === 0).toBe(choose(offer, index.sets(), situation) !== undefined);
    if (reasons.length === 0) taken += 1;
  }
  expect(taken).toBeGreaterThan(300);
});

test.each(share([1, 2, 3, 4, 5, 6], (seed) => seed === 1))(
  "the index chooses what a plain list would, on any farm (seed %i)",
  (seed) => {
    const random = randomFrom(seed);
    const index = createReadyIndex();
    const tasks = new Map<number, OpenTask>();
    /** By job: the steps in which it had turns, the last one last. */
    const turns = new Map<number, number[]>();
    const open: { readonly turn: Turn; readonly task: OpenTask; readonly step: number }[] = [];
    let [choices, givenBack] = [0, 0];
    for (let step = 1; step <= 4000; step += 1) {
      const id = random.integer(1, 300);
      if (random.chance(0.5)) {
        const task = someTask(random, id);
        index.add(task);
        tasks.set(id, task);
      } else if (random.chance(0.2)) {
        index.remove(id);
        tasks.delete(id);
      } else {
        const [offer, situation] = [someOffer(random), someSituation(random)];
        const choice = choose(offer, index.sets(), situation);
        expect(choice).toEqual(naiveChoice(offer, [...tasks.values()], turns, situation));
        if (!choice) continue;
        choices += 1;
        open.push({ turn: index.take(choice), task: choice, step });
        tasks.delete(choice.id);
        turns.set(choice.jobId, [...(turns.get(choice.jobId) ?? []), step]);
      }
      const [ended] = random.chance(0.3) ? open.splice(random.integer(0, open.length), 1) : [];
      if (ended && random.chance(0.5)) index.keepTurn(ended.turn);
      else if (ended) {
        const { task } = ended;
        givenBack += 1;
        index.giveBackTurn(ended.turn);
        turns.set(task.jobId, turns.get(task.jobId)?.filter((each) => each !== ended.step) ?? []);
        index.add(task);
        tasks.set(task.id, task);
      }
      expect(index.size()).toBe(tasks.size);
    }
    expect(choices).toBeGreaterThan(500);
    expect(givenBack).toBeGreaterThan(150);
  },
);
