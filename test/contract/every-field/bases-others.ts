import type { ElementResults } from "../../../media/elements/element.ts";
import { ratio } from "../../../shared/basics/rational.ts";
import type { MediaFacts } from "../../../shared/model/asset.ts";
import type { Base } from "./bases.ts";
import type { World } from "./outcome.ts";
import { arrived, film, filmWith, soundOnly, worldOf } from "./world.ts";

const base = (payload: object, more: Partial<Base> = {}): Base => ({ payload, world: worldOf(), ...more });
const location = { path: "/out" };

const findings: ElementResults = {
  uid: "before",
  kind: "analyze",
  results: {
    before: {
      kind: "analysis",
      value: { deep_properties: { video: { black_borders: {} }, audio: [{ ebur128: { integrated_lufs: -20 } }] } },
    },
  },
};
const failing: World = { ...worldOf(), analyses: [findings] };

const reference = (payload: object) => ({ kind: "asset_url", payload });
const compare_asset = reference({ url: "file:///in/small.mov" });
const both = { video: { psnr: {} }, audio: [{ psnr: {} }] };
const map = [
  { input: { track: 1 }, output: { track: 0 } },
  { input: { track: 9 }, output: { track: 1 } },
];
const comparing = (compare_asset: object) => base({ deep_properties: both, compare_asset }, { at: /compare_asset/ });
const versions = (...asset_components: object[]) => ({
  kind: "asset_complex",
  payload: { asset_versions: [{ location: { path: "/in" }, asset_components }] },
});

const analyses: readonly Base[] = [
  base({ deep_properties: { audio: [{ levels: {} }] } }, { world: worldOf(soundOnly), at: /video.*is_optional/ }),
  base(
    { deep_properties: { audio: [{ levels: {} }] }, compare_asset: reference({ url: "file:///in/a.wav" }) },
    { world: worldOf(soundOnly), at: /video.*is_optional/ },
  ),
  base(
    { deep_properties: { video: { levels: {} } } },
    { world: worldOf(filmWith({}, { audio: [] })), at: /audio.*is_optional/ },
  ),
  base(
    { deep_properties: { video: { levels: {} } }, compare_asset },
    { world: worldOf(filmWith({}, { audio: [] })), at: /audio.*psnr.is_optional/ },
  ),
  base(
    { deep_properties: { video: { psnr: { results_file: { location } }, scene_change_score: {} } }, compare_asset },
    { at: /psnr|ssim|vmaf|comparative/ },
  ),
  base({ deep_properties: { audio: [{ levels: {} }] }, compare_asset }, { at: /audio.*psnr/ }),
  comparing(compare_asset),
  comparing(
    reference({
      url: "file:///in/a.mov",
      contents: [{ kind: "audio", map, mode: "optional_map" }, { kind: "video" }],
      trim: { inpoint_sec: 20 },
    }),
  ),
  comparing(reference({ url: "s3://bucket/a.mov" })),
  comparing({
    kind: "asset_urls",
    payload: {
      asset_urls: [
        {
          url: "file:///in/a.mov",
          contents: [{ kind: "audio", map, mode: "optional_map" }, { kind: "video" }],
          trim: { inpoint_sec: 20 },
        },
      ],
    },
  }),
  comparing({
    kind: "asset_urls",
    payload: { asset_urls: [{ url: "s3://bucket/a.mov" }, { url: "s3://bucket/b.mov" }] },
  }),
  comparing(
    versions({
      name: "a.mov",
      contents: [{ kind: "audio", map, mode: "optional_map" }, { kind: "video" }],
      trim: { inpoint_sec: 20 },
    }),
  ),
  comparing(versions({ name: "a.mov" }, { name: "b.mov" })),
  comparing({
    kind: "asset_complex",
    payload: {
      asset_versions: ["a", "b"].map((name) => ({
        asset_components: [{ name: `${name}.mov`, location: { path: "/in" } }],
      })),
    },
  }),
  comparing(versions({ kind: "image_sequence", name: "%05d.png" })),
  comparing(
    versions({
      kind: "generated",
      trim: { duration_sec: 5 },
      component_descriptor: { video: { width: 320 }, audio: [{ channels: 2 }] },
    }),
  ),
  base(
    {
      deep_properties: { video: { levels: {} } },
      source_pipeline: { contents: [{ kind: "audio", map, mode: "optional_map" }], trim: { inpoint_sec: 20 } },
    },
    { at: /source_pipeline|options/ },
  ),
  base(
    {
      deep_properties: { audio: [{ levels: {} }] },
      source_pipeline: { contents: [{ kind: "audio", map, mode: "optional_map" }] },
    },
    { at: /source_pipeline/ },
  ),
  base({ deep_properties: { video: { levels: {} }, audio: [{ levels: {} }] } }),
  base({ general_properties: {} }, { at: /general/ }),
  base({ deep_properties: { video: { levels: {} } }, report: { location, file_pattern: "x.pdf" } }, { at: /report/ }),
  base(
    { deep_properties: { video: { levels: {} } }, reports: [{ location, file_pattern: "x.pdf" }] },
    { at: /report/ },
  ),
];

