/**
 * Rules of what this version cannot do yet. Each says which feature it waits for, and what a client that asks for it is
 * told: by a failure of cause `capability`, by a warning, or by a refusal. All of them are tried.
 */
export type Coming = {
  readonly feature: string;
  /** The element behind the source that asks for it, and more fields of it. */
  readonly asks: { readonly kind: string; readonly payload: object; readonly more?: object };
  /** How it is told, and words of what is said. */
  readonly told: "capability" | "warning";
  readonly said: string;
};

type Fields = Readonly<Record<string, unknown>>;

const transcode = (target: Fields) => {
  const usual = { file_pattern: "x.mp4", location: { path: "/out" }, video: { codec: "h264" } };
  return { kind: "transcode", payload: { targets: [{ ...usual, ...target }] } };
};

/** A field of a target, by its path, that is not implemented. */
const part = (feature: string, target: Fields, path: string): Coming => {
  return { feature, asks: transcode(target), told: "capability", said: `targets[0].${path} is not implemented yet` };
};
const ofContainer = (feature: string, container: Fields, field = Object.keys(container)[0]) =>
  part(feature, { container }, `container.${field}`);

const warned = (feature: string, target: Fields, said: string, more?: object): Coming => {
  return { feature, asks: { ...transcode(target), ...(more && { more }) }, told: "warning", said };
};
const vendorSound = (fields: Fields) => ({ audio: [{ codec: "vendor_digital_plus", vendor_digital_plus: fields }] });

export const comingRules: Readonly<Record<string, Coming>> = {
  "2.6.1/boxtool": part("a second tool for boxes of MP4", { boxtool_args: "-add x" }, "boxtool_args"),
  "2.6.2/mux-options": ofContainer("other muxers", { thirdparty_mux_options: "a=b" }),
  "2.6.8/drc": warned(
    "the vendor's sound codecs",
    vendorSound({ dynamic_range_control: { line_mode_profile: "film_light" } }),
    "audio[0].vendor_digital_plus.dynamic_range_control: the open encoders of AC-3 write no gains for decoders",
  ),
};
