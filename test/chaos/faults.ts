import { cp, rm } from "node:fs/promises";
import { setTimeout as pause } from "node:timers/promises";
import { hasCode } from "../../agent/disk/file-system.ts";
import { checkpointNames } from "../../coordinator/checkpoint.ts";
import { readHellos } from "../helpers/farm/store-audit.ts";
import { type FateName, fates } from "../helpers/farm/troubled-store.ts";
import { exitOf, kill, type Program } from "../helpers/processes/farm-processes.ts";
import { fillDisk } from "../helpers/processes/small-disk.ts";
import { startLiar } from "./liar.ts";
import { type AgentName, agentNames, hasSmallDisks, timing, type World } from "./world.ts";

/** One thing that goes wrong while jobs run; when it is over, everything runs again. */
type Fault = (world: World) => Promise<void>;

const agentMoments = ["recorded", "made", "intended", "granted", "linked", "published", "reported"] as const;
/** Beyond this the farm gives a node up. */
const tooLongMs = timing.lostMs * 1.5;

/** How long a disk stays full. */
const fullMs = 1500;

const someAgent = ({ random }: World): AgentName => random.one(agentNames);

const coordinatorDiesAt =
  (moment: string): Fault =>
  async (world) => {
    const { farm, random } = world;
    await kill(farm.coordinator());
    await farm.restartCoordinator({ moment, turn: random.integer(1, 2) });
    const dying = farm.coordinator();
    const submitted = Promise.all([world.submit(), world.submit(), world.submit()]);
    await untilDead(world, dying);
    await farm.restartCoordinator();
    await submitted;
  };

const agentDiesAt =
  (moment: string): Fault =>
  async (world) => {
    await Promise.all(agentNames.map(world.killAgent));
    const [dies, helps] = world.random.chance(0.5) ? agentNames : agentNames.toReversed();
    const dying = await world.startAgent(dies ?? "one", { moment, turn: 1 });
    await world.submit();
    await untilDead(world, dying);
    await world.startAgent(helps ?? "two");
    await world.startAgent(dies ?? "one");
  };

const bothDieAt =
  (moment: string): Fault =>
  async (world) => {
    const { farm } = world;
    await Promise.all(agentNames.map(world.killAgent));
    const pids = [farm.coordinator().child.pid ?? 0];
    const dying = await world.startAgent("one", { moment, turn: 1, pids });
    const submitted = world.submit();
    await untilDead(world, dying);
    await kill(farm.coordinator());
    await farm.restartCoordinator();
    await Promise.all(agentNames.map((name) => world.startAgent(name)));
    await submitted;
  };

/** While this befalls batches, jobs come in and are worked at; reports that are not answered are repeated. */
const batchesMeet =
  (fate: FateName): Fault =>
  async (world) => {
    const { farm, random } = world;
    await kill(farm.coordinator());
    await farm.restartCoordinator({ troubles: { fate, every: 4, seed: random.integer(1, 1e6) } });
    const troubled = farm.coordinator();
    const submitted = Promise.all([world.submit(), world.submit(), world.submit()]);
    if (fate.endsWith("dies")) await untilDead(world, troubled);
    else await pause(3000);
    await kill(troubled);
    await farm.restartCoordinator();
    await submitted;
  };

/** Waits for a death that is planned, but not for ever. */
const untilDead = async ({ deaths }: World, program: Program): Promise<void> => {
  await Promise.race([exitOf(program.child), pause(20_000)]);
  deaths.push(program.child.signalCode === "SIGKILL");
  await kill(program);
};

