import packageJson from "../../package.json" with { type: "json" };
import { type Hello, protocolVersion } from "../../shared/protocol/messages.ts";
import {
  filesCapability,
  previewsCapability,
  stillsCapability,
  sweepCapability,
} from "../../shared/protocol/node-files.ts";
import type { AgentConfig } from "../config.ts";
import { flavour } from "../paths/flavour.ts";
import { canMakeStills, canPreview } from "../previews/index.ts";
import { type Providers, storageCapabilities } from "../storage/index.ts";
import type { NodeTools } from "../tools/tools.ts";

export type HelloNeeds = {
  readonly config: AgentConfig;
  readonly equipment: Pick<NodeTools, "tools" | "machine" | "capabilities">;
  readonly providers: Providers;
};

/** The part of every hello that stays the same while the agent lives: what this node is, has and can do. */
export const createHello = ({ config, equipment, providers }: HelloNeeds) => {
  const { name, tags, slots, roots, mounts } = config;
  const { tools, machine, capabilities } = equipment;
  const all = [
    ...tools.capabilities,
    ...capabilities,
    ...storageCapabilities(providers),
    ...questionCapabilities(tools.capabilities),
  ];
  return {
    ...{ type: "hello", protocol: protocolVersion, platform: flavour },
    version: packageJson.version,
    ...{ name, tags, slots, roots, mounts, machine },
    tools: { ...tools, capabilities: all },
  } satisfies Partial<Hello>;
};

/** What people may ask of the node's files. */
const questionCapabilities = (ofTools: readonly string[]): string[] => [
  filesCapability,
  sweepCapability,
  ...(canPreview(ofTools) ? [previewsCapability] : []),
  ...(canMakeStills(ofTools) ? [stillsCapability] : []),
];
