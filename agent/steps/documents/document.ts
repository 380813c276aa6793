import { writeFile } from "node:fs/promises";
import { mergeParts } from "../../../media/results/analysis.ts";
import { outputNamed } from "../named-files.ts";
import type { Performer } from "../step.ts";

/** Writes results as readable JSON. */
export const performDocument: Performer<"document"> = async ({ to, results: ids }, context) => {
  const { results, log } = context;
  const target = outputNamed(to, context);
  const parts = ids.flatMap((id) => {
    const value = results.get(id)?.value;
    return typeof value === "object" && value !== null && !Array.isArray(value) ? [value] : [];
  });
  log.line(`write ${target.final}`);
  await writeFile(target.made, `${JSON.stringify(mergeParts(parts), null, 2)}\n`, { flag: "wx" });
};
