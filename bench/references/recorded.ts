import { startFarm } from "../farms/farm.ts";
import { type Places, placesIn, transcodeAll } from "../farms/transcodes.ts";
import { createRecorder } from "./recorder.ts";

/** A process as the farm started it, with marks in place of the folders of that run. */
export type Recorded = { readonly kind: (typeof kinds)[number]; readonly argv: readonly string[] };

const kinds = ["source", "transcode", "verify"] as const;

/** Every process of a farm that makes these transcodes, each transcode behind the look at its source, the checks last. */
export const recordProcesses = async (sources: readonly string[], slots: number): Promise<Recorded[]> => {
  using recorder = createRecorder();
  await using farm = await startFarm({ slots, env: recorder.env });
  recorder.take();
  const places = placesIn(farm, "recorded");
  await transcodeAll(farm, sources, "recorded");
  const found = recorder.take().map((argv) => recordedOf(argv, places));
  for (const kind of kinds) {
    const count = found.filter((process) => process.kind === kind).length;
    // A source is asked once more where its first packets do not tell all.
    if (kind === "source" ? count >= sources.length : count === sources.length) continue;
    throw new Error(`${count} processes of the kind ${kind} were started for ${sources.length} transcodes`);
  }
  return found.sort((a, b) => turnOf(a) - turnOf(b));
};

/** The same process with other folders. */
export const moved = ({ argv }: Recorded, { media, out }: Places): string[] =>
  argv.map((word) => word.replaceAll(mediaMark, media).replaceAll(outMark, out));

const mediaMark = "{media}";
const outMark = "{out}";

const recordedOf = (words: readonly string[], { media, out }: Places): Recorded => {
  const argv = words.map((word) => word.replaceAll(media, mediaMark).replaceAll(out, outMark));
  if (argv.some((word) => word.endsWith("/ffmpeg"))) return { kind: "transcode", argv };
  return { kind: argv.some((word) => word.startsWith(outMark)) ? "verify" : "source", argv };
};

const turns = { source: 0, transcode: 0.5, verify: 1e6 };

const turnOf = ({ kind, argv }: Recorded): number => {
  const number = argv.flatMap((word) => /\}\/\.?s(\d+)[._]/.exec(word)?.[1] ?? [])[0];
  return Number(number) + turns[kind];
};
