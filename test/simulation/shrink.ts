import type { Choice } from "./choice.ts";
import { simulate } from "./world/story.ts";

/**
 * The smallest part of a failing seed that still fails in the same way: fewer faults, then single faults and jobs left
 * out, one after the other.
 */
export const shrink = async (choice: Choice, name: string, tell: (words: string) => void): Promise<Choice> => {
  const fails = async (each: Choice): Promise<boolean> => {
    const { violations } = await simulate(each);
    return violations[0]?.name === name;
  };
  let smallest = choice;
  for (const part of [0.1, 0.25, 0.5, 0.75]) {
    const fewer = { ...smallest, faults: Math.floor(choice.faults * part) };
    if (await fails(fewer)) {
      smallest = fewer;
      break;
    }
  }
  tell(`${smallest.faults} faults are enough`);
  for (let nr = smallest.faults - 1; nr >= 0; nr -= 1) {
    const fewer = { ...smallest, without: [...(smallest.without ?? []), nr] };
    if (await fails(fewer)) smallest = fewer;
  }
  const mostJobs = choice.coordinators === undefined ? 12 : 24;
  for (let nr = mostJobs - 1; nr >= 0; nr -= 1) {
    const fewer = { ...smallest, withoutJobs: [...(smallest.withoutJobs ?? []), nr] };
    if (await fails(fewer)) smallest = fewer;
  }
  return smallest;
};
