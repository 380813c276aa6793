import { createHash } from "node:crypto";
import { decodeOnce } from "../../shared/files/location.ts";
import { type Fence, fenceKey } from "../../shared/protocol/messages.ts";

export type TempNaming = {
  readonly name: string;
  readonly fence: Fence;
  /** 1 for the first output of that name in its folder, 2 for the second, … */
  readonly turn: number;
  /** The output has many files. */
  readonly isFolder: boolean;
};

const longest = 180; // maximum bytes of a name before dots, fence and suffix are added; file systems limit names to 255

/** The hidden name, of the form in shared/work/temp-names.ts, next to the target under which an attempt makes it: a file or a folder. */
export const tempName = ({ name, fence, turn, isFolder }: TempNaming): string => {
  const plain = name.replaceAll("%", "_"); // a muxer may read % in a path as a pattern
  const short = Buffer.byteLength(plain) <= longest ? plain : hashOf(name);
  return `.${short}.${fenceKey(fence)}${turn === 1 ? "" : `-${turn}`}.${isFolder ? "parts" : "part"}`;
};

const hashOf = (name: string): string => createHash("sha256").update(name).digest("hex").slice(0, 32);

/** The last part of an address, as a decoded name. */
export const lastName = (uri: string): string => decodeOnce(uri.slice(uri.lastIndexOf("/") + 1));
