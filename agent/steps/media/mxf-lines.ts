import { open } from "node:fs/promises";
import { lineMapsIn } from "../../../media/formats/mxf-lines.ts";
import { TaskError } from "../../../shared/model/failure.ts";
import { outputNamed } from "../named-files.ts";
import type { Performer } from "../step.ts";

/** Descriptors stand in front of all pictures. */
const headerBytes = 1024 * 1024;

/** Changes the file in place. */
export const performMxfLines: Performer<"mxf_lines"> = async ({ of, first, second }, context) => {
  const { made: path, output } = outputNamed(of, context);
  await using file = await open(path, "r+");
  const header = new Uint8Array(headerBytes);
  const { bytesRead } = await file.read(header, 0, headerBytes, 0);
  const maps = lineMapsIn(header.subarray(0, bytesRead));
  if (maps.length === 0) throw new TaskError("media", `${output.name} does not say which lines its fields begin with`);
  const lines = Buffer.alloc(8);
  lines.writeUInt32BE(first, 0);
  lines.writeUInt32BE(second, 4);
  for (const { at } of maps) await file.write(lines, 0, lines.length, at);
  context.log.line(`the fields of ${output.name} begin with lines ${first} and ${second}`);
};
