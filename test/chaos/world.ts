import { mkdirSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { decodeJoinToken, encodeJoinToken } from "../../shared/credentials/join-token.ts";
import { fakeFfmpeg, fakeFfprobe, media } from "../helpers/agent/agent-fixture.ts";
import { aChain, aCopyTo, aFileSource, anMp4Target, aTranscodeTo } from "../helpers/farm/job-builders.ts";
import { make } from "../helpers/media/media-tools.ts";
import { type DeathPlan, kill, type Program, startFarm } from "../helpers/processes/farm-processes.ts";
import { canMount } from "../helpers/processes/small-disk.ts";
import { randomFrom } from "../helpers/random/random.ts";
import { startRelay } from "./relay.ts";

/** The farm's patience, so short that faults outlast it. */
export const timing = {
  heartbeatMs: 300,
  lateMs: 1500,
  lostMs: 3000,
  tickMs: 100,
  capabilityWaitMs: 60_000,
  commitWaitMs: 4000,
  longestBackOffMs: 10_000,
};

export const agentNames = ["one", "two"] as const;
export type AgentName = (typeof agentNames)[number];

export type ChaosChoices = {
  readonly seed: number;
  /** With real ffmpeg; otherwise files are only copied. */
  readonly isReal: boolean;
};

/** Whether disks can be so small that they run full. */
export const hasSmallDisks = canMount();
const diskMegabytes = 32;

/** A job whose id was answered, and what has to be in its folder in the end. */
export type Expected = { readonly id: string; readonly folder: string; readonly name: string };

export type World = Awaited<ReturnType<typeof openWorld>>;

/**
 * Coordinator and two agents as processes, each agent behind a line of its own that can be cut. A task that fails is tried
 * again so many times.
 */
export const openWorld = async ({ seed, isReal }: ChaosChoices, retries: number) => {
  const farm = await startFarm({ timing, isMortal: true, ...(hasSmallDisks && { diskMegabytes }) });
  const outFolder = join(farm.folder, "out");
  if (hasSmallDisks)
    for (const disk of [outFolder, ...agentNames.map(farm.dataOf)]) farm.smallDisk(disk, diskMegabytes);
  const random = randomFrom(seed);
  const source = await makeSource(farm.media, isReal);
  const expected: Expected[] = [];
  const more = { task_retry: { count: retries, delay_sec: 0 } };
  const [one, two] = [await startRelay(farm), await startRelay(farm)];
  const relays = { one, two };
  const agents = new Map<AgentName, Program>();

  const startAgent = async (name: AgentName, plan?: DeathPlan & { readonly pids?: readonly number[] }) => {
    const { farmId, secret } = decodeJoinToken(farm.joinToken);
    const url = `ws://127.0.0.1:${relays[name].port}/v1/agent`;
    const joinToken = encodeJoinToken({ url, farmId, secret });
    const tools = isReal ? {} : { ffmpegPath: fakeFfmpeg, ffprobePath: fakeFfprobe };
    const program = await farm.startMortalAgent({ name, dataDir: farm.dataOf(name), joinToken, ...tools }, plan);
    agents.set(name, program);
    return program;
  };

  /** Again and again until somebody answers; what was not answered may be there all the same. */
  const submit = async (): Promise<void> => {
    for (;;) {
      const folder = join(outFolder, String(random.integer(0, 1e9)));
      const existing_files = random.one(["fail", "replace", "rename_new"]);
      const isCopy = !isReal || random.chance(0.3);
      const last = isCopy
        ? aCopyTo(folder, { existing_files })
        : aTranscodeTo(folder, [anMp4Target({ existing_files })]);
      const answer = await farm.client.createJob(aChain([aFileSource(source), last], more)).catch(() => undefined);
      if (answer) {
        expected.push({ id: answer.id, folder, name: isCopy ? "in.mp4" : "in_made.mp4" });
        return;
      }
      await pause(100);
    }
  };

  return {
    farm,
    random,
    isReal,
    source,
    relays,
    joinToken: { url: `ws://127.0.0.1:${farm.port}/v1/agent`, joinToken: farm.joinToken },
    /** What can be filled up: the coordinator's, the agents', and that where outputs go. */
    disks: { coordinator: join(farm.folder, "farm"), one: farm.dataOf("one"), two: farm.dataOf("two"), out: outFolder },
    expected,
    /** Whether each death that was planned came about: a moment may pass the program by. */
    deaths: [] as boolean[],
    submit,
    startAgent,
    agent: (name: AgentName): Program => {
      const found = agents.get(name);
      if (!found) throw new Error(`agent ${name} was never started`);
      return found;
    },
    killAgent: async (name: AgentName) => {
      const found = agents.get(name);
      if (found) await kill(found);
    },
    [Symbol.asyncDispose]: async () => {
      for (const relay of Object.values(relays)) await relay.stop();
      await farm[Symbol.asyncDispose]();
    },
  };
};

const makeSource = async (folder: string, isReal: boolean): Promise<string> => {
  mkdirSync(folder, { recursive: true });
  const path = join(folder, "in.mp4");
  if (!isReal) {
    await writeFile(path, media("made of words ".repeat(1000)));
    return path;
  }
  const [picture, sound] = ["testsrc2=size=320x180:rate=25:duration=2", "sine=duration=2"];
  return make(path, "-f", "lavfi", "-i", picture, "-f", "lavfi", "-i", sound, "-c:v", "libx264", "-c:a", "aac");
};
