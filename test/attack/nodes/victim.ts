import { once } from "node:events";
import { WebSocket } from "ws";
import { decodeJoinToken } from "../../../shared/credentials/join-token.ts";
import type { FolderListing } from "../../../shared/files/folder-listing.ts";
import { type Assignment, type CoordinatorMessage, protocolVersion } from "../../../shared/protocol/messages.ts";
import type { FileRequest, FileResponse } from "../../../shared/protocol/node-files.ts";
import { intentOf, reportOf, victimsLog } from "./truth.ts";

/** What it shows to who looks at its folders. */
export const victimsListing: FolderListing = {
  path: "/victim",
  parent: null,
  entries: [{ path: "/victim/its own.wav", name: "its own.wav", isFolder: false, size: 7 }],
  isCut: false,
};
export const victimsProgress = 42;
/** Its folder is looked at often, and for most of the time it thinks about one of these looks. */
const thinksForMs = { request: 300, poll: 1500 };

/**
 * An honest node that holds its work open until it is told to end it: tasks that run, and tasks that were granted. Whoever
 * knows their fences can attack them all the while.
 */
export const startVictim = async (joinToken: string, folder: string) => {
  const socket = new WebSocket(decodeJoinToken(joinToken).url, { perMessageDeflate: false });
  const held = new Map<string, Assignment>();
  /** Its report is on the way: it says no more of it. */
  const handedIn = new Set<Assignment>();
  /** Numbers of questions that it has not answered yet. */
  const asked = new Set<number>();
  const troubles: string[] = [];
  const waiting = new Set<() => void>();
  let nodeId = 0;
  let isEnding = false;
  const say = (message: object) => socket.send(JSON.stringify(message));
  /** Who wants to answer in its place has time to. */
  const later = (id: number, answer: object, ms: number) => {
    asked.add(id);
    setTimeout(() => {
      asked.delete(id);
      if (socket.readyState === WebSocket.OPEN) say({ ...answer, id });
    }, ms);
  };
  const tellAll = () => {
    for (const each of waiting) each();
  };
  const handIn = (assignment: Assignment) => {
    handedIn.add(assignment);
    say({ type: "report", report: reportOf(assignment, victimsLog) });
  };

  const take = (assignment: Assignment): void => {
    const { fence, work } = assignment;
    say({ type: "started", fence });
    if (Object.keys(work.outputs).length === 0) {
      handIn(assignment);
      return;
    }
    if (staysRunning(assignment)) say({ type: "progress", fence, progress: { percent: victimsProgress } });
    else say({ type: "commit", fence, intent: intentOf(assignment) });
    held.set(`${fence.epoch}.${fence.counter}`, assignment);
  };

  const hear = (message: CoordinatorMessage): void => {
    switch (message.type) {
      case "welcome":
        nodeId = message.nodeId;
        break;
      case "assign":
        take(message.assignment);
        break;
      case "watch_log":
        if (message.from === 0) say({ type: "log", fence: message.fence, from: 0, left: 0, text: victimsLog });
        break;
      case "poll":
        later(message.id, { type: "polled", response: { what: "folder", files: [], isLast: true } }, thinksForMs.poll);
        break;
      case "request":
        later(message.id, { type: "response", response: answerTo(message.request) }, thinksForMs.request);
        break;
      case "stored":
        held.delete(`${message.fence.epoch}.${message.fence.counter}`);
        break;
      case "stale":
      case "cancel":
      case "refused":
      case "inspect":
        troubles.push(`the honest node was told ${JSON.stringify(message).slice(0, 300)}`);
    }
    tellAll();
  };
  socket.on("message", (data) => hear(JSON.parse(String(data))));
  socket.on("close", () => isEnding || troubles.push("the honest node was hung up on"));
  await once(socket, "open");
  say(introduction(joinToken, folder));
  const beat = setInterval(() => {
    if (socket.readyState !== WebSocket.OPEN) return;
    say({ type: "heartbeat" });
    for (const each of held.values())
      if (staysRunning(each) && !handedIn.has(each))
        say({ type: "progress", fence: each.fence, progress: { percent: victimsProgress } });
  }, 250);

  const until = async (is: () => boolean): Promise<void> => {
    if (is()) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const look = () => is() && resolve();
    waiting.add(look);
    await promise;
    waiting.delete(look);
  };
  return {
    nodeId: () => nodeId,
    troubles: (): readonly string[] => troubles,
    held: (): readonly Assignment[] => [...held.values()],
    asked: (): readonly number[] => [...asked],
    holds: (count: number) => until(() => held.size >= count),
    /** Reports all of its work; resolves once every report was stored, or with what was not after some time. */
    finish: async (patienceMs: number): Promise<void> => {
      for (const each of held.values()) {
        if (staysRunning(each)) say({ type: "commit", fence: each.fence, intent: intentOf(each) });
        handIn(each);
      }
      const { promise, resolve } = Promise.withResolvers<void>();
      const timer = setTimeout(resolve, patienceMs);
      await Promise.race([until(() => held.size === 0), promise]);
      clearTimeout(timer);
      for (const { name } of held.values()) troubles.push(`the honest node's report of ${name} was not stored`);
    },
    end: async (): Promise<void> => {
      isEnding = true;
      clearInterval(beat);
      socket.close();
      await once(socket, "close");
    },
  };
};

/** Such work never asks to publish before its end. */
const staysRunning = ({ work }: Assignment): boolean =>
  Object.values(work.assets).some(({ uri }) => uri.includes("running"));

const answerTo = (request: FileRequest): FileResponse =>
  request.do === "list"
    ? { is: "folder", listing: victimsListing }
    : { is: "refused", message: "the honest node has no such file" };

const introduction = (joinToken: string, folder: string) => ({
  ...{ type: "hello", protocol: protocolVersion, credentials: { joinToken }, name: "victim", platform: "posix" },
  ...{ tags: ["victim"], slots: 32, roots: [folder], mounts: [], attempts: [] },
  tools: { ffmpeg: null, ffprobe: null, capabilities: ["ffmpeg", "ffprobe", "door:files"] },
  machine: { cpu: "none", cores: 64, memory: 1e12, disk: 1e15, os: "none" },
});
