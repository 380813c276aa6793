import { defined } from "../../../../shared/basics/defined.ts";
import type { Step, Work } from "../../../../shared/work/work.ts";
import { ffmpegHead } from "../../../ffmpeg/args.ts";
import { printGraph } from "../../../ffmpeg/filtergraph.ts";
import type { Measure } from "../recipe.ts";
import { commandOf, fileArgs } from "./command.ts";
import { fdkaacSteps, madeBy } from "./encoded-sounds.ts";
import { audioLabel } from "./graph.ts";
import { streamArgs } from "./stream-args.ts";

type Encoded = NonNullable<Measure["encoded"]>;

/** Decodes one track to its end; the last filters listen and give a result. */
export const measuringSteps = (measure: Measure, assets: Work["assets"]): Step[] => {
  if (measure.encoded) return behindEncoder(measure, measure.encoded, assets);
  const { id, source, track, filters } = measure;
  const streams = { audio: [{ track, filters }] };
  const command = commandOf({ source, assets, id }, [streams], () => listening);
  return [{ ...command, ...heardBy(measure) }];
};

const listening = ["-map", `[${audioLabel(0, 0)}]`, "-f", "null", "-"];

const heardBy = ({ id, parser, says, options, onlyIf, otherwise }: Measure) => {
  const from = says === "log" ? ("stderr" as const) : { scratch: id };
  return { results: { [id]: { parser, from, ...defined({ options, otherwise }) } }, ...(onlyIf && { onlyIf }) };
};

/** The sound alone is encoded as its target is, whatever files that has, and heard as players decode it. */
const behindEncoder = (measure: Measure, encoded: Encoded, assets: Work["assets"]): Step[] => {
  const { id, source, track, filters, onlyIf } = measure;
  const name = `${id}_sound`;
  const sound = { track, ...encoded, metadata: {}, name };
  const { fdkaac } = encoded;
  const opening = { source, assets, id: name };
  const file = fdkaac ? madeBy(sound) : { scratch: name, format: "matroska" };
  const encoding = commandOf(opening, [{ audio: [sound] }], (inputs) => [
    ...streamArgs(inputs, sound, audioLabel(0, 0), "a:0"),
    ...["-f", "matroska", { scratch: name }],
  ]);
  const graph = printGraph([{ from: ["0:0"], filters, to: [audioLabel(0, 0)] }]);
  return [
    ...(fdkaac ? fdkaacSteps(opening, [{ ...sound, fdkaac }]) : [{ ...encoding, ...(onlyIf && { onlyIf }) }]),
    {
      do: "ffmpeg",
      id,
      argv: [...ffmpegHead, ...fileArgs(file), "-filter_complex", graph, ...listening],
      ...heardBy(measure),
    },
  ];
};