const others: Readonly<Record<string, Fault>> = {
  "the coordinator is killed": async (world) => {
    await begin(world);
    await kill(world.farm.coordinator());
    await world.farm.restartCoordinator();
  },
  "an agent is killed": async (world) => {
    const name = someAgent(world);
    await begin(world);
    await world.killAgent(name);
    await world.startAgent(name);
  },
  "all are killed": async (world) => {
    await begin(world);
    await Promise.all([kill(world.farm.coordinator()), ...agentNames.map(world.killAgent)]);
    await world.farm.restartCoordinator();
    await Promise.all(agentNames.map((name) => world.startAgent(name)));
  },
  "a line is cut again and again": async (world) => {
    const relay = world.relays[someAgent(world)];
    await world.submit();
    for (let nth = 0; nth < 5; nth++) {
      await pause(world.random.integer(10, 400));
      relay.cut();
    }
  },
  "a line forwards nothing for too long": async (world) => {
    const relay = world.relays[someAgent(world)];
    await begin(world);
    relay.stall();
    await world.submit();
    await pause(tooLongMs);
    relay.resume();
  },
  "a line forwards nothing from the agent for too long": (world) => stallOneWay(world, "up"),
  "a line forwards nothing to the agent for too long": (world) => stallOneWay(world, "down"),
  "both lines forward nothing for a while": async (world) => {
    await begin(world);
    for (const relay of Object.values(world.relays)) relay.stall();
    await pause(world.random.integer(500, tooLongMs));
    for (const relay of Object.values(world.relays)) relay.resume();
  },
  "an agent is suspended and wakes when its task was given away": async (world) => {
    const { child } = world.agent(someAgent(world));
    await begin(world);
    child.kill("SIGSTOP");
    await world.submit();
    await pause(tooLongMs);
    child.kill("SIGCONT");
  },
  "the coordinator is suspended for too long": async (world) => {
    const { child } = world.farm.coordinator();
    await begin(world);
    child.kill("SIGSTOP");
    await pause(tooLongMs);
    child.kill("SIGCONT");
    await world.submit();
  },
  "an agent lies": async (world) => {
    const { farm, random } = world;
    const liar = startLiar({ ...world.joinToken, capabilities: capabilitiesOf(farm.database), random });
    for (let count = 0; count < 4; count += 1) await begin(world);
    await pause(2000);
    liar.end();
  },
  "the coordinator's clock jumps by an hour": async (world) => {
    await begin(world);
    world.farm.coordinator().child.kill("SIGUSR2");
    await world.submit();
  },
  "an agent's clock jumps by an hour": async (world) => {
    await begin(world);
    world.agent(someAgent(world)).child.kill("SIGUSR2");
    await world.submit();
  },
  "a second agent claims to be the first": async (world) => {
    const { farm } = world;
    await begin(world);
    const copy = `${farm.dataOf("one")}-copy`;
    await copyInUse(farm.dataOf("one"), copy);
    const twin = farm.startTwin("one", copy);
    await world.submit();
    await pause(2000);
    await kill(twin);
    await rm(copy, { recursive: true, force: true });
  },
};

/** A folder whose files come and go meanwhile: it is copied again until nothing vanished. */
const copyInUse = async (from: string, to: string, tries = 20): Promise<void> => {
  try {
    await cp(from, to, { recursive: true, filter: (path) => !path.endsWith("lock") });
  } catch (error) {
    if (!hasCode(error, "ENOENT") || tries === 0) throw error;
    await rm(to, { recursive: true, force: true });
    await copyInUse(from, to, tries - 1);
  }
};

const stallOneWay = async (world: World, way: "up" | "down"): Promise<void> => {
  const relay = world.relays[someAgent(world)];
  await begin(world);
  relay.stall(way);
  await world.submit();
  await pause(tooLongMs);
  relay.resume();
};

/** Nothing more can be written there for a while; what is submitted meanwhile is acknowledged when it can be kept. */
const diskRunsFull =
  (disk: keyof World["disks"]): Fault =>
  async (world) => {
    await begin(world);
    const makeRoom = fillDisk(world.disks[disk]);
    const submitted = Promise.all([world.submit(), world.submit()]);
    await pause(fullMs);
    makeRoom();
    await submitted;
  };

/** What a node that makes what is asked for says that it can do. */
const capabilitiesOf = (database: string): string[] =>
  readHellos(database).find(({ name }) => name === "one")?.tools.capabilities ?? [];

/** Work is there, and has come some way or other. */
const begin = async (world: World): Promise<void> => {
  await world.submit();
  await pause(world.random.integer(0, 800));
};

const fullDisks: Readonly<Record<string, Fault>> = {
  "the coordinator's disk runs full for a while": diskRunsFull("coordinator"),
  "an agent's disk runs full for a while": (world) => diskRunsFull(someAgent(world))(world),
  "the disk where outputs go runs full for a while": diskRunsFull("out"),
};

const named = (what: string, moments: readonly string[], make: (moment: string) => Fault) =>
  moments.map((moment): readonly [string, Fault] => [`${what} at "${moment}"`, make(moment)]);

export const faults: ReadonlyMap<string, Fault> = new Map([
  ...named("the coordinator dies", checkpointNames, coordinatorDiesAt),
  ...named("an agent dies", agentMoments, agentDiesAt),
  ...named("an agent and the coordinator die", agentMoments, bothDieAt),
  ...(Object.keys(fates) as FateName[]).map((fate): [string, Fault] => [`a batch ${fate}`, batchesMeet(fate)]), // of a literal
  ...Object.entries(others),
  ...(hasSmallDisks ? Object.entries(fullDisks) : []),
]);
