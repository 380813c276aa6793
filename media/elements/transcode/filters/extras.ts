import type { MediaFacts, Sidecar } from "../../../../shared/model/asset.ts";
import type { Reference } from "../../../../shared/work/arguments.ts";
import type { Filter } from "../../../ffmpeg/filtergraph.ts";
import type { VirtualSource } from "../../../virtual-source/virtual-source.ts";
import type { FactRequest, PlanContext } from "../../element.ts";
import type { CaptionCarrier, DrawnSubtitles, Measure, Staged, TextPlace } from "../recipe.ts";
import { type Analyzed, analyzedBefore } from "./analyzed.ts";

/** Filters that only listen, and how to read their notes. */
export type Meter = Pick<Measure, "parser" | "says" | "options" | "onlyIf" | "otherwise" | "encoded"> & {
  readonly filters: (notes: Reference) => readonly Filter[];
};

/** What filters need beside their own track. */
export type Extras = {
  /** Facts of another file that a filter shows; undefined until it has been probed. */
  readonly factsOf: (uri: string) => MediaFacts | undefined;
  /** A file in the attempt's folder, by the end of its name. */
  readonly stage: (from: Staged["from"], extension: string) => Reference;
  /** Measures a track as these filters leave it; gives the id of the result. */
  readonly measure: (track: number, filters: readonly Filter[], meter: Meter) => string;
  /** What earlier analyses found out about the source. */
  readonly analyzed: Analyzed;
  readonly warn: (warning: string) => void;
  /** Files of subtitles that belong to the source. */
  readonly sidecars: readonly Sidecar[];
  /** The attempt's own ASS file of one of them. */
  readonly drawn: (subtitles: Omit<DrawnSubtitles, "id" | "staged"> & { readonly from: TextPlace }) => Reference;
  /** The file of pictures that carry these captions. */
  readonly carried: (captions: Omit<CaptionCarrier, "id">) => string;
  /** Seconds of the source at which the timeline begins. */
  readonly start: number;
  /** The timeline; absent where there is none. */
  readonly source?: VirtualSource;
};

/** Collects what the filters of all targets of one element need. */
export type ExtrasBook = {
  /** For filters of this timeline. */
  readonly of: (source: VirtualSource, start?: number) => Extras;
  /** Without a timeline; nothing can be measured. */
  readonly alone: Omit<Extras, "measure">;
  readonly need: readonly FactRequest[];
  readonly staged: readonly Staged[];
  readonly subtitles: readonly DrawnSubtitles[];
  readonly captions: readonly CaptionCarrier[];
  readonly measures: readonly Measure[];
  readonly warnings: readonly string[];
};

export const createExtras = ({
  factsOf,
  inputs,
  analyses = [],
}: Pick<PlanContext<unknown>, "factsOf" | "analyses" | "inputs">): ExtrasBook => {
  const sidecars = inputs.flatMap((input) => input.sidecars ?? []);
  const subtitles: DrawnSubtitles[] = [];
  const analyzed = analyzedBefore(analyses);
  const need: FactRequest[] = [];
  const staged: Staged[] = [];
  const measures: Measure[] = [];
  const warnings: string[] = [];
  const stage: Extras["stage"] = (from, extension) => {
    const known = staged.find((each) => isSame(each.from, from));
    if (known) return { staged: known.as };
    const as = "bundled" in from ? from.bundled : `file_${staged.length}${extension}`;
    staged.push({ as, from });
    return { staged: as };
  };
  const asked = new Map<string, string>();
  const measure = (source: VirtualSource, ...[track, before, meter]: Parameters<Extras["measure"]>): string => {
    const { filters: listening, ...how } = meter;
    const key = JSON.stringify([source, track, before, how]);
    const id = asked.get(key) ?? `measured_${measures.length}`;
    if (!asked.has(key)) {
      const filters = [...before, ...listening({ scratch: id })];
      measures.push({ id, source, track, filters, ...how });
    }
    asked.set(key, id);
    return id;
  };
  const facts: Extras["factsOf"] = (uri) => {
    const found = factsOf(uri)?.facts;
    if (!found && !need.some((each) => each.uri === uri)) need.push({ fact: "probe", uri });
    return found;
  };
  const warn = (warning: string) => void (warnings.includes(warning) || warnings.push(warning));
  const drawn: Extras["drawn"] = ({ from, ...wanted }) => {
    const isTrack = "stream" in from || "demuxer" in from;
    const as = isTrack ? undefined : stage({ uri: from.uri }, wanted.isStyled ? ".ass" : ".txt");
    const place = as && "staged" in as ? { staged: as.staged } : { from };
    const known = subtitles.find((each) => isSame({ ...each, id: "" }, { id: "", ...place, ...wanted }));
    const id = known?.id ?? `subtitles_${subtitles.length}`;
    if (!known) subtitles.push({ id, ...place, ...wanted });
    return { scratch: id };
  };
  const captions: CaptionCarrier[] = [];
  const carried: Extras["carried"] = (wanted) => {
    const known = captions.find(({ id: _id, ...each }) => isSame(each, wanted));
    const id = known?.id ?? `captions_${captions.length}`;
    if (!known) captions.push({ ...wanted, id });
    return id;
  };
  const alone = { factsOf: facts, stage, analyzed, warn, sidecars, drawn, carried, start: 0 };
  return {
    of: (source, start = 0) => ({ ...alone, start, source, measure: (...request) => measure(source, ...request) }),
    alone,
    ...{ need, staged, subtitles, captions, measures, warnings },
  };
};

const isSame = (a: object, b: object): boolean => JSON.stringify(a) === JSON.stringify(b);
