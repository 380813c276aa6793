import { nameOf } from "../../../../shared/files/location.ts";
import type { Arg } from "../../../../shared/work/arguments.ts";
import type { Step, StepOf, Work } from "../../../../shared/work/work.ts";
import { ffmpegHead } from "../../../ffmpeg/args.ts";
import { openingArgs } from "../../../ffmpeg/opening-args.ts";
import { assetNamed } from "../../../virtual-source/input-args.ts";
import type { Numbered } from "../command/command.ts";
import type { PlannedText, TextMaking, TextPlace, TextRecipe } from "../recipe.ts";
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
  { dvb, ...making }: TextMaking,
  id: string,
  to: StepOf<"subtitles">["to"],
  assets: Work["assets"],
): Step[] => {
  if (!dvb || !("scratch" in to)) return writingSteps(making, id, to, assets);
  const from = `${id}_pages`;
  return [
    ...writingSteps(making, from, { scratch: from }, assets),
    { do: "dvb_subtitles", id, from, to: to.scratch, ...dvb },
  ];
};

const writingSteps = (
  { from, ...making }: Omit<TextMaking, "dvb">,
  id: string,
  to: StepOf<"subtitles">["to"],
  assets: Work["assets"],
): Step[] => {
  const write = (read: StepOf<"subtitles">["from"]): Step => ({
    ...{ do: "subtitles", id, to, from: read, ...making },
  });
  if (!from) return [write(undefined)];
  const asset = assetNamed(from.uri, assets);
  const taking = takingOf(from, asset);
  if (!taking) return [write({ asset })];
  const taken = `${id}_track`;
  const argv = [...ffmpegHead, ...taking.input, "-c:s", taking.form, "-f", taking.form, { scratch: taken }];
  return [{ do: "ffmpeg", id: taken, argv }, write({ scratch: taken })];
};

/** How ffmpeg takes subtitles out of media, and in which form; undefined for a file of subtitles. */
export const takingOf = (from: TextPlace, asset: string): { input: Arg[]; form: "srt" | "ass" } | undefined => {
  if ("demuxer" in from) {
    const movie = { parts: ["movie=", { of: { asset }, context: "filter" as const }, `:f=${from.demuxer}[out+subcc]`] };
    return { input: ["-f", "lavfi", "-i", movie, "-map", "0:s"], form: "ass" };
  }
  if (!("stream" in from)) return undefined;
  const input = [...openingArgs({ name: nameOf(from.uri) }), "-i", { asset }, "-map", `0:${from.stream}`];
  return { input, form: from.form };
};

/** Files with texts, which are no inputs of the timeline. */
export const textUris = (
  targets: readonly { readonly text?: TextMaking; readonly planned?: readonly PlannedText[] }[],
) =>
  targets.flatMap(({ text, planned = [] }) =>
    [...(text ? [text] : []), ...planned.map(({ making }) => making)].flatMap(({ from }) => (from ? [from.uri] : [])),
  );
