import { factsOfImages } from "../../../media/formats/image-sequence.ts";
import type { MediaFacts } from "../../../shared/model/asset.ts";
import { sourceError } from "../../../shared/model/failure.ts";
import { withClockOf } from "../../formats/clock.ts";
import { withEditLists } from "../../formats/edit-lists.ts";
import type { ResolvedInput } from "../../paths/resolved-paths.ts";
import { inputNamed } from "../named-files.ts";
import type { Performer, StepContext } from "../step.ts";

export const performProbe: Performer<"probe"> = async ({ asset, known }, context) => {
  const { tools, log, work } = context;
  const input = inputNamed(asset, context);
  const size = input.files.reduce((sum, file) => sum + (file.length ?? file.size), 0);
  const modified = Math.max(...input.files.map((file) => file.modified));
  const tool = tools.probeBuild;
  log.line(`probe ${input.path}`);
  if (known?.size === size && known.modified === modified && known.tool === tool) {
    return { unchanged: true, file: { uri: input.uri, size, modified }, tool };
  }
  const { pieces, images: asked } = work.assets[asset] ?? {};
  const images = asked && { ...asked, count: input.files.length };
  const facts = await probed(input, { pieces: pieces !== undefined, images, size }, context);
  if (facts.video.length + facts.audio.length === 0) {
    throw sourceError(`${input.path} holds no audio or video`);
  }
  const file = { uri: input.uri, size, modified, facts, ...(pieces && { pieces }), ...(images && { images }) };
  return { unchanged: false, file, tool };
};

type Request = {
  readonly pieces: boolean;
  readonly images: Parameters<typeof factsOfImages>[1] | undefined;
  readonly size: number;
};

const probed = async (
  input: ResolvedInput,
  { pieces, images, size }: Request,
  context: StepContext,
): Promise<MediaFacts> => {
  const { tools, signal } = context;
  const [first] = input.files;
  if (images && first) {
    const picture = await tools.probe({ path: first.path, size: first.size, name: first.path, signal });
    return factsOfImages(picture, images, size);
  }
  const facts = await tools.probe({
    path: input.path,
    isJoined: pieces,
    peek: true,
    size,
    name: pieces ? input.uri : input.path,
    signal,
  });
  const clocked = await withClockOf(facts, input.files, signal);
  return pieces ? clocked : withEditLists(clocked, input.path);
};
