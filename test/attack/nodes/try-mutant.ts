import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Mutant } from "./mutants.ts";

const root = join(import.meta.dirname, "../../..");
/** What a farm without pages and the kit are made of. */
const parts = ["agent", "cli", "coordinator", "media", "shared", "test", "package.json", "THIRD-PARTY.md"];

/** The file's text without the line. Throws where the line does not stand there once. */
export const mutated = (text: string, { name, file, from, to, and }: Omit<Mutant, "what">): string => {
  if (text.split(from).length !== 2) throw new Error(`${file} is to hold the line of the mutant "${name}" once`);
  const made = text.replace(from, () => to);
  return and ? mutated(made, { name, file, ...and }) : made;
};

export type Outcome = { readonly isFound: boolean; readonly falls: readonly string[]; readonly output: string };

/** Runs the kit on a copy of the program that lacks one line, or on an unchanged copy. */
export const tryMutant = async (
  mutant: Omit<Mutant, "what"> | undefined,
  { seed, tries }: { readonly seed: number; readonly tries: number },
): Promise<Outcome> => {
  const folder = mkdtempSync(join(tmpdir(), "mediafarm-mutant-"));
  try {
    for (const part of parts) cpSync(join(root, part), join(folder, part), { recursive: true });
    symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
    if (mutant) {
      const path = join(folder, mutant.file);
      writeFileSync(path, mutated(readFileSync(path, "utf8"), mutant));
    }
    const words = ["--seed", String(seed), "--tries", String(tries), "hostile nodes"];
    const child = spawn(process.execPath, [join(folder, "test/attack/run.ts"), ...words], {
      cwd: folder,
      stdio: ["ignore", "pipe", "pipe"],
    });
    const said: string[] = [];
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", (text) => said.push(text));
    const [code] = await once(child, "close");
    const output = said.join("");
    const falls = [...output.matchAll(/^ {2}FELL: (.*)$/gm)].map(([, what = ""]) => what);
    return { isFound: code === 1 && falls.length > 0, falls, output };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};
