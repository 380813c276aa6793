import { others } from "./bases-others.ts";
import { sources } from "./bases-sources.ts";
import { transcodes } from "./bases-transcode.ts";
import type { World } from "./outcome.ts";
import { worldOf } from "./world.ts";

/** A payload in which fields are read, and the world of its element. */
export type Base = {
  /** The fields that it is for; absent: all. */
  readonly at?: RegExp;
  readonly payload: object;
  readonly world: World;
};

/** Of a kind whose payload may be empty. */
export const plain: Base = { payload: {}, world: worldOf() };

/** The same where everything lies in the cloud: keys are for that alone. */
const remote = ({ payload, ...base }: Base): Base => ({
  ...base,
  at: /\baccess\./,
  payload: JSON.parse(JSON.stringify(payload).replaceAll(/"(file:\/\/)?\//g, '"s3://bucket/')),
});

const local: Readonly<Record<string, readonly Base[]>> = { transcode: transcodes, ...sources, ...others };

export const bases: Readonly<Record<string, readonly Base[]>> = Object.fromEntries(
  Object.entries(local).map(([kind, list]) => [
    kind,
    // Of the many of a transcode, the one of manifests and the plain ones.
    [...list, ...(kind === "transcode" ? [...list.slice(0, 1), ...list.slice(-3)] : list).map(remote)],
  ]),
);
