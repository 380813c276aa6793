import { open, readdir } from "node:fs/promises";
import { join } from "node:path";
import { type CodestreamProfile, nameProfile, patternBytes } from "../../../media/formats/codestream-profile.ts";
import { mediaError } from "../../../shared/model/failure.ts";
import { isFolder } from "../../../shared/work/work.ts";
import { outputNamed } from "../named-files.ts";
import type { Performer } from "../step.ts";

const blockBytes = 4 * 1024 * 1024;

/** Changes the files in place. Throws TaskError `media` where there is no codestream of this size. */
export const performCodestreamProfile: Performer<"codestream_profile"> = async ({ of, ...profile }, context) => {
  const { made, output } = outputNamed(of, context);
  const paths = isFolder(output) ? (await readdir(made)).map((name) => join(made, name)) : [made];
  let found = 0;
  for (const path of paths) found += await nameIn(path, profile, context.signal);
  if (found === 0) throw mediaError(`${output.name} has no codestream that could name its profile`);
  context.log.line(`named the profile of ${found} codestreams`);
};

const nameIn = async (path: string, profile: CodestreamProfile, signal: AbortSignal): Promise<number> => {
  await using file = await open(path, "r+");
  const { size } = await file.stat();
  let found = 0;
  for (let from = 0; from < size; from += blockBytes) {
    signal.throwIfAborted();
    // A pattern that begins in this block may end in the next one, which does not find it again.
    const block = Buffer.alloc(Math.min(blockBytes + patternBytes - 1, size - from));
    await file.read(block, 0, block.length, from);
    const before = Buffer.from(block);
    found += nameProfile(block, profile);
    if (!before.equals(block)) await file.write(block, 0, block.length, from);
  }
  return found;
};
