import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { mutants } from "../../attack/nodes/mutants.ts";
import { mutated, tryMutant } from "../../attack/nodes/try-mutant.ts";
import { isLong, seed } from "../../helpers/long.ts";

const root = join(import.meta.dirname, "../../..");

test("each check that a mutant takes out stands in the program", () => {
  for (const mutant of mutants)
    expect(mutated(readFileSync(join(root, mutant.file), "utf8"), mutant)).toContain(mutant.to);
});

test.skipIf(!isLong).each(mutants)(
  "lying nodes are found out to $what, once the check of $name is taken out (tried by npm run long)",
  { timeout: 1_800_000 },
  async (mutant) => {
    const { isFound, output } = await tryMutant(mutant, { seed, tries: 60 });
    expect(isFound, output.slice(-4000)).toBe(true);
  },
);
