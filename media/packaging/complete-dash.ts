import { xmlText } from "../../shared/basics/xml-text.ts";
import { type Announced, announcements } from "./dash-set.ts";
import { languageTag } from "./language-tag.ts";
import { onDemandProfile } from "./segment-base.ts";

/**
 * A manifest that a program wrote, with languages as RFC 5646 asks and with the access points that segments begin with;
 * `pictures` is what its first set of pictures says besides.
 */
export const completeDash = (manifest: string, pictures: Announced = {}): string => {
  const isOnDemand = manifest.includes(onDemandProfile);
  let isFirst = true;
  return manifest.replace(/^([ \t]*)<AdaptationSet\b[^>]*>/gm, (open, indent: string) => {
    const isPicture = isFirst && open.includes('contentType="video"');
    if (isPicture) isFirst = false;
    const told = isPicture ? announcements(pictures).map((line) => `\n${indent}  ${line}`) : [];
    return `${withPoints(withLanguage(open), isOnDemand)}${told.join("")}`;
  });
};

const withLanguage = (open: string): string =>
  open.replace(/\blang="([^"]*)"/, (_, language: string) => `lang="${xmlText(languageTag(language))}"`);

/** Segments of pictures begin with key frames, and those of sound anywhere. */
const withPoints = (open: string, isOnDemand: boolean): string => {
  if (!/contentType="(video|audio)"/.test(open)) return open;
  const named = isOnDemand
    ? open.replace(/ segmentAlignment=/, " subsegmentAlignment=").replace(/ startWithSAP=/, " subsegmentStartsWithSAP=")
    : open;
  const [aligned, point] = isOnDemand
    ? ["subsegmentAlignment", "subsegmentStartsWithSAP"]
    : ["segmentAlignment", "startWithSAP"];
  const isMissing = named.includes(` ${aligned}="true"`) && !named.includes(` ${point}=`);
  return isMissing ? named.replace(/>$/, ` ${point}="1">`) : named;
};

/** The files that the first representation begins with: its header and first segment, or the file that has both. */
export const firstFiles = (manifest: string): string[] => filesOf(representationsIn(manifest)[0] ?? "");

/** The file that has the header of each representation, in the manifest's order; empty where it does not say. */
export const headerFiles = (manifest: string): string[] =>
  representationsIn(manifest).map((each) => filesOf(each)[0] ?? "");

/** Completes codecs that the program named without their profile, by those of the representations in their order. */
export const withCodecs = (manifest: string, codecs: readonly (string | undefined)[]): string => {
  let at = 0;
  return manifest.replace(/<Representation\b[^>]*>/g, (open) => {
    const found = codecs[at++];
    return found?.includes(".") ? open.replace(/\bcodecs="[^".]*"/, `codecs="${found}"`) : open;
  });
};

const representationsIn = (manifest: string): readonly string[] =>
  manifest.match(/<Representation\b[\s\S]*?<\/Representation>/g) ?? [];

const filesOf = (first: string): string[] => {
  const [, file] = /<BaseURL>([^<]*)<\/BaseURL>/.exec(first) ?? [];
  if (file !== undefined) return [file];
  const [, id = ""] = /\bid="([^"]*)"/.exec(first) ?? [];
  const [, number = "1"] = /\bstartNumber="(\d+)"/.exec(first) ?? [];
  return ["initialization", "media"].flatMap((name) => {
    const [, template] = new RegExp(`\\b${name}="([^"]*)"`).exec(first) ?? [];
    if (template === undefined) return [];
    const filled = template.replace("$RepresentationID$", id);
    return [filled.replace(/\$Number(?:%0(\d+)d)?\$/, (_, width = "1") => number.padStart(Number(width), "0"))];
  });
};
