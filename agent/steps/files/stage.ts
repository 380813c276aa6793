import { copyFile, mkdir, writeFile } from "node:fs/promises";
import { bundledPath } from "../../tools/bundled.ts";
import { inputNamed } from "../named-files.ts";
import type { Performer, StepContext } from "../step.ts";
import { stagedPath } from "../words.ts";

/** Copies a checked input, a bundled file or a text to a path that every filter can parse. */
export const performStage: Performer<"stage"> = async ({ as, from }, context) => {
  const path = stagedPath(context.scratch, as);
  await mkdir(context.scratch, { recursive: true, mode: 0o700 });
  if ("text" in from) await writeFile(path, from.text, { mode: 0o600 });
  else await copyFile(sourceOf(from, context), path);
  context.log.line(`stage ${as}`);
};

const sourceOf = (from: { asset: string } | { bundled: string }, context: StepContext): string =>
  "bundled" in from ? bundledPath(from.bundled) : inputNamed(from.asset, context).path;
