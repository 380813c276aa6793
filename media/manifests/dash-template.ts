import { type Rational, toNumber } from "../../shared/basics/rational.ts";
import { child, childrenNamed, type XmlElement } from "../../shared/basics/xml.ts";
import type { Piece } from "../../shared/model/asset.ts";
import { sourceError } from "../../shared/model/failure.ts";
import { limitPieces, maxPieces, referenceUri } from "../../shared/work/manifest.ts";

export type TemplateRequest = {
  /** From the period, the set and the representation: inner values override outer ones. */
  readonly templates: readonly XmlElement[];
  readonly best: XmlElement;
  readonly base: string;
  /** Seconds of the period. */
  readonly duration: Rational | undefined;
  readonly uri: string;
};

/** Every segment of a template, preceded by the initialisation. Throws TaskError `source`. */
export const expandTemplate = (request: TemplateRequest): Piece[] => {
  const { best, base } = request;
  const start = attribute(request, "initialization");
  const media = attribute(request, "media");
  if (media === undefined) throw sourceError(`${request.uri} has a SegmentTemplate without media`);
  const fixed = {
    RepresentationID: best.attributes.get("id") ?? "",
    Bandwidth: best.attributes.get("bandwidth") ?? "",
  };
  const piece = (template: string, values: Values): Piece => ({ uri: referenceUri(base, filled(template, values)) });
  const segments = (timesOf(request) ?? numbersOf(request)).map((values) => piece(media, { ...fixed, ...values }));
  return [...(start === undefined ? [] : [piece(start, fixed)]), ...segments];
};

type Values = { readonly [name: string]: string | number };

const attribute = ({ templates }: TemplateRequest, name: string): string | undefined =>
  templates.map(({ attributes }) => attributes.get(name)).findLast((value) => value !== undefined);

const numberOf = (text: string | undefined, otherwise: number): number =>
  text !== undefined && /^-?\d{1,15}$/.test(text) ? Number(text) : otherwise;

/** `$Number%05d$`, `$Time$`, `$RepresentationID$`; two dollars are one. */
const filled = (template: string, values: Values): string =>
  template.replaceAll(/\$(\w*)(?:%0(\d{1,2})d)?\$/g, (_, name: string, width: string | undefined) =>
    name === "" ? "$" : String(values[name] ?? "").padStart(Number(width ?? 0), "0"),
  );

/** Segments of a timeline; undefined without one. */
const timesOf = (request: TemplateRequest): Values[] | undefined => {
  const timeline = request.templates.map((template) => child(template, "SegmentTimeline")).findLast(Boolean);
  if (!timeline) return undefined;
  const first = numberOf(attribute(request, "startNumber"), 1);
  const found: Values[] = [];
  let time = 0;
  for (const { attributes } of childrenNamed(timeline, "S")) {
    time = numberOf(attributes.get("t"), time);
    const lasts = numberOf(attributes.get("d"), 0);
    for (let left = repeats(attributes.get("r"), time, lasts, request); left >= 0; left -= 1) {
      found.push({ Time: time, Number: first + found.length });
      time += lasts;
      limitPieces(found.length, request.uri);
    }
  }
  return found;
};

/** -1 means: to the end of the period. */
const repeats = (text: string | undefined, time: number, lasts: number, request: TemplateRequest): number => {
  const given = numberOf(text, 0);
  if (given >= 0) return given;
  const end = scaledDuration(request);
  if (end === undefined || lasts <= 0) {
    throw sourceError(`${request.uri} repeats a segment to an end that it does not tell`);
  }
  const offset = numberOf(attribute(request, "presentationTimeOffset"), 0);
  return Math.min(maxPieces, Math.ceil((end + offset - time) / lasts) - 1);
};

const numbersOf = (request: TemplateRequest): Values[] => {
  const lasts = numberOf(attribute(request, "duration"), 0);
  const end = scaledDuration(request);
  if (lasts <= 0 || end === undefined) {
    throw sourceError(`${request.uri} does not tell how many segments it has`);
  }
  const count = Math.ceil(end / lasts - 1e-6);
  limitPieces(count, request.uri);
  const first = numberOf(attribute(request, "startNumber"), 1);
  return Array.from({ length: count }, (_, index) => ({ Number: first + index, Time: index * lasts }));
};

const scaledDuration = (request: TemplateRequest): number | undefined =>
  request.duration && toNumber(request.duration) * numberOf(attribute(request, "timescale"), 1);
