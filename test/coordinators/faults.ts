import { setTimeout as pause } from "node:timers/promises";
import { until } from "../helpers/processes/farm-processes.ts";
import { fillDisk } from "../helpers/processes/small-disk.ts";
import { hasSmallDisks, type Place, type World } from "./world.ts";

/** One thing that goes wrong while jobs run; when it resolves, nothing is wrong any more. */
export type Fault = {
  /** Whether another coordinator has to take over. */
  readonly takes: boolean;
  readonly run: (world: World, leader: Place) => Promise<void>;
};

/** Longer than the lease, and than a node's patience. */
const longMs = 8000;
/** Shorter than the lease. */
const shortMs = 2500;

const isAnother = async (world: World, before: Place): Promise<boolean> => {
  const now = await world.leader();
  return now !== undefined && now !== before;
};

const untilTaken = (world: World, before: Place): Promise<void> =>
  until(`another coordinator leads than ${before.nth}`, () => isAnother(world, before));

/** The way between two is closed in these directions until somebody else leads. */
const cutFromDatabase = (...ways: readonly ("up" | "down")[]): Fault => ({
  takes: true,
  run: async (world, leader) => {
    leader.database.stall(...ways);
    await untilTaken(world, leader);
    await pause(world.random.integer(0, 1000));
    leader.database.resume();
  },
});

/** It leads on, as nobody else may: its nodes keep what they have. */
const cutFromAgents = (...ways: readonly ("up" | "down")[]): Fault => ({
  takes: false,
  run: async (world, leader) => {
    leader.agents.stall(...ways);
    await pause(world.random.integer(shortMs, longMs));
    leader.agents.resume();
    leader.agents.cut();
  },
});

const clockIs = (seconds: number): Fault => ({
  takes: false,
  run: async (world, leader) => {
    const place = world.random.chance(0.5) ? leader : world.random.one(world.places);
    place.setClock(seconds);
    await pause(longMs / 2);
    place.setClock(0);
    await pause(1500); // programs look at the file once a second
  },
});

const restarted = (how: "fast" | "immediate"): Fault => ({
  takes: false,
  run: ({ pair }) => pair.restart(how),
});

const always: Readonly<Record<string, Fault>> = {
  "the leader is killed": {
    takes: true,
    run: async (world, leader) => {
      leader.isHeld = true;
      leader.program.child.kill("SIGKILL");
      await untilTaken(world, leader);
      leader.isHeld = false;
    },
  },
  "the leader is killed, and started again at once": {
    takes: false,
    run: async (world, leader) => {
      leader.program.child.kill("SIGKILL");
      await pause(world.random.integer(0, 2000));
    },
  },
  "the leader stands still for longer than its lease, and goes on": {
    takes: true,
    run: async (world, leader) => {
      const { child } = leader.program;
      child.kill("SIGSTOP");
      await untilTaken(world, leader);
      await pause(world.random.integer(0, 3000));
      child.kill("SIGCONT");
    },
  },
  "the leader stands still for less than its lease": {
    takes: false,
    run: async (world, leader) => {
      const { child } = leader.program;
      child.kill("SIGSTOP");
      await pause(world.random.integer(500, shortMs));
      child.kill("SIGCONT");
    },
  },
  "the leader is asked to end": {
    takes: true,
    run: async (world, leader) => {
      leader.isHeld = true;
      leader.program.child.kill("SIGTERM");
      await untilTaken(world, leader);
      leader.isHeld = false;
    },
  },
  "the leader is cut off from the database": cutFromDatabase(),
  "nothing of the leader reaches the database": cutFromDatabase("up"),
  "nothing of the database reaches the leader": cutFromDatabase("down"),
  "the leader's connections to the database break": {
    takes: false,
    run: async (world, leader) => {
      for (let nth = 0; nth < 5; nth += 1) {
        leader.database.cut();
        await pause(world.random.integer(10, 400));
      }
    },
  },
  "the leader is cut off from its agents": cutFromAgents(),
  "nothing of the agents reaches the leader": cutFromAgents("up"),
  "nothing of the leader reaches its agents": cutFromAgents("down"),
  "all who stand by are killed": {
    takes: false,
    run: async (world, leader) => {
      for (const place of world.places) if (place !== leader) place.program.child.kill("SIGKILL");
      await pause(world.random.integer(0, 1000));
    },
  },
  "the database is restarted": restarted("fast"),
  "the database loses its power": restarted("immediate"),
  "the database fails over to its standby": { takes: false, run: ({ pair }) => pair.failOver() },
  "the leader and the database are lost at once": {
    takes: false,
    run: async ({ pair }, leader) => {
      leader.program.child.kill("SIGKILL");
      await pair.failOver();
    },
  },
  "the database's standby stands still": {
    takes: false,
    run: async ({ pair, random }) => {
      const goOn = pair.stallStandby();
      await pause(random.integer(1000, longMs));
      goOn();
    },
  },
  "every commit takes a second": {
    takes: false,
    run: async ({ pair }) => {
      await pair.ask(slowSql);
      await pause(longMs);
      await until("commits are quick again", () =>
        pair.ask(quickSql).then(
          () => true,
          () => false,
        ),
      );
    },
  },
};

/** Deferred, so that they sleep at the commit. Both rows are held meanwhile, as by a commit that takes so long. */
const slowSql = `
  CREATE OR REPLACE FUNCTION sleep_a_second() RETURNS trigger LANGUAGE plpgsql AS
    'BEGIN PERFORM pg_sleep(1); RETURN NULL; END';
  CREATE CONSTRAINT TRIGGER slow AFTER UPDATE ON lead DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW EXECUTE FUNCTION sleep_a_second();
  CREATE CONSTRAINT TRIGGER slow AFTER UPDATE ON lease DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW EXECUTE FUNCTION sleep_a_second()`;
const quickSql = "DROP TRIGGER IF EXISTS slow ON lead; DROP TRIGGER IF EXISTS slow ON lease";

const onSmallDisks: Readonly<Record<string, Fault>> = {
  "the database's disk is full": {
    takes: false,
    run: async ({ pair, random }) => {
      const makeRoom = fillDisk(pair.data());
      await pause(random.integer(1500, shortMs));
      makeRoom();
      await pair.revive();
    },
  },
};

const withFakeTime: Readonly<Record<string, Fault>> = {
  "a coordinator's clock is an hour ahead": clockIs(3600),
  "a coordinator's clock is an hour behind": clockIs(-3600),
  "a coordinator's clock is a minute ahead": clockIs(60),
};

/** Those that can be tried on this machine. */
export const faultsOf = ({ hasFakeTime }: Pick<World, "hasFakeTime">): ReadonlyMap<string, Fault> =>
  new Map(Object.entries({ ...always, ...(hasSmallDisks ? onSmallDisks : {}), ...(hasFakeTime ? withFakeTime : {}) }));
