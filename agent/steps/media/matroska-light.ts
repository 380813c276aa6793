import { open } from "node:fs/promises";
import { tracksIn, withLight } from "../../../media/formats/matroska/light.ts";
import { TaskError } from "../../../shared/model/failure.ts";
import { outputNamed } from "../named-files.ts";
import type { Performer } from "../step.ts";

/** Tracks stand in front of all pictures. */
const headBytes = 4 * 1024 * 1024;

/** Changes the file in place. */
export const performMatroskaLight: Performer<"matroska_light"> = async ({ of, display, light }, context) => {
  const { made: path, output } = outputNamed(of, context);
  await using file = await open(path, "r+");
  const head = new Uint8Array(headBytes);
  const { bytesRead } = await file.read(head, 0, headBytes, 0);
  const place = tracksIn(head.subarray(0, bytesRead));
  const changed = place && withLight(head.subarray(place.from, place.to), { display, light });
  if (!place || !changed) throw new TaskError("media", `${output.name} has no room for the metadata of HDR10`);
  await file.write(changed, 0, changed.length, place.from);
  context.log.line(`wrote the metadata of HDR10 into ${output.name}`);
};
