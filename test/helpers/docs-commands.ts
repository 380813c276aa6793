import { readFileSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dirname, "../..");

/** The lines of all `sh` blocks below headings of a page of the repository, in their order; `words` names another kind of block. */
export const commandsOf = (file: string, headings: readonly string[], words = "sh"): string[] => {
  const sections = readFileSync(join(root, file), "utf8").split(/^## /m);
  return headings.flatMap((heading) => {
    const section = sections.find((each) => each.startsWith(`${heading}\n`));
    if (!section) throw new Error(`${file} has no heading ${heading}`);
    const blocks = [...section.matchAll(new RegExp(`^ *\`\`\`${words}\n(.*?)^ *\`\`\`$`, "gms"))];
    return blocks.flatMap(([, body = ""]) =>
      body
        .split("\n")
        .map((line) => line.trim())
        .filter(Boolean),
    );
  });
};
