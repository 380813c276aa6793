import { ffmpegHead } from "../../../ffmpeg/args.ts";
import { openingArgs } from "../../../ffmpeg/opening.ts";
import { nameOf } from "../../../location.ts";
import { assetNamed } from "../../../virtual-source/input-args.ts";
import type { Step, StepOf, Work } from "../../../work.ts";
import type { Numbered } from "../command.ts";
import type { PlannedText, TextMaking, TextRecipe } from "../recipe.ts";
import { demuxerOf } from "./forms.ts";

/** Steps that write subtitles before the files that hold them, and the targets with the subtitles they copy. */
export const textSteps = (
  made: readonly Numbered[],
  assets: Work["assets"],
): { readonly steps: Step[]; readonly made: Numbered[] } => {
  const steps: Step[] = [];
  const names = new Map<string, string>();
  const prepared = ({ making, ...track }: PlannedText): TextRecipe => {
    const key = JSON.stringify(making);
    const scratch = names.get(key) ?? `text_${names.size}`;
    if (!names.has(key)) steps.push(...stepsFor(making, scratch, { scratch }, assets));
    names.set(key, scratch);
    return { ...track, made: { scratch, format: demuxerOf[making.form] ?? making.form } };
  };
  const all = made.map(({ target, out }) => {
    if (target.text) steps.push(...stepsFor(target.text, `${out}_text`, { out }, assets));
    const { planned, ...rest } = target;
    return { out, target: planned ? { ...rest, texts: planned.map(prepared) } : target };
  });
  return { steps, made: all.filter(({ target }) => target.text === undefined) };
};

const stepsFor = (
  { from, ...making }: TextMaking,
  id: string,
  to: StepOf<"subtitles">["to"],
  assets: Work["assets"],
): Step[] => {
  const write = (read: StepOf<"subtitles">["from"]): Step => ({
    ...{ do: "subtitles", id, to },
    ...(read && { from: read }),
    ...making,
  });
  if (!from) return [write(undefined)];
  const asset = assetNamed(from.uri, assets);
  if (from.stream === undefined) return [write({ asset })];
  const taken = `${id}_track`;
  return [extraction(from.uri, from.stream, asset, taken), write({ scratch: taken })];
};

/** Extracts a track from its container as SRT, which keeps what all the forms have in common. */
const extraction = (uri: string, stream: number, asset: string, id: string): Step => ({
  ...{ do: "ffmpeg", id },
  argv: [
    ...ffmpegHead,
    ...openingArgs({ name: nameOf(uri) }),
    ...["-i", { asset }, "-map", `0:${stream}`, "-c:s", "srt", "-f", "srt", { scratch: id }],
  ],
});

/** Files with texts, which are no inputs of the timeline. */
export const textUris = (
  targets: readonly { readonly text?: TextMaking; readonly planned?: readonly PlannedText[] }[],
) =>
  targets.flatMap(({ text, planned = [] }) =>
    [...(text ? [text] : []), ...planned.map(({ making }) => making)].flatMap(({ from }) => (from ? [from.uri] : [])),
  );