const hd: MediaFacts = {
  ...{ format: "mxf", size: 1, timecode: "09:58:00:00", duration: ratio(180), others: [] },
  video: [
    {
      ...{
        index: 0,
        codec: "h264",
        timeBase: ratio(1, 25),
        duration: ratio(180),
        profile: "High 4:2:2 Intra",
        pixelFormat: "yuv422p10le",
      },
      ...{ width: 1920, height: 1080, frameRate: ratio(25), fieldOrder: "tt" },
    },
  ],
  audio: [1, 2].map((index) => ({
    index,
    timeBase: ratio(1, 25),
    duration: ratio(180),
    codec: "pcm_s24le",
    channels: 2,
    sampleRate: 48_000,
  })),
};

const metadata = {
  editorial: {
    ...{ series_title: "Rivers & Hills", programme_title: "The Thames", episode_title_number: "1" },
    ...{ production_number: "ABC123", synopsis: "A river.", originator: "Studio", copyright_year: "2026" },
    ...{ other_identifier: "1", other_identifier_type: "a" },
  },
  video: {
    afd: 10,
    picture_ratio: "16:9",
    three_d: true,
    three_d_type: "Side by side",
    product_placement: false,
    pse_pass: "Yes",
    pse_manufacturer: "a",
    pse_version: "1",
  },
  audio: { audio_track_layout: "EBU R 123: 4b", primary_audio_language: "eng", audio_loudness_standard: "EBU R 128" },
  timecodes: { line_up_start: "09:58:00:00", ident_clock_start: "09:59:30:00" },
  access_services: {
    ...{
      audio_description_present: true,
      audio_description_type: "Control data / Narration",
      closed_captions_present: true,
      closed_captions_type: "Hard of Hearing",
    },
    ...{
      closed_captions_language: "eng",
      open_captions_present: true,
      open_captions_type: "Hard of Hearing",
      open_captions_language: "eng",
      signing_present: "Yes",
      sign_language: "BSL (British Sign Language)",
    },
  },
  additional: {
    completion_date: "2026-11-01",
    textless_elements_exist: false,
    programme_has_text: true,
    programme_text_language: "eng",
  },
  contact_information: { contact_email: "post@studio.example", contact_telephone_number: "+44 20 0000" },
};

const copies: readonly Base[] = [
  base(
    { target: { location } },
    {
      world: {
        ...worldOf(),
        inputs: [arrived(), arrived(film, { version: "b", files: [{ uri: "file:///in/b.mov" }] })],
      },
    },
  ),
];

