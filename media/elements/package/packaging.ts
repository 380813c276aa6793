import type { ObjectOptions } from "../../../shared/files/object-options.ts";
import type { Said } from "../../packaging/dash-names.ts";
import type { PlanContext } from "../element.ts";
import type { Shape } from "./modes.ts";
import type { Naming } from "./names.ts";
import type { Places } from "./plan-places.ts";
import type { createProtection } from "./protection.ts";
import type { PackageRecipe } from "./recipe.ts";
import type { Rendition } from "./renditions.ts";
import type { PackagePayload } from "./schema.ts";

/** The input for every way of making media. */
export type PackagingContext = {
  readonly context: PlanContext<PackagePayload>;
  readonly renditions: readonly Rendition[];
  readonly kinds: readonly string[];
  readonly shape: Shape;
  readonly names: Naming;
  /** What a DASH manifest says of each rendition. */
  readonly said: ReadonlyMap<Rendition, Said>;
  readonly protection: ReturnType<typeof createProtection>;
  readonly places: Places;
  readonly sourceName: string;
};

type Video = Extract<Rendition, { kind: "video" }>;
type Audio = Extract<Rendition, { kind: "audio" }>;

/** The result of one way of making segments: steps, and what is in the attempt's folder afterwards. */
export type PackagingSteps = {
  readonly steps: PackageRecipe["steps"];
  /** One name each, or a numbered pattern. */
  readonly media: readonly string[];
  readonly hasIframes: (rendition: Rendition) => boolean;
  /** The sound in the same segments as a picture. */
  readonly withPicture: (video: Video) => Audio | undefined;
  /** Manifests already contain the addresses of the media. */
  readonly isAddressed?: true;
  /** Where it wrote a DASH manifest. */
  readonly mpd?: string;
  /** Keys of AES-128, which players fetch. */
  readonly keys: readonly KeyFile[];
  /** Keys that exist already, by the ids that steps use. */
  readonly keyAssets?: Readonly<Record<string, string>>;
  readonly requires: readonly string[];
};

/** A key of AES-128 that players fetch: its name in the attempt's folder (numbered where it is rotated), and where it goes. */
export type KeyFile = {
  readonly name: string;
  readonly folder: string;
  /** Its location's other fields. */
  readonly object?: ObjectOptions | undefined;
};
