import type { MasterRecipe } from "../../shared/work/steps/place.ts";

/** Where the header of a playlist's media lies. */
export type MapPlace = { readonly name: string; readonly from: number; readonly length: number | undefined };

/** What EXT-X-MAP names; undefined if there is none. */
export const mapOf = (playlist: string): MapPlace | undefined => {
  const [, attributes = ""] = /^#EXT-X-MAP:(.*)$/m.exec(playlist) ?? [];
  const [, name] = /\bURI="([^"]*)"/.exec(attributes) ?? [];
  if (name === undefined || name.includes("/")) return undefined;
  const [, length, from = 0] = /\bBYTERANGE="(\d+)(?:@(\d+))?"/.exec(attributes) ?? [];
  return { name, from: Number(from), length: length === undefined ? undefined : Number(length) };
};

/** The recipe with the codecs that were read of each playlist's media; the others stay as they are. */
export const withReadCodecs = (recipe: MasterRecipe, read: ReadonlyMap<string, readonly string[]>): MasterRecipe => {
  const codecsOf = <T extends { readonly playlist: string }>(each: T): T => {
    const codecs = read.get(each.playlist) ?? [];
    return codecs.length > 0 ? { ...each, codecs: [...new Set(codecs)] } : each;
  };
  return {
    ...recipe,
    variants: recipe.variants.map(codecsOf),
    renditions: recipe.renditions.map((each) => (each.type === "AUDIO" ? codecsOf(each) : each)),
  };
};