const key = "000102030405060708090a0b0c0d0e0f";
const common = { schema: "mpeg-cenc", drm: ["widevine", "playready", "clearkey"], key, key_id: key };
const ladder: World = {
  ...worldOf(),
  inputs: [
    arrived(film, { layer: { encryptionId: "a", video: { id: "hd" } } }),
    arrived(filmWith({ width: 640, height: 360 }), {
      version: "low",
      files: [{ uri: "file:///in/low.mov", facts: filmWith({ width: 640, height: 360 }) }],
      layer: { encryptionId: "a" },
    }),
    arrived(film, { version: "text", files: [{ uri: "file:///in/text.vtt" }] }),
  ],
};
const hevc = worldOf(filmWith({ codec: "hevc" }));
const pack = (fields: object, more: Partial<Base> = {}): Base =>
  base({ location, kind: ["hls", "dash"], ...fields }, { world: ladder, ...more });

const packages: readonly Base[] = [
  // The key is drawn, unless the seed gives it.
  pack(
    { encryption: { ...common, key: undefined, key_location: { path: "/keys" } } },
    { at: /encryption\.key_seed/, world: worldOf() },
  ),
  pack(
    { encryptions: [{ id: "a", ...common, key: undefined, key_location: { path: "/keys" } }] },
    { at: /encryptions\[\]\.key_seed/ },
  ),
  pack({ encryption: common }, { at: /encryption\./, world: worldOf() }),
  pack(
    {
      encryption: { schema: "aes-128-cbc", key, key_location: { path: "/keys" } },
      kind: "hls",
      segmentation_mode: "segmented_ts",
    },
    { at: /encryption\.key_location/, world: worldOf() },
  ),
  pack(
    {
      encryption: { schema: "aes-128-cbc", external_key_file: true, key, key_location: { path: "/keys" } },
      kind: "hls",
      segmentation_mode: "segmented_ts",
    },
    { at: /encryption\./, world: worldOf() },
  ),
  pack(
    { encryption: { ...common, drm: ["fairplay"], schema: "mpeg-cbcs", iv: key } },
    { at: /encryption\./, world: worldOf() },
  ),
  pack(
    {
      encryption: { schema: "aes-128-cbc", external_key_file: true, key, key_location: { path: "/keys" } },
      kind: "hls",
      segmentation_mode: "segmented_ts",
    },
    { at: /encryption\./ },
  ),
  pack({ encryption: common }, { at: /encryption\./ }),
  pack({ encryption: { ...common, drm: ["fairplay"], schema: "mpeg-cbcs", iv: key } }, { at: /encryption\./ }),
  pack(
    {
      encryptions: [{ id: "a", schema: "aes-128-cbc", key, key_location: { path: "/keys" } }],
      kind: "hls",
      segmentation_mode: "segmented_ts",
    },
    { at: /encryptions/ },
  ),
  pack({ encryptions: [{ id: "a", ...common }] }, { at: /encryptions/ }),
  pack(
    { encryptions: [{ id: "a", ...common, drm: ["fairplay"], schema: "mpeg-cbcs", iv: key }] },
    { at: /encryptions/ },
  ),
  pack({}),
  pack({ segmentation_mode: "segmented_mp4" }),
  pack({ kind: ["hls"], segmentation_mode: "segmented_ts" }),
  pack({ kind: ["hls"], force_original_media: true }, { at: /original|url/ }),
  pack({ kind: ["hls"] }, { world: hevc, at: /hevc/ }),
  pack({ kind: ["hls"], hls: { include_iframe_manifests: true } }, { at: /iframe/ }),
];

