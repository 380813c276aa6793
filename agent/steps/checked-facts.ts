import { unmetExpectations } from "../../media/ffmpeg/verify.ts";
import { mainVideo } from "../../media/formats/stream-timing.ts";
import { ratio } from "../../shared/basics/rational.ts";
import type { MediaFacts } from "../../shared/model/asset.ts";
import { TaskError } from "../../shared/model/failure.ts";
import { withEditLists } from "../formats/edit-lists.ts";
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
  const probed = await tools.probe({ path, size, name, signal, peek: expect.video !== undefined });
  // As for sources: only what an edit list shows is seen, and counts.
  const facts = expect.video === undefined ? probed : await withEditLists(probed, path);
  const counted = expect.video?.frames ? await countFrames(facts, { path, name, tools, signal }) : undefined;
  const unmet = unmetExpectations(expect, facts, counted);
  if (unmet.length === 0) return facts;
  throw new TaskError("media", `${name} does not match the request: ${unmet.join("; ")}`);
};

/** As the container tells, else every packet is read. Undefined where pictures have no times by which to count. */
const countFrames = async (
  facts: MediaFacts,
  { path, name, tools, signal }: Pick<FactNeeds, "path" | "tools" | "signal"> & { readonly name: string },
): Promise<number | undefined> => {
  const picture = mainVideo(facts);
  if (!picture || picture.frames !== undefined) return picture?.frames;
  const question = { stream: picture.index, zero: beforeAll, at: [] };
  const found = await tools.frames({ path, name, signal, question, onCount: () => {} }).catch((problem: unknown) => {
    if (problem instanceof TaskError && problem.failure.cause === "source") return undefined;
    throw problem;
  });
  return found?.frames;
};

/** Seconds: no packet comes before it. */
const beforeAll = ratio(-1_000_000);

type FactNeeds = {
  readonly tools: MediaTools;
  readonly signal: AbortSignal;
  readonly place: ResolvedOutput;
  readonly path: string;
  readonly size: number;
};
