import { once } from "node:events";
import { get } from "node:http";
import { WebSocket } from "ws";
import { agentPath } from "../shared/api/api.ts";
import { protocolVersion } from "../shared/protocol/messages.ts";
import { type BenchCoordinator, startCoordinator } from "./farms/coordinator.ts";
import { cpuMsOf } from "./farms/cpu.ts";
import { sourceJob } from "./farms/jobs.ts";
import { scratchFolder } from "./farms/scratch.ts";
import type { Bench } from "./harness.ts";
import { startEcho } from "./references/echo.ts";

/**
 * A large farm that says what it says all day: every node a heartbeat and the progress of one task a second, and a hundred
 * pages that listen. The reference is a bare WebSocket server that sends the very same messages back, to nobody else.
 */
export const chatter: Bench = {
  name: "chatter",
  run: async ({ isQuick, pairs, say }) => {
    const [rounds, seconds] = isQuick ? [pairs ?? 2, 3] : [pairs ?? 5, 15];
    const [nodes, pages] = isQuick ? [100, 10] : [1000, 100];
    using scratch = scratchFolder();
    await using farm = await startCoordinator(scratch.path);
    await using echo = await startEcho();
    const [toFarm, toEcho] = [await joinFarm(farm, nodes), await openLines(echo.url, nodes)];
    const listeners = await Promise.all(Array.from({ length: pages }, () => listen(farm)));
    const everybody = toFarm.flatMap((line, at) => [line, toEcho[at] ?? line]);
    await talk(everybody, 3); // everything is compiled by then
    const results: { readonly farm: number; readonly echo: number }[] = [];
    for (let round = 0; round < rounds; round++) {
      // Side by side: a node that is not heard for the length of a leg would be given up.
      const before = { farm: cpuMsOf(farm.pid), echo: cpuMsOf(echo.pid) };
      await talk(everybody, seconds);
      const spent = (name: "farm" | "echo", pid: number) => (cpuMsOf(pid) - before[name]) / seconds;
      results.push({ farm: spent("farm", farm.pid), echo: spent("echo", echo.pid) });
    }
    for (const each of results)
      say(`coordinator ${each.farm.toFixed(0)} ms of CPU a second, echo ${each.echo.toFixed(0)} ms`);
    const heard = Math.min(...listeners.map(({ events }) => events()));
    if (heard < nodes) throw new Error(`A page heard ${heard} events of ${nodes} nodes: nothing was measured`);
    for (const { close } of listeners) close();
    for (const { socket } of [...toFarm, ...toEcho]) socket.terminate();
    const ratios = results.map((each) => each.farm / each.echo);
    return [
      {
        name: `CPU for ${nodes} nodes and ${pages} pages`,
        reference: "a bare ws echo of the same messages",
        ratios,
        target: 4,
      },
    ];
  },
};

type Line = { readonly socket: WebSocket; readonly fence: unknown };

/** Heartbeat and progress of every line once a second, evenly spread over it. */
const talk = async (lines: readonly Line[], seconds: number): Promise<void> => {
  const [slices, heartbeat] = [20, JSON.stringify({ type: "heartbeat" })];
  for (let turn = 0; turn < seconds * slices; turn++) {
    const due = performance.now() + 1000 / slices;
    for (let at = turn % slices; at < lines.length; at += slices) {
      const { socket, fence } = lines[at] as Line; // at is within the list
      socket.send(heartbeat);
      const progress = { percent: (turn / slices) % 100, fps: 25, speed: 1.5, frame: turn, position: turn / 25 };
      socket.send(JSON.stringify({ type: "progress", fence, progress }));
    }
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, due - performance.now())));
  }
};

/** So many nodes, each with one task that runs. */
const joinFarm = async (farm: BenchCoordinator, count: number): Promise<Line[]> => {
  const lines = Array.from({ length: count }, (_, n) => joinOne(farm, n));
  // A node takes two light tasks: so many are there for all.
  for (let n = 0; n < 2 * count; n++) {
    await farm.ask("POST", "/jobs", JSON.stringify(sourceJob(`/media/${n}.mov`)));
  }
  return Promise.all(lines);
};

const joinOne = (farm: BenchCoordinator, n: number): Promise<Line> =>
  new Promise((resolve, reject) => {
    const socket = new WebSocket(`${farm.base.replace(/^http/, "ws").replace(/\/v1$/, "")}${agentPath}`);
    socket.on("error", reject);
    socket.on("open", () => {
      socket.send(JSON.stringify(helloOf(farm.joinToken, n)));
      const beat = setInterval(() => socket.send('{"type":"heartbeat"}'), 5000); // until all are there
      socket.on("close", () => clearInterval(beat));
    });
    socket.on("message", (data) => {
      const message = JSON.parse(String(data));
      if (message.type === "assign") resolve({ socket, fence: message.assignment.fence });
      if (message.type === "refused") reject(new Error(message.message));
    });
  });

const helloOf = (joinToken: string, n: number) => ({
  type: "hello",
  protocol: protocolVersion,
  credentials: { joinToken },
  name: `node ${n}`,
  platform: "posix",
  tags: [],
  slots: 1,
  roots: ["/media"],
  mounts: [],
  tools: { ffmpeg: null, ffprobe: null, capabilities: ["ffmpeg", "ffprobe"] },
  machine: { cpu: "none", cores: 4, memory: 1e10, os: "none" },
  attempts: [],
});

const openLines = (url: string, count: number): Promise<Line[]> =>
  Promise.all(
    Array.from({ length: count }, async (_, counter) => {
      const socket = new WebSocket(url);
      await once(socket, "open");
      socket.on("message", () => undefined);
      return { socket, fence: { epoch: 1_795_266_574, counter } };
    }),
  );

/** A page's stream, read and thrown away; counts events by their first words. */
const listen = (farm: BenchCoordinator): Promise<{ events: () => number; close: () => void }> =>
  new Promise((resolve, reject) => {
    let events = 0;
    const asked = get(`${farm.base}/events`, { headers: farm.headers, agent: false }, (answer) => {
      answer.on("data", (chunk: Buffer) => {
        for (let at = chunk.indexOf("event:"); at >= 0; at = chunk.indexOf("event:", at + 6)) events += 1;
      });
      resolve({ events: () => events, close: () => asked.destroy() });
    });
    asked.on("error", reject);
  });