export const others: Readonly<Record<string, readonly Base[]>> = {
  analyze: analyses,
  bif_creator: [
    base(
      { location },
      {
        world: {
          ...worldOf(filmWith({ height: 100 })),
          inputs: [
            arrived(filmWith({ height: 100 })),
            arrived(film, { version: "b", files: [{ uri: "file:///in/b.mov" }] }),
            arrived(filmWith({ height: 200 }), { version: "c", files: [{ uri: "file:///in/c.mov" }] }),
          ],
        },
      },
    ),
  ],
  copy: copies,
  delete_asset: [
    base(
      {
        asset: {
          kind: "asset_complex",
          payload: {
            asset_versions: [
              { asset_components: [{ kind: "image_sequence", name: "%05d.png", location: { path: "/in" } }] },
            ],
          },
        },
      },
      { at: /image_sequence/ },
    ),
    base({ asset: { kind: "asset_url", payload: { url: "file:///in/a.mov" } } }, { at: /asset_selector/ }),
    base({ asset: { kind: "asset_urls", payload: { asset_urls: [{ url: "s3://bucket/a.mov" }] } } }, { at: /access/ }),
    base(
      {
        asset: {
          kind: "asset_complex",
          payload: {
            asset_versions: [
              { location: { path: "/in" }, asset_components: [{ name: "a.mov", location: { path: "/other" } }] },
            ],
          },
        },
      },
      { at: /access/ },
    ),
    base({}, { at: /^(asset\(|asset_sel|delete)/ }),
    base({ asset: { kind: "asset_url", payload: { url: "file:///in/a.mov" } } }),
    base({ location: { path: "/in/folder" }, delete_folder_acknowledgement: "folder" }),
  ],
  folder_enum: [
    base({ source: { path: "/in" } }),
    base({ source: { path: "/in" }, settings: { pattern_matching: "regex", regex: "x" } }),
  ],
  watchfolder: [
    base({ source: { path: "/in" } }),
    base({ source: { path: "/in" }, settings: { pattern_matching: "regex", regex: "x" } }),
  ],
  notify: [
    base({ rest: { url: "https://host/path" }, email: { recipients: "a@example.org" } }, { at: /notify_method/ }),
    base({ notify_method: "rest", rest: { url: "https://host/path", username: "u" } }),
    base({ notify_method: "email", email: { recipients: "a@example.org" } }),
    base({
      notify_method: "sns",
      sns: {
        topic: "arn:aws:sns:eu-west-1:123456789012:jobs",
        aws_access: { basic_aws_credentials: { access_key_id: "a", secret_access_key: "b" } },
      },
    }),
    base({
      notify_method: "sqs",
      sqs: {
        queue: "https://sqs.eu-west-1.amazonaws.com/1/q",
        aws_access: { basic_aws_credentials: { access_key_id: "a", secret_access_key: "b" } },
      },
    }),
  ],
  package: packages,
  qc: [
    base({ conditions: { warn: [{ condition: "0 > 1" }] } }, { world: failing, at: /warn.*message/ }),
    base(
      {
        conditions: { pass: [{ condition: "0 > 1" }], fail: [{ condition: "1 > 0" }], warn: [{ condition: "0 > 1" }] },
        tests: [{ conditions: [{ condition: "0 > 1" }] }],
      },
      { world: failing, at: /message|name/ },
    ),
    base(
      {
        conditions: { pass: [{ condition: "1 > 0" }], fail: [{ condition: "0 > 1" }], warn: [{ condition: "1 > 0" }] },
        tests: [{ conditions: [{ condition: "1 > 0" }] }],
        report: { location },
      },
      { world: failing },
    ),
  ],
  script: [
    base({
      kind: "docker",
      payload: {
        commands: [{ docker_image: { image_urn: "a/b:1" } }],
        targets: [{ placeholder: "t", location, file_pattern: "x" }],
      },
    }),
    base({ kind: "javascript", payload: { code: "return 1" } }),
    base({
      kind: "job_modifier",
      payload: { modifiers: [{ kind: "transcode_segmented_rendering", target_element_uid: "e" }] },
    }),
    base({ kind: "job_modifier", payload: { modifiers: [{ kind: "transcode_auto_split", target_element_uid: "e" }] } }),
  ],
  dolby_audio_encoder: [base({})],
  dolby_vision: [base({})],
  dpp_packager: [
    base(
      { location, metadata },
      { world: worldOf({ ...hd, video: hd.video.map((each) => ({ ...each, width: 1280 })) }), at: /skip_validation/ },
    ),
    base({ location, metadata }, { world: worldOf(hd) }),
    base({ location, metadata, options: { skip_validation: true } }, { world: worldOf(hd) }),
  ],
};
