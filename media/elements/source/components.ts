import { parseFrameRate, type Rational } from "../../../shared/basics/rational.ts";
import { folderUri, joinUri, toUri } from "../../../shared/files/location.ts";
import type { Generated, ImageSequence, Piece, Range } from "../../../shared/model/asset.ts";
import { capabilityError, definitionError } from "../../../shared/model/failure.ts";
import type { Trim } from "../../virtual-source/trim-schema.ts";
import type { AssetComponent, AssetVersion, Contents, DecodeOptions, SourcePayload } from "./schema.ts";

/** A component's properties before anything is probed. */
export type Component = {
  /** A file's address, or a sequence's pattern; undefined for generated components. */
  readonly uri?: string;
  readonly pieces?: readonly Piece[];
  readonly images?: Pick<ImageSequence, "first" | "rate">;
  readonly generated?: Generated;
  readonly trim?: Trim;
  /** Its position in the file, according to a manifest. */
  readonly range?: Range;
  /** Its time stamps have the same zero as those of the other components. */
  readonly sharesClock?: boolean;
  readonly contents?: Contents;
  readonly options?: DecodeOptions;
  /** Its path in the job, for messages. */
  readonly path: string;
};

/** Components that play together. */
export type Version = { readonly uid?: string; readonly components: readonly Component[] };

/**
 * A source of any kind as versions; `isMulti`: they are separate assets instead of consecutive parts. A component without
 * a place of its own has that of its version, of the payload, of the element: the nearest one.
 */
export const versionsOf = (source: SourcePayload, uid: string): { versions: Version[]; isMulti: boolean } => {
  const { kind, payload } = source;
  const path = `${uid}.payload.payload`;
  if (kind === "asset_url") return { versions: [{ components: [fromUrl(payload, path)] }], isMulti: false };
  if (kind === "asset_urls") {
    const versions = payload.asset_urls.map((each, index) => ({
      components: [fromUrl(each, `${path}.asset_urls[${index}]`)],
    }));
    return { versions, isMulti: false };
  }
  const whole = placeIn(
    payload.location,
    placeIn(source.location, undefined, `${uid}.payload.location`),
    `${path}.location`,
  );
  const versions = payload.asset_versions.map((version, index) => {
    const own = `${path}.asset_versions[${index}]`;
    const parent = placeIn(version.location, whole, `${own}.location`);
    const components = version.asset_components.map((component, at) =>
      fromComponent(component, parent, `${own}.asset_components[${at}]`),
    );
    return { uid: version.version_uid, components };
  });
  return { versions, isMulti: payload.kind === "multi" };
};

const placeIn = (place: AssetVersion["location"], parent: string | undefined, path: string): string | undefined =>
  place ? folderUri(place, parent, path) : parent;

type UrlPayload = Extract<SourcePayload, { kind: "asset_url" }>["payload"];

const fromUrl = ({ url, trim, contents, options }: UrlPayload, path: string): Component => ({
  uri: toUri(url, `${path}.url`),
  trim,
  contents,
  options,
  path,
});

const fromComponent = (component: AssetComponent, parent: string | undefined, path: string): Component => {
  const { kind, trim, contents, options } = component;
  const shared = { trim, contents, options, path };
  if (kind === "generated") return { ...shared, generated: generatedOf(component, path) };
  if (kind === "image_sequence") return { ...shared, ...imagesOf(component, parent, path) };
  if (kind !== "name") throw capabilityError(`${path}.kind "${kind}" is not implemented`);
  const { name, location } = component;
  if (name === undefined) {
    if (location?.url) return { ...shared, uri: toUri(location.url, `${path}.location.url`) };
    throw definitionError(`${path} has neither a name nor a location with a url`);
  }
  if (isAddress(name)) return { ...shared, uri: toUri(name, `${path}.name`) };
  return { ...shared, uri: below(folderUri(location, parent, `${path}.location`), name) };
};

/** A name that is a full address ignores its location. */
const isAddress = (name: string): boolean => /^[a-z][a-z0-9+.-]*:\/\//i.test(name);

/** A name may contain folders. */
const below = (folder: string, name: string): string => name.split("/").filter(Boolean).reduce(joinUri, folder);

const imagesOf = ({ image_sequence, location, name }: AssetComponent, parent: string | undefined, path: string) => {
  const base = image_sequence?.base ?? name;
  if (base === undefined) throw definitionError(`${path} has no image_sequence with a base`);
  if (!/^[^%]*%(0\d{1,2})?d[^%]*$/.test(base)) {
    throw definitionError(`${path}.image_sequence.base "${base}" needs one number like %05d and no other %`);
  }
  const rate = rateOf(image_sequence?.frame_rate ?? "25", `${path}.image_sequence.frame_rate`);
  const uri = below(folderUri(location, parent, `${path}.location`), base);
  return { uri, images: { first: image_sequence?.start_number ?? 0, rate } };
};

const rateOf = (text: string, path: string): Rational => {
  const rate = parseFrameRate(text);
  if (rate) return rate;
  throw definitionError(`${path} "${text}" is not a frame rate`);
};

const generatedOf = ({ component_descriptor: descriptor }: AssetComponent, path: string): Generated => {
  const at = `${path}.component_descriptor`;
  const { video, audio = [] } = descriptor ?? {};
  if (!video && audio.length === 0) throw definitionError(`${at} has neither video nor audio`);
  return {
    ...(video && { video: generatedVideo(video, at) }),
    audio: audio.map(({ channels = 2, sample_rate = 48_000 }) => ({ channels, sampleRate: sample_rate })),
  };
};

type VideoDescriptor = NonNullable<NonNullable<AssetComponent["component_descriptor"]>["video"]>;

const generatedVideo = (video: VideoDescriptor, path: string): NonNullable<Generated["video"]> => {
  const { width = 1920, height = 1080, frame_rate = "25", chroma_format, fill_color = "black" } = video;
  if (!/^(#|0x)?[a-z0-9]{1,32}$/i.test(fill_color)) {
    throw definitionError(`${path}.video.fill_color "${fill_color}" is not a colour`);
  }
  const rate = rateOf(frame_rate, `${path}.video.frame_rate`);
  return { width, height, rate, color: fill_color, ...(chroma_format && { pixelFormat: chroma_format }) };
};
