import { bytesOfHex } from "../../shared/basics/hex.ts";
import type { SplicePoint } from "../../shared/work/splice-point.ts";
import { cuesOf } from "./cues.ts";
import { ticksPerSecond } from "./ticks.ts";

/** A DASH manifest whose first period lists the sections as SCTE 214-1 has it: an event for each, with its bytes. */
export const withEvents = (manifest: string, points: readonly SplicePoint[]): string => {
  const at = manifest.search(/[ \t]*<AdaptationSet[\s>]/);
  if (at < 0) throw new Error("it has no AdaptationSet");
  return `${manifest.slice(0, at)}${eventStream(points)}${manifest.slice(at)}`;
};

const eventStream = (points: readonly SplicePoint[]): string => {
  const lengths = new Map(cuesOf(points).map(({ at, seconds }) => [Math.round(at * ticksPerSecond), seconds]));
  const events = points
    .toSorted((a, b) => (a.splice ?? a.at) - (b.splice ?? b.at))
    .map(({ at, splice = at, section }, index) => {
      const seconds = lengths.get(splice);
      const duration = seconds === undefined ? "" : ` duration="${Math.round(seconds * ticksPerSecond)}"`;
      const binary = `<scte35:Signal><scte35:Binary>${base64(section)}</scte35:Binary></scte35:Signal>`;
      return `      <Event presentationTime="${splice}"${duration} id="${index + 1}">${binary}</Event>\n`;
    });
  const names = `schemeIdUri="urn:scte:scte35:2014:xml+bin" xmlns:scte35="http://www.scte.org/schemas/35/2016"`;
  return `    <EventStream ${names} timescale="${ticksPerSecond}">\n${events.join("")}    </EventStream>\n`;
};

const base64 = (hex: string): string => btoa(String.fromCharCode(...bytesOfHex(hex)));
