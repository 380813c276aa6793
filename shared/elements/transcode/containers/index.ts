import type { Container } from "./container.ts";
import { jpg, pngs } from "./images.ts";
import { mkv } from "./mkv.ts";
import { mov } from "./mov.ts";
import { mp4 } from "./mp4.ts";
import { nut } from "./nut.ts";
import { wav } from "./wav.ts";

/** Every container that can be made. A new one is one file and one line here. */
const containers: readonly Container[] = [jpg, mkv, mov, mp4, nut, pngs, wav];

export const containerOf = (kind: string): Container | undefined =>
  containers.find(({ kinds }) => kinds.includes(kind));

/** By a file name's end, which the pattern of a target has; undefined where it tells nothing. */
export const containerOfName = (name: string): Container | undefined =>
  containers.find(({ extensions }) => extensions.some((extension) => name.toLowerCase().endsWith(extension)));
