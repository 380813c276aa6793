import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { parseArgs } from "node:util";
import { mutants } from "./mutants.ts";

/**
 * `node test/simulation/mutants/all.ts [--from N] [--to N] [--seconds S]` has every line of the list wrong once, each in a
 * process of its own, one after the other. Prints which seed found it and what that took. Exits with 0 if all were found.
 */
const { values } = parseArgs({
  options: {
    from: { type: "string", default: "0" },
    to: { type: "string", default: String(mutants.length - 1) },
    seconds: { type: "string", default: "120" },
  },
});
const survivors: number[] = [];
for (let nr = Number(values.from); nr <= Number(values.to); nr += 1) {
  const words = ["--mutant", String(nr), "--seconds", values.seconds];
  const child = spawn(process.execPath, [join(import.meta.dirname, "run.ts"), ...words], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [said, [status]] = await Promise.all([text(child.stdout), once(child, "exit")]);
  if (status !== 0) survivors.push(nr);
  console.log(`${nr}. ${said.trim()}`);
}
console.log(survivors.length === 0 ? "All were found." : `Not found: ${survivors.join(", ")}`);
process.exitCode = survivors.length === 0 ? 0 : 1;
