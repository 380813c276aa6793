import { audioCodecs } from "../../../media/elements/transcode/audio/index.ts";
import { containers } from "../../../media/elements/transcode/containers/index.ts";
import { containerKinds } from "../../../media/elements/transcode/containers/schema.ts";
import { transcodePayload } from "../../../media/elements/transcode/schema.ts";
import { videoCodecs } from "../../../media/elements/transcode/video/index.ts";
import { placeField } from "../../contract/every-field/place-field.ts";
import { type Field, fieldsOf, real } from "../../contract/every-field/schema-fields.ts";
import { starters } from "../../contract/every-field/starters.ts";
import { nameOf, type Pair, pairs } from "../targets/pairs/pairs.ts";

/** One field that is a list of names, in one target: each of its values is a case. */
export type Group = {
  /** `video.profile of h264`. */
  readonly name: string;
  readonly cases: readonly Case[];
};

/** A value at a path, as messages name both. */
export type Case = { readonly value: unknown; readonly path: string; readonly payload: object };

/** The names that a field may hold; none for all other fields. */
const namesOf = (schema: Field["schema"]): unknown[] => {
  const { def } = real(schema);
  if (def.type === "enum") return Object.values(def.entries);
  if (def.type === "literal") return [...def.values];
  if (def.type === "array") return namesOf(def.element).map((value) => [value]);
  return def.type === "union" && !("discriminator" in def && def.discriminator) ? def.options.flatMap(namesOf) : [];
};

/** Each of two channels has a designator. */
const forEachChannel = (names: readonly unknown[]): unknown[] =>
  names.flat().map((name) => [name, name === "discrete" ? "right" : "discrete"]);

/** Who stores something is not asked here, and what needs a manifest or a second file has tests of its own. */
const elsewhere =
  /_overlay\]|container\.kind$|storage_provider$|^manifests|manifest_decode_strategy$|existing_files$|^support_files/;

const fields = fieldsOf(transcodePayload)
  .filter(({ name }) => !elsewhere.test(name))
  .map((field) => ({ ...field, names: [...new Set(namesOf(field.schema))] }))
  .map((field) => (/designators/.test(field.name) ? { ...field, names: forEachChannel(field.names) } : field))
  .filter(({ names }) => names.length > 0);

/** The container in which a codec is tried: the first one that takes it. */
const order = ["mp4", "mov", "mkv", "mxf", "mpegts"];
const rank = ({ container }: Pair): number =>
  (order.indexOf(nameOf(container)) + order.length + 1) % (order.length + 1);

const usualPairs = (kind: Pair["kind"]): Pair[] => {
  const own = pairs.filter((pair) => pair.kind === kind).toSorted((a, b) => rank(a) - rank(b));
  return own.filter(({ codec }, at) => own.findIndex((each) => each.codec === codec) === at);
};

const inMp4 = {
  ...{ file_pattern: "out{default_extension}", container: { kind: "mp4" } },
  ...{ video: { codec: "h264", preset: "veryfast" }, audio: [{ codec: "aac" }] },
};

/** What stands beside such a field, so that it means something in a job that is performed. */
const key = "00112233445566778899aabbccddeeff";
const beside: typeof starters = [
  [/container\.encryption$/, [{ schema: "mpeg-cenc", key, key_id: key, iv: key }]],
  [/\.trim$/, [{}]],
  [/multi_track_audio_processing\[\]$/, [{ source: [{ track: 0 }] }]],
];

type Place = { readonly of: string; readonly target: object };

const pictures: readonly Place[] = usualPairs("video").map(({ codec, target }) => ({ of: codec, target }));
const sounds: readonly Place[] = usualPairs("audio")
  .filter(({ codec }) => audioCodecs.some(({ names }) => names.includes(codec)))
  .concat(usualPairs("audio").filter(({ codec }) => codec === "pcm_s24le"))
  .map(({ codec, target }) => ({ of: codec, target }));
const vendors: readonly Place[] = ["vendor_digital", "vendor_digital_plus"].map((codec) => {
  return { of: codec, target: { ...inMp4, audio: [{ codec }] } };
});
const among = (all: readonly Place[], fits: RegExp) => all.filter(({ of }) => fits.test(of));
const files: readonly Place[] = containers.flatMap((container) => {
  const own = pairs.filter((pair) => pair.container === container);
  const pair = own.find(({ codec }) => codec === "h264") ?? own[0];
  return pair ? [{ of: nameOf(container), target: pair.target }] : [];
});
const texts: readonly Place[] = [
  { of: "mkv", target: { ...inMp4, container: { kind: "mkv" } } },
  { of: "mp4", target: inMp4 },
];

/** Where fields of this name are tried; the first line that fits counts. */
const places: readonly (readonly [name: RegExp, places: readonly Place[]])[] = [
  [/\.filters\[/, [{ of: "mp4", target: inMp4 }]],
  [/^targets\[\]\.video\.codec$/, files],
  [/^targets\[\]\.video\./, pictures],
  [/^targets\[\]\.audio\[\]\.codec$/, files],
  [/^targets\[\]\.audio\[\]\.vendor_digital/, vendors],
  [/^targets\[\]\.audio\[\]\.channel_designators/, among(sounds, /^(aac|flac|opus|pcm.*)$/)],
  [/^targets\[\]\.audio\[\]\./, sounds],
  [/^targets\[\]\.container\.encryption/, among(files, /^(mp4|fmp4|mpegts|hls|dash-mp4)$/)],
  [/^targets\[\]\.container\./, files],
  [/^targets\[\]\.subtitle/, texts],
  [/^targets\[\]\.compliance/, among(files, /^(mxf|mov|mpegts|mp4)$/)],
  [/./, [{ of: "mp4", target: inMp4 }]],
];

/** Each container by its own kind, with what it usually holds. */
const kindsOfContainers: Group = {
  name: "container.kind",
  cases: containerKinds.map((kind) => {
    const held = containers.find(({ kinds }) => kinds.includes(kind));
    const own = pairs.filter(({ container }) => container === held);
    const pair = own.find(({ codec }) => codec === "h264") ?? own[0];
    const usual = held?.text ? { subtitle: [{}] } : { video: { codec: "h264", preset: "veryfast" } };
    const target = { ...usual, ...pair?.target, file_pattern: "out{default_extension}", container: { kind } };
    return { value: kind, path: "targets[0].container.kind", payload: { targets: [target] } };
  }),
};

/** Every field of a transcode that is a list of names, in every codec or container that may take it. */
export const groups: readonly Group[] = [kindsOfContainers].concat(
  fields.flatMap(({ name, steps, names }) => {
    const all = places.find(([fits]) => fits.test(name))?.[1] ?? [];
    return all.map(({ of, target }) => ({
      name: `${name.replace("targets[].", "")} of ${of}`,
      cases: names.flatMap((value) => {
        const placed = placeField({ targets: [target] }, steps, value, {
          starters: [...beside, ...starters],
          choice: 0,
        });
        return placed ? [{ value, ...placed }] : [];
      }),
    }));
  }),
);

/** Of every codec of pictures there is a place. */
export const unplaced = videoCodecs.filter(({ name }) => !pictures.some(({ of }) => of === name));
