import type { Layer } from "./imports.ts";

/** The rooms of one layer. A file imports from its own room and from those that stand before it, never upwards. */
type Rooms = {
  /** Files at the layer's root that every room may import; all others there stand above the rooms. */
  readonly ground: readonly string[];
  /** The lowest first. */
  readonly order: readonly string[];
};

export const rooms: Readonly<Record<Layer, Rooms>> = {
  shared: {
    ground: [],
    order: [
      ...["basics", "texts", "people", "lending", "state", "model", "files", "outbound", "credentials"],
      ...["work", "protocol", "api", "rights", "mcp", "desktop"],
    ],
  },
  media: {
    ground: [],
    order: [
      ...["formats", "ffmpeg", "virtual-source", "subtitles", "captions", "packaging", "encryption", "splices"],
      ...["manifests", "analyses", "results", "reports", "expressions", "preview", "instances", "elements"],
      ...["thirdparty", "job-templates", "jobs"],
    ],
  },
  coordinator: {
    ground: [
      "address-share.ts",
      "checkpoint.ts",
      "config.ts",
      "farm-clock.ts",
      "give-way.ts",
      "is-alive.ts",
      "iso-time.ts",
      "log.ts",
      "ground.ts",
      "port.ts",
    ],
    order: [
      ...[
        "store",
        "backup",
        "trail",
        "schedule",
        "kernel",
        "live",
        "nodes",
        "secrets",
        "planning",
        "jobs",
        "attempts",
        "watch",
        "files",
      ],
      ...[
        "views",
        "tls",
        "outbound",
        "webhooks",
        "alerts",
        "standby",
        "people",
        "identity",
        "second-steps",
        "tracing",
        "doors",
        "connections",
        "http",
        "routes",
      ],
    ],
  },
  agent: {
    ground: ["address-share.ts", "checkpoint.ts", "config.ts", "log.ts"],
    order: [
      ...[
        "disk",
        "process",
        "roots",
        "outbound",
        "foreign",
        "storage",
        "javascript",
        "containers",
        "cache",
        "paths",
        "formats",
      ],
      ...["tools", "reports", "steps", "attempt", "previews", "files", "lending", "session"],
    ],
  },
  renderer: {
    ground: ["static-tables.ts"],
    order: ["language", "ui", "data", "shell", "pages"],
  },
  electron: {
    ground: [],
    order: ["language", "addresses", "releases", "desktop", "start", "services", "lending", "window", "menu", "bridge"],
  },
  cli: {
    ground: [],
    order: [
      "text",
      "terminal",
      "farms",
      "command",
      "local-farm",
      "jobs",
      "doctor",
      "service",
      "upgrade",
      "mcp",
      "commands",
      "package",
    ],
  },
};

/** Which layers a layer may import beside itself. */
export const mayImport: Readonly<Record<Layer, readonly Layer[]>> = {
  shared: [],
  media: ["shared"],
  coordinator: ["shared", "media"],
  agent: ["shared", "media"],
  renderer: ["shared", "media"],
  electron: ["shared", "media", "coordinator", "agent", "renderer", "cli"],
  cli: ["shared", "media", "coordinator", "agent", "renderer"],
};

/** Circles of types that stand, each inside one room, with the reason. */
export const circlesAllowed: readonly { readonly files: readonly string[]; readonly because: string }[] = [];

export const layerOf = (path: string): Layer => path.split("/")[0] as Layer; // the glob finds files below layers only

/** How high a file stands in its layer: 0 is the ground, then its room's place, and files at the root above all. */
export const heightOf = (path: string): number => {
  const { ground, order } = rooms[layerOf(path)];
  const [, room = "", ...inside] = path.split("/");
  if (inside.length > 0) return order.indexOf(room) + 1;
  return ground.includes(room) ? 0 : order.length + 1;
};

export const roomOf = (path: string): string => path.split("/").slice(0, 2).join("/");
