import { type Reference, referencesOf } from "./arguments.ts";
import type { Step, StepKind, StepOf, Work } from "./work.ts";

/** Every reference that the steps make to an asset or output that the work does not have. */
export const danglingReferences = ({ assets, outputs, steps }: Work): string[] => {
  const known = { asset: assets, output: outputs };
  return steps
    .flatMap(namesIn)
    .filter(([kind, id]) => !Object.hasOwn(known[kind], id))
    .map(([kind, id]) => `${kind} ${id}`);
};

/** The assets that a step reads. */
export const assetsOf = (step: Step): string[] => namesIn(step).flatMap(([kind, id]) => (kind === "asset" ? [id] : []));

type NamedReference = readonly ["asset" | "output", string];

const asAsset = (id: string): NamedReference => ["asset", id];
const asOutput = (id: string): NamedReference => ["output", id];

/** What each kind of step reads and makes. */
const named: { readonly [K in StepKind]: (step: StepOf<K>) => NamedReference[] } = {
  ffmpeg: ({ argv }) => argv.flatMap(referencesOf).flatMap(inWord),
  copy: ({ files }) => files.flatMap(({ from, to }) => [...from.map(asAsset), asOutput(to)]),
  delete: () => [],
  probe: ({ asset }) => [asAsset(asset)],
  manifest: ({ asset }) => [asAsset(asset)],
  frames: ({ asset }) => [asAsset(asset)],
  atoms: ({ asset }) => [asAsset(asset)],
  stage: ({ from }) => ("asset" in from ? [asAsset(from.asset)] : []),
  request: () => [],
  email: () => [],
  known: () => [],
  list: () => [],
  document: ({ to }) => [asOutput(to)],
  report: ({ to }) => [asOutput(to)],
  javascript: () => [],
  container: ({ inputs, outputs }) => [
    ...inputs.map(({ asset }) => asAsset(asset)),
    ...outputs.map(({ out }) => asOutput(out)),
  ],
  packager: ({ inputs }) =>
    Object.values(inputs).flatMap((from) =>
      typeof from === "object" && "out" in from ? [asOutput(from.out)] : [from].flat().map(asAsset),
    ),
  describe_media: ({ media }) => media.map(({ from }) => ("asset" in from ? asAsset(from.asset) : asOutput(from.out))),
  describe_smooth: () => [],
  encrypt_segments: ({ key, playlists }) => [
    ...(typeof key === "object" && "asset" in key ? [asAsset(key.asset)] : []),
    ...("out" in playlists ? [asOutput(playlists.out)] : []),
  ],
  place: ({ moves, manifests, master: main }) =>
    [...moves, ...manifests, ...(main ? [main] : [])].map(({ to }) => asOutput(to)),
  bif: ({ from, to }) => [...("assets" in from ? from.assets.map(asAsset) : []), asOutput(to)],
  sidecar: ({ of, to }) => [asOutput(of), asOutput(to)],
  fdkaac: () => [],
  dvb_subtitles: () => [],
  null_packets: ({ of }) => [asOutput(of)],
  own_clock: ({ of }) => [asOutput(of)],
  find_splices: ({ asset }) => [asAsset(asset)],
  insert_splices: ({ of }) => [asOutput(of)],
  pace_transport: ({ of }) => [asOutput(of)],
  mp4_boxes: ({ of }) => [asOutput(of)],
  mxf_lines: ({ of }) => [asOutput(of)],
  mxf_header: ({ of }) => [asOutput(of)],
  matroska_light: ({ of }) => [asOutput(of)],
  packet_pointers: ({ of }) => [asOutput(of)],
  refer_media: ({ of, to }) => [asOutput(of), asOutput(to)],
  codestream_profile: ({ of }) => [asOutput(of)],
  finish_manifest: ({ of }) => [asOutput(of)],
  join: ({ files }) => files.map(({ asset }) => asAsset(asset)),
  captions: ({ tracks }) => tracks.map(({ asset }) => asAsset(asset)),
  subtitles: ({ from, to }) => [
    ...(from && "asset" in from ? [asAsset(from.asset)] : []),
    ...("out" in to ? [asOutput(to.out)] : []),
  ],
};

const inWord = (reference: Reference): NamedReference[] => {
  if ("asset" in reference) return [asAsset(reference.asset)];
  return "out" in reference ? [asOutput(reference.out)] : [];
};

const namesIn = (step: Step): NamedReference[] => {
  // The table pairs each kind with its own reader, which TypeScript cannot follow through an index.
  const read = named[step.do] as (step: Step) => NamedReference[];
  return read(step);
};
