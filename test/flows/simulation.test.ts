import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { describe, expect, test } from "vitest";
import { isLong, seed, times } from "../helpers/long.ts";
import { commandOf } from "../simulation/choice.ts";
import { mutants } from "../simulation/mutants/mutants.ts";
import { regressions } from "../simulation/regressions.ts";

const root = join(import.meta.dirname, "../..");

/** Runs a program of the simulation; gives what it printed. Each is a process: it replaces Node's modules. */
const run = async (program: string, words: readonly string[]) => {
  const child = spawn(process.execPath, [join(root, "test/simulation", program), ...words], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [said, [status]] = await Promise.all([text(child.stdout), once(child, "exit")]);
  return { said, status };
};

/** Far more than it takes where the machine has something else to do. */
const patienceMs = times(1, 2, 12) * 3_600_000;

const hashIn = (said: string): string | undefined => /^hash ([0-9a-f]{64})$/m.exec(said)?.[1];

describe("a farm on simulated time, network and disks", { concurrent: true }, () => {
  test("holds its promises, whatever goes wrong", { timeout: patienceMs }, async () => {
    // `npm test` and `.ci/run` do the same each time; `npm run long` goes where nobody was before.
    const first = isLong ? seed % 1_000_000 : 1;
    const words = ["--seed", `${first}`, "--seeds", `${isLong ? 1e6 : 30}`, "--seconds", `${times(40, 60, 3600)}`];
    const { said, status } = await run("run.ts", [...words, "--explain"]);
    expect(said).toContain("invariant checks");
    expect(status, said).toBe(0);
  });

  test("does the same again in another process, to the last event, on both engines", {
    timeout: patienceMs,
  }, async () => {
    const words = ["--seed", "100", "--seeds", `${times(3, 15, 500)}`];
    const { said, status } = await run("twice.ts", words);
    expect(said.match(/: equal$/gm)).toHaveLength(2);
    expect(status, said).toBe(0);
  });

  test("has faults of every kind that do something", { timeout: patienceMs }, async () => {
    const { said, status } = await run("effects.ts", [
      "--tries",
      "30",
      ...(isLong ? [] : ["--only", "a disk is full"]),
    ]);
    expect(said).toMatch(/^seed \d+: a disk is full$/m);
    expect(status, said).toBe(0);
  });

  test("holds them with several coordinators that take over from each other", { timeout: patienceMs }, async () => {
    const first = isLong ? seed % 1_000_000 : 1;
    const words = ["--seed", `${first}`, "--seeds", `${isLong ? 1e6 : 30}`, "--seconds", `${times(15, 40, 3600)}`];
    const { said, status } = await run("run.ts", [...words, "--coordinators", "3", "--faults", "15", "--explain"]);
    expect(said).toContain("the lead is given away");
    expect(said).toContain("takeovers");
    expect(status, said).toBe(0);
  });

  test("does something else with another seed", async () => {
    const of = (nr: string) => run("run.ts", ["--seed", nr, "--faults", "0"]);
    const [one, other] = await Promise.all([of("1"), of("2")]);
    expect(hashIn(one.said)).not.toBe(hashIn(other.said));
  });

  test("never fails again in a way that was mended", { timeout: patienceMs }, async () => {
    for (const each of regressions) {
      const [, ...words] = commandOf(each).split(" -- ");
      const { said, status } = await run("run.ts", (words[0] ?? "").split(" "));
      expect(status, `${each.was}\n${said}`).toBe(0);
    }
  });
});

describe("lines of the product that are wrong on purpose", () => {
  test("are each there once", () => {
    const wrong = mutants.filter(({ file, find }) => readFileSync(join(root, file), "utf8").split(find).length !== 2);
    expect(wrong.map(({ name }) => name)).toEqual([]);
    expect(mutants.length).toBeGreaterThanOrEqual(30);
  });

  test.runIf(isLong).each(mutants.map(({ name }, nr) => [name, nr] as const))(
    "are found: %s",
    { timeout: patienceMs },
    async (_name, nr) => {
      const { said, status } = await run("mutants/run.ts", ["--mutant", `${nr}`, "--seconds", "600"]);
      console.log(said.trim());
      expect(status, said).toBe(0);
    },
  );
});
