import { protocolVersion } from "../../../shared/protocol/messages.ts";
import { type Knowledge, lieOf } from "./lies.ts";

type GreetingNeeds = { readonly joinToken: string; readonly name: string };
export type Identity = { readonly nodeId: number; readonly nodeKey: string };

/** How it introduces itself: well, so that it gets work, or with lies in all that it says of itself. */
export const greeting = (needs: GreetingNeeds, identity: Identity | undefined, knowledge: Knowledge): unknown => {
  const { random, others } = knowledge;
  const good = introduction(needs, identity);
  // Its first one is believed: it is to be let in.
  if (!identity || random.chance(0.4)) return good;
  const lie = lieOf("hello", knowledge, 0);
  const attempts = others.map(({ fence, taskId }) => ({ fence, taskId, state: "running" }));
  return random.one([
    { ...good, attempts },
    { ...good, ...(lie as object), protocol: protocolVersion, credentials: identity, tags: good.tags },
    { ...good, credentials: { ...identity, nodeId: random.integer(0, identity.nodeId + 1) } },
    { ...good, credentials: { ...identity, nodeKey: "" } },
    { ...good, credentials: { joinToken: `${needs.joinToken.slice(0, -1)}A` } },
    { ...good, protocol: random.one([0, 1, 3, -1, 2 ** 40]) },
    { ...good, instance: "x".repeat(100), slots: 1024 },
    { ...good, roots: Array.from({ length: 200 }, () => `/${"r".repeat(3999)}`) },
    lie,
  ]);
};

/** A whole hello. */
export const introduction = ({ joinToken, name }: GreetingNeeds, identity?: Identity) => ({
  ...{ type: "hello", protocol: protocolVersion, credentials: identity ?? { joinToken }, name, platform: "posix" },
  ...{ tags: ["anybody"], slots: 4, roots: ["/"], mounts: [], attempts: [] },
  tools: {
    ffmpeg: { path: "/bin/ffmpeg", version: "7", build: "b" },
    ffprobe: { path: "/bin/ffprobe", version: "7", build: "b" },
    capabilities: ["ffmpeg", "ffprobe", "door:files", "door:previews", "door:stills", "door:sweep"],
  },
  machine: { cpu: "none", cores: 64, memory: 1e12, disk: 1e15, os: "none" },
});
