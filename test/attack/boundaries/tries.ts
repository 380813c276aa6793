import { bodiesTries } from "./bodies.ts";
import { betweenTries } from "./in-between.ts";
import { landedTries } from "./landed.ts";
import { narrowedTries } from "./narrowed.ts";
import { oracles } from "./oracles.ts";
import { outsideTries } from "./outside.ts";
import { peopleTries } from "./people.ts";
import { programsTries } from "./programs.ts";
import { racesTries } from "./races.ts";
import { sessions } from "./sessions.ts";
import { strangersTries } from "./strangers.ts";
import { streamTries } from "./streams.ts";
import type { Try } from "./world.ts";

/** All of them, in the order in which they are tried. */
export const tries: readonly Try[] = [
  ...strangersTries,
  ...bodiesTries,
  ...programsTries,
  ...oracles,
  ...peopleTries,
  ...sessions,
  ...racesTries,
  ...landedTries,
  ...narrowedTries,
  ...streamTries,
  ...betweenTries,
  ...outsideTries,
];
