import { bitDepthOf, chromaOf, colorSpaceOf, hasAlpha } from "../../../../formats/pixel-format.ts";

/** Points that share one colour, as a share of those of the picture: the smaller, the coarser. */
const colors: Readonly<Record<string, number>> = {
  ...{ "4:4:4": 4, "4:4:0": 3, "4:2:2": 3, "4:2:0": 2, "4:1:1": 1, "4:1:0": 0 },
};

/**
 * What a picture of one pixel format loses in another: its transparency, colours of single points, bits. `isAsked`: the
 * job itself names the format. Undefined where nothing is lost that it did not give away.
 */
export const lossInFormat = (source: string | undefined, made: string, isAsked: boolean): string | undefined => {
  if (source === undefined || isAsked) return undefined;
  const [from, to] = [chromaIn(source), chromaIn(made)];
  const [deep, flat] = [bitDepthOf(source) ?? 8, bitDepthOf(made) ?? 8];
  const lost = [
    hasAlpha(source) && !hasAlpha(made) && "its transparency is lost",
    from && to && (colors[to] ?? 0) < (colors[from] ?? 0) && `${from} becomes ${to}`,
    flat < deep && `${deep} bits become ${flat}`,
  ].filter((each) => each !== false && each !== undefined && each !== "");
  return lost.length === 0 ? undefined : lost.join(", ");
};

/** `4:2:2`; undefined for pictures without colours. */
const chromaIn = (format: string): string | undefined => {
  if (colorSpaceOf(format) === "Y") return undefined;
  const digits = chromaOf(format)?.slice("CS_".length) ?? packedChroma(format);
  return [...digits].join(":");
};

const packedChroma = (format: string): string => (/^(uyvy|yuyv|yvyu|y210|y212)/.test(format) ? "422" : "444");
