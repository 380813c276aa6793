import type { Range } from "../../../shared/model/asset.ts";
import type { FrameQuestion } from "../../../shared/work/frame-listing.ts";
import { mainVideo } from "../../formats/stream-timing.ts";
import { timelineRate } from "../../virtual-source/clock-time.ts";
import { framesAsked, rangeOf, type TrimContext } from "../../virtual-source/trim.ts";
import type { Trim } from "../../virtual-source/trim-schema.ts";
import type { VirtualSource } from "../../virtual-source/virtual-source.ts";
import type { FactRequest, PlanContext } from "../element.ts";

export type TrimReader = {
  /** Frames that must be listed before everything that was read here can be cut. */
  readonly need: FactRequest[];
  /** The range of a trim; undefined if nothing is cut, or if frames must be listed first. */
  readonly read: (trim: Trim | undefined, timeline: TrimmedTimeline) => Range | undefined;
};

type TrimmedTimeline = Pick<TrimContext, "timeline" | "what"> & {
  /** The timeline of the picture whose frames are counted. */
  readonly picture: VirtualSource | undefined;
};

/** Reads trims, including those that count frames of a variable rate, which must be listed first. */
export const createTrimReader = (framesOf: PlanContext<unknown>["framesOf"] = () => undefined): TrimReader => {
  const need: FactRequest[] = [];
  return {
    need,
    read: (trim, { timeline, what, picture }) => {
      const request = trim && picture && listingFor(trim, picture);
      if (!request) return rangeOf(trim, { timeline, what });
      const listing = framesOf(request.uri, request.question);
      if (listing) return rangeOf(trim, { timeline, what, frameTimes: new Map(listing.times) });
      need.push(request);
      return undefined;
    },
  };
};

type Listing = FactRequest & { readonly question: FrameQuestion };

/** What must be listed before frames of this timeline can be counted; undefined if its rate is enough. */
const listingFor = (trim: Trim, timeline: VirtualSource): Listing | undefined => {
  const at = framesAsked(trim);
  return at.length === 0 || timelineRate(timeline.facts) ? undefined : listingOf(timeline, at);
};

/** The request for all frames of a timeline's picture, counted from the timeline's zero; undefined without a file. */
export const listingOf = ({ facts, tracks, inputs }: VirtualSource, at: number[]): Listing | undefined => {
  const video = mainVideo(facts);
  if (!video) return undefined;
  const [seen] = tracks.find(({ index }) => index === video.index)?.streams ?? [];
  const input = seen && inputs[seen.input];
  if (!seen || !input) return undefined;
  const { uri, pieces, origin } = input;
  return { fact: "frames", uri, ...(pieces && { pieces }), question: { stream: seen.stream, zero: origin, at } };
};
