import type { Base } from "./bases.ts";
import type { World } from "./outcome.ts";
import { arrived, factsAs, film, filmWith } from "./world.ts";

/** Behind a source its pictures are coded, its tracks of sound kept, and its subtitles put into the file and the picture. */
const behind = [
  {
    kind: "transcode",
    payload: {
      location: { path: "/out" },
      source_pipeline: { manifest_decode_strategy: "reject_complex" },
      targets: [
        {
          container: { kind: "mkv" },
          video: { codec: "h264", closed_captions: { enable_cea608: true } },
          audio: Array.from({ length: 5 }, (_, at) => ({ codec: "pcm", include_if_source_has: [`audio[${at}]`] })),
          subtitle: [{ source_map: "use_if_exists" }],
        },
        { container: { kind: "webm" }, video: { codec: "vp9" } },
      ],
    },
  },
  {
    kind: "transcode",
    payload: {
      location: { path: "/out" },
      source_pipeline: { trim: { inpoint_section: 1 } },
      targets: [
        {
          file_pattern: "x.mkv",
          video: {
            codec: "h264",
            filters: [{ kind: "print_subtitle", payload: { is_optional: true, category: "sdh" } }],
          },
        },
      ],
    },
  },
  // What is not there becomes silence where the source allows it.
  {
    kind: "transcode",
    payload: {
      location: { path: "/out" },
      targets: [{ file_pattern: "x.wav", audio: [{ codec: "pcm", source: [{ track: 7 }] }] }],
    },
  },
  // Files of subtitles and captions that come without a picture.
  {
    kind: "transcode",
    payload: {
      location: { path: "/out" },
      targets: [
        {
          file_pattern: "x.mov",
          video: {
            codec: "h264",
            closed_captions: { enable_cea608: true },
            filters: [{ kind: "print_subtitle", payload: { is_optional: true, category: "sdh" } }],
          },
          subtitle: [{ source_map: "use_if_exists" }],
        },
      ],
    },
    beside: [arrived(filmWith({}, { others: [] }))],
  },
  {
    kind: "transcode",
    payload: {
      location: { path: "/out" },
      source_pipeline: { filters: [{ selector: "v1", video: [{ kind: "crop", payload: { left: 8 } }] }] },
      targets: [{ file_pattern: "x.mov", video: { codec: "h264" } }],
    },
  },
  // Players choose by the layers that a source names.
  { kind: "package", payload: { location: { path: "/out" }, kind: "hls" } },
  { kind: "copy", payload: { target: { location: { path: "/out" } } } },
];
const variable = filmWith({ averageFrameRate: { num: 24, den: 1 }, isVariable: true });
const worldWith = (facts: typeof film): World => ({ inputs: [], facts: factsAs(facts), behind });
const world = worldWith(film);

const asset = (kind: string, payload: object, more: Partial<Base> = {}): Base => ({
  payload: { kind, payload },
  world,
  ...more,
});
const url = "file:///in/film.mov";
const named = { name: "film.mov" };
const texts = [{ kind: "subtitle" }];
const srt = { name: "film.srt", contents: texts };
const map = [{ input: { track: 1 }, output: { track: 0 } }];

const complex = (asset_components: readonly object[], more: object = {}) => ({
  kind: "sequence",
  asset_versions: [{ location: { path: "/in" }, asset_components, ...more }],
});

/** Each form of a source, of one file with these contents. */
const layered = (at: RegExp, contents: readonly object[]): Base[] => [
  asset("asset_url", { url, contents }, { at }),
  asset("asset_urls", { asset_urls: [{ url, contents }] }, { at }),
  asset("asset_complex", complex([{ ...named, contents }]), { at }),
];

