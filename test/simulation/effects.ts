import { parseArgs } from "node:util";
import type { Choice } from "./choice.ts";
import { replaceModules } from "./loader/hooks.ts";

/**
 * `node test/simulation/effects.ts [--tries N] [--only KIND]` has faults of one kind alone, and the same seed with faults
 * that do nothing: if all else that happens is the same, the kind has no effect. Exits with 0 if every kind has one.
 */
const { values } = parseArgs({
  options: { tries: { type: "string", default: "6" }, only: { type: "string" } },
});
replaceModules();
const { prepare } = await import("./simulate.ts");
const { simulate } = await import("./world/story.ts");
const { faults } = await import("./world/faults.ts");
const { leadingFaults } = await import("./world/leading-faults.ts");
await prepare();

/** The seed that shows it; undefined if none does. */
const seedWithEffect = async (choice: Omit<Choice, "seed">): Promise<number | undefined> => {
  for (let seed = 1; seed <= Number(values.tries); seed += 1) {
    const [real, harmless] = [
      await simulate({ ...choice, seed }),
      await simulate({ ...choice, seed, isHarmless: true }),
    ];
    if (real.faults.length > 0 && real.hash !== harmless.hash) return seed;
  }
  return undefined;
};

const kinds = [
  ...faults.map(({ kind }) => ({ only: kind, faults: 8 })),
  ...leadingFaults.map(({ kind }) => ({ only: kind, faults: 8, coordinators: 3 })),
].filter(({ only }) => values.only === undefined || only === values.only);
for (const choice of kinds) {
  const seed = await seedWithEffect(choice);
  console.log(`${seed === undefined ? "NO EFFECT" : `seed ${seed}`}: ${choice.only}`);
  if (seed === undefined) process.exitCode = 1;
}
