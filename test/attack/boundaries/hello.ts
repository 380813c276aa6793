import { protocolVersion } from "../../../shared/protocol/messages.ts";

/** A node that joins and has nothing. */
export const aHello = (joinToken: string) => ({
  ...{ type: "hello", protocol: protocolVersion, credentials: { joinToken }, name: "joiner", platform: "posix" },
  ...{ tags: [], slots: 1, roots: [], mounts: [], attempts: [] },
  tools: { ffmpeg: null, ffprobe: null, capabilities: [] },
  machine: { cpu: "none", cores: 1, memory: 1e9, os: "none" },
});
