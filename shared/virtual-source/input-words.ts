import { safeInput, words } from "../ffmpeg/args.ts";
import { nameOf } from "../location.ts";
import { toSeconds } from "../rational.ts";
import type { Arg, Work } from "../work.ts";
import { assetIdOf, type SourceInput, type VirtualSource } from "./virtual-source.ts";

/** The part of ffmpeg's command that opens a virtual source. */
export const inputWords = ({ inputs }: VirtualSource): Arg[] => inputs.flatMap(wordsOf);

/** The files that the command opens, by the ids that its words name. */
export const sourceAssets = ({ inputs }: VirtualSource): Work["assets"] =>
  Object.fromEntries(inputs.map(({ uri }, input) => [assetIdOf(input), { uri }]));

const wordsOf = ({ uri, seek, shift }: SourceInput, input: number): Arg[] => [
  ...safeInput(nameOf(uri)),
  ...(seek ? ["-noaccurate_seek"] : []),
  ...words({ ss: seek && toSeconds(seek), itsoffset: shift && toSeconds(shift) }),
  ...["-i", { asset: assetIdOf(input) }],
];
