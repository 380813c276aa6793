import { compare, multiply, type Rational, ratio, toFraction, toNumber } from "../../shared/basics/rational.ts";
import type { VideoFacts } from "../../shared/model/asset.ts";
import { capabilityError } from "../../shared/model/failure.ts";
import { conversion, isHighDynamic, obstacleBetween, sourceColors, stated } from "../ffmpeg/color.ts";
import type { Filter } from "../ffmpeg/filtergraph.ts";
import { isForeign, scalerMatrix } from "../ffmpeg/scaler-matrix.ts";
import { isTopFirst } from "../formats/field-order.ts";
import { constantRate } from "../formats/stream-timing.ts";
import type { OpenSection } from "./open-section.ts";

/** The properties of all pictures in a joined timeline. */
export type JoinedPicture = { readonly facts: VideoFacts; readonly rate: Rational };

/**
 * The picture properties of the first section that has one from a file, at the requested rate or its own. Undefined if
 * no section has a picture. Throws TaskError `capability` if only some pictures are HDR.
 */
export const joinedPicture = (
  sections: readonly OpenSection[],
  wanted: Rational | undefined,
  what: string,
): JoinedPicture | undefined => {
  const pictures = sections.flatMap(({ picture }) => picture ?? []);
  const model = pictures.find(({ isGenerated }) => !isGenerated) ?? pictures[0];
  if (!model) return undefined;
  const recorded = pictures.filter(({ isGenerated }) => !isGenerated).map(({ facts }) => facts);
  if (recorded.some((facts) => isHdr(facts) !== isHdr(model.facts))) {
    throw capabilityError(`${what}: joining HDR and standard pictures is not implemented`);
  }
  for (const facts of recorded) refuseUnlike(facts, model.facts, what);
  const rate = wanted ?? constantRate(model.facts) ?? model.facts.averageFrameRate ?? ratio(25);
  const isMixed = recorded.some(({ fieldOrder }) => isInterlaced(fieldOrder) !== isInterlaced(model.facts.fieldOrder));
  const isProgressive = isMixed || (wanted !== undefined && !isRateOf(model.facts, rate));
  const fieldOrder = isProgressive ? "progressive" : model.facts.fieldOrder;
  const own = { pixelFormat: model.facts.pixelFormat ?? "yuv420p", pixelAspect: model.facts.pixelAspect ?? ratio(1) };
  return { facts: { ...model.facts, ...own, fieldOrder, frameRate: rate, averageFrameRate: rate }, rate };
};

/** The filters that make one picture like the others, with an exact number of frames. */
export const conformPicture = (own: VideoFacts, { facts, rate }: JoinedPicture, frames: number): Filter[] => [
  ...(isInterlaced(own.fieldOrder) && !isInterlaced(facts.fieldOrder) ? [deinterlaced(own)] : []),
  { name: "fps", options: { fps: toFraction(rate), start_time: "0" } },
  ...fitted(own, facts),
  ...recolored(own, facts),
  { name: "setsar", options: { sar: toFraction(facts.pixelAspect ?? ratio(1)) } },
  { name: "format", options: { pix_fmts: facts.pixelFormat } },
  // A container may declare a frame or two more than it holds: then the last one stays.
  { name: "tpad", options: { stop_mode: "clone", stop: Math.max(2, Math.round(toNumber(rate) / 2)) } },
  { name: "trim", options: { end_frame: frames } },
  { name: "settb", options: { expr: toFraction(ratio(rate.den, rate.num)) } },
];

export const isInterlaced = (fieldOrder: string | undefined): boolean =>
  fieldOrder !== undefined && fieldOrder !== "progressive";

const isRateOf = (facts: VideoFacts, rate: Rational) => compare(constantRate(facts) ?? ratio(0), rate) === 0;

const isHdr = ({ colorTransfer }: VideoFacts) => isHighDynamic(colorTransfer);

const deinterlaced = ({ fieldOrder }: VideoFacts): Filter => ({
  name: "bwdif",
  options: { mode: "send_frame", parity: isTopFirst(fieldOrder) ? "tff" : "bff" },
});

/** Whether the scaler cannot bring numbers into the joined picture's matrix; untagged ones are taken for its own. */
const isUnlike = ({ colorSpace: own }: VideoFacts, { colorSpace: to }: VideoFacts): boolean =>
  own !== undefined && to !== undefined && own !== to && (isForeign(own) || isForeign(to));

const known = (facts: VideoFacts) => stated(sourceColors(facts), facts);

const refuseUnlike = (own: VideoFacts, to: VideoFacts, what: string): void => {
  const why = isUnlike(own, to) ? obstacleBetween(known(own), known(to)) : undefined;
  if (why === undefined) return;
  throw capabilityError(`${what}: pictures of ${own.colorSpace} and ${to.colorSpace} cannot be joined: ${why}`);
};

const recolored = (own: VideoFacts, to: VideoFacts): Filter[] =>
  isUnlike(own, to) ? conversion(known(own), known(to), "joined") : [];

/** As large as possible without distortion, with bars around it. */
const fitted = (own: VideoFacts, to: VideoFacts): Filter[] => {
  const matrix = matrixOf(own, to);
  const inner = innerSize(own, to);
  const isSame = inner.width === own.width && inner.height === own.height && !matrix;
  const place = { x: evenHalf(to.width - inner.width), y: evenHalf(to.height - inner.height) };
  const isFull = inner.width === to.width && inner.height === to.height;
  return [
    ...(isSame ? [] : [{ name: "scale", options: { w: inner.width, h: inner.height, flags: "bicubic", ...matrix } }]),
    ...(isFull ? [] : [{ name: "pad", options: { w: to.width, h: to.height, ...place } }]),
  ];
};

const innerSize = (own: VideoFacts, to: VideoFacts) => {
  const shape = toNumber(multiply(ratio(own.width, own.height), own.pixelAspect ?? ratio(1)));
  const storage = shape / toNumber(to.pixelAspect ?? ratio(1));
  const isSame = own.width === to.width && own.height === to.height;
  if (isSame || Math.abs(storage / (to.width / to.height) - 1) < 0.01) return { width: to.width, height: to.height };
  return storage > to.width / to.height
    ? { width: to.width, height: even(to.width / storage) }
    : { width: even(to.height * storage), height: to.height };
};

const even = (side: number) => Math.max(2, Math.round(side / 2) * 2);
const evenHalf = (space: number) => Math.floor(space / 4) * 2;

/** Matrices that ffmpeg's scaler converts; nothing is guessed if one is unknown. */
const matrices = new Set(["bt709", "smpte170m", "bt470bg", "smpte240m"]);

const matrixOf = (own: VideoFacts, to: VideoFacts) =>
  own.colorSpace !== to.colorSpace && matrices.has(own.colorSpace ?? "") && matrices.has(to.colorSpace ?? "")
    ? { in_color_matrix: scalerMatrix(own.colorSpace ?? ""), out_color_matrix: scalerMatrix(to.colorSpace ?? "") }
    : undefined;
