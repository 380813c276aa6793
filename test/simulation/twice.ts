import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { parseArgs } from "node:util";

/**
 * `node test/simulation/twice.ts [--seed N] [--seeds N] [--faults M]` simulates the same farms in two processes, on each
 * engine: one coordinator with SQLite of its own, and several on one store with what PostgreSQL does. Prints the hashes of
 * all events. Exits with 0 if both processes did the same.
 */
const { values } = parseArgs({
  options: {
    seed: { type: "string", default: "1" },
    seeds: { type: "string", default: "500" },
    faults: { type: "string", default: "10" },
  },
});

const hashOf = async (more: readonly string[]): Promise<string> => {
  const words = ["--seed", values.seed, "--seeds", values.seeds, "--faults", values.faults, ...more];
  const child = spawn(process.execPath, [join(import.meta.dirname, "run.ts"), ...words], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [said] = await Promise.all([text(child.stdout), once(child, "exit")]);
  const hash = /^hash ([0-9a-f]{64})$/m.exec(said)?.[1];
  if (hash === undefined) throw new Error(`no hash was printed: ${said}`);
  return hash;
};

const engines = { SQLite: [], PostgreSQL: ["--coordinators", "3"] };
for (const [engine, more] of Object.entries(engines)) {
  const [one, other] = await Promise.all([hashOf(more), hashOf(more)]);
  console.log(`${engine}, ${values.seeds} seeds: ${one} and ${other}: ${one === other ? "equal" : "DIFFERENT"}`);
  if (one !== other) process.exitCode = 1;
}
