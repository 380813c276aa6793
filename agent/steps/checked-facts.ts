import { unmetExpectations } from "../../media/ffmpeg/verify.ts";
import type { MediaFacts } from "../../shared/model/asset.ts";
import { TaskError } from "../../shared/model/failure.ts";
import type { ResolvedOutput } from "../paths/resolved-paths.ts";
import type { MediaTools } from "../tools/media-tools.ts";

/** The facts of a made file. Throws TaskError `media` if it does not match the request. */
export const checkedFacts = async ({
  place,
  path,
  size,
  tools,
  signal,
}: FactNeeds): Promise<MediaFacts | undefined> => {
  const { name, expect } = place.output;
  if (expect === undefined) return undefined;
  // Later elements plan from these facts, so they tell what is within the picture too: captions, HDR, timecode.
  const facts = await tools.probe({ path, size, name, signal, peek: expect.video !== undefined });
  const unmet = unmetExpectations(expect, facts);
  if (unmet.length === 0) return facts;
  throw new TaskError("media", `${name} does not match the request: ${unmet.join("; ")}`);
};

type FactNeeds = {
  readonly tools: MediaTools;
  readonly signal: AbortSignal;
  readonly place: ResolvedOutput;
  readonly path: string;
  readonly size: number;
};