/** A line for each form of a source in which fields are read. */
const all: readonly Base[] = [
  ...layered(/contents\[\]\.layer_id/, [{ kind: "audio" }, { kind: "video" }]),
  ...layered(/contents\[\]\.layer_affinities/, [
    { kind: "video" },
    { kind: "audio", layer_id: "x" },
    { kind: "audio" },
  ]),
  asset(
    "asset_url",
    { url, trim: { inpoint_sec: 20 }, contents: [{ kind: "audio", map }, { kind: "video" }] },
    { at: /contents\[\]\.(map|mode)/ },
  ),
  asset(
    "asset_url",
    { url, contents: [{ kind: "audio" }, { kind: "video" }] },
    { at: /contents\[\]\.(language|payload\.language)/ },
  ),
  asset("asset_url", { url: "file:///in/a.srt", contents: texts }, { at: /contents\[\]\.payload/ }),
  asset(
    "asset_url",
    { url: "file:///in/a.scc", contents: [{ kind: "closed_caption" }] },
    { at: /contents\[\]\.payload/ },
  ),
  asset("asset_urls", { asset_urls: [{ url: "file:///in/a.srt", contents: texts }] }, { at: /contents\[\]\.payload/ }),
  asset(
    "asset_urls",
    { asset_urls: [{ url: "file:///in/a.scc", contents: [{ kind: "closed_caption" }] }] },
    { at: /contents\[\]\.payload/ },
  ),
  asset("asset_complex", complex([{ name: "a.scc", contents: [{ kind: "closed_caption" }] }]), {
    at: /contents\[\]\.payload/,
  }),
  asset("asset_url", { url }),
  asset("asset_url", { url }, { at: /options/, world: worldWith(variable) }),
  asset("asset_url", { url, trim: { inpoint_sec: 20 } }, { at: /options/ }),
  asset(
    "asset_urls",
    { asset_urls: [{ url, contents: [{ kind: "audio", map }, { kind: "video" }] }] },
    { at: /contents\[\]\.(map|mode)/ },
  ),
  asset("asset_url", { url: "s3://bucket/a.mov" }, { at: /access/ }),
  asset("asset_urls", { asset_urls: [{ url: "s3://bucket/a.mov" }] }, { at: /access/ }),
  asset(
    "asset_complex",
    {
      asset_versions: [
        {
          location: { path: "s3://bucket/in" },
          asset_components: [{ name: "a.mov", location: { path: "s3://bucket/other" } }],
        },
      ],
    },
    { at: /access/ },
  ),
  asset("asset_urls", { asset_urls: [{ url }, { url: "file:///in/b.mov" }] }),
  asset("asset_urls", { asset_urls: [{ url }] }, { at: /options/, world: worldWith(variable) }),
  asset("asset_complex", complex([srt, named]), { at: /contents\[\]\.(payload|language)/ }),
  asset("asset_complex", complex([{ ...named, contents: [{ kind: "audio", map }, { kind: "video" }] }]), {
    at: /contents\[\]\.(map|mode)/,
  }),
  asset("asset_complex", complex([named, { name: "b.mov" }])),
  asset("asset_complex", {
    kind: "sequence",
    asset_versions: [{ asset_components: [{ ...named, location: { path: "/in" } }, srt] }],
  }),
  asset("asset_complex", complex([{ name: "%05d.png", kind: "image_sequence" }]), { at: /image_sequence/ }),
  asset(
    "asset_complex",
    complex([
      {
        kind: "generated",
        trim: { duration_sec: 5 },
        component_descriptor: { video: { width: 320 }, audio: [{ channels: 2 }] },
      },
    ]),
    { at: /component_descriptor/ },
  ),
  asset("asset_complex", complex([named]), { at: /options/, world: worldWith(variable) }),
  asset("asset_urls", { asset_urls: [{ url, trim: { inpoint_sec: 20 } }] }, { at: /options/ }),
  asset("asset_complex", complex([{ ...named, trim: { inpoint_sec: 20 } }]), { at: /options/ }),
];

export const sources: Readonly<Record<string, readonly Base[]>> = { source: all, source_provider: all };
