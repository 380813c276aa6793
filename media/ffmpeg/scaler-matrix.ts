import type { Filter } from "./filtergraph.ts";

/** Matrices that the scaler has, by ffprobe's names: as every build's scaler calls them. */
const names: Readonly<Record<string, string>> = {
  ...{ bt709: "bt709", fcc: "fcc", bt470bg: "bt470", smpte170m: "smpte170m", smpte240m: "smpte240m" },
  bt2020nc: "bt2020",
};

/**
 * Whether the scaler does not know a matrix. Newer builds then refuse every frame that is tagged with it, older ones take it
 * for another one; so do filters that draw. BT.2020 with constant luminance is no matrix at all: its numbers are of light.
 */
export const isForeign = (matrix: string | undefined): matrix is string =>
  matrix !== undefined && matrix !== "gbr" && !Object.hasOwn(names, matrix);

/** The name that every build's scaler has for a matrix; of one that it does not know, the nearest. */
export const scalerMatrix = (matrix: string): string => names[matrix] ?? "bt2020";

/**
 * Takes a tag away that the scaler does not know. Size, chroma and depth can change without it, as long as the matrix stays
 * the same; filters that change the matrix are told both by name.
 */
export const hideMatrix = (matrix: string | undefined): readonly Filter[] =>
  isForeign(matrix) ? [{ name: "setparams", options: { colorspace: "unknown" } }] : [];

/** Puts it back, behind everything that may be scaled. */
export const showMatrix = (matrix: string | undefined): readonly Filter[] =>
  isForeign(matrix) ? [{ name: "setparams", options: { colorspace: matrix } }] : [];
