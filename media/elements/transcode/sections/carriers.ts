import type { StreamRecipe } from "../recipe.ts";
import { codecOfEncoder } from "../video/index.ts";
import type { Carrier } from "../video/video.ts";

/** What holds sections of the stream, which play on in one another; undefined where its encoder makes none. */
export const carrierOf = ({ options }: StreamRecipe): Carrier | undefined => codecOfEncoder(options.c)?.carrier;

/** Whether the encoder counts something through the whole film, and would begin anew in each section. */
export const countsOn = ({ options }: StreamRecipe): boolean =>
  Object.entries(options).some(([name, value]) => value !== undefined && /timecode/.test(`${name}=${value}`));
