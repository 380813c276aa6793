import { printClock } from "../clock.ts";
import { nearestVttColor, vttColor } from "../colors.ts";
import type { Cue, Line } from "../cue.ts";
import { escapeXml, printLines, withTags } from "../markup.ts";

type Options = {
  /** The ticks of a transport stream's clock at which the cues have their zero (RFC 8216, 3.5). */
  readonly streamClock?: number | undefined;
  /** It goes into a container that keeps no styles: colours without a name become the nearest one that has one. */
  readonly isTrack?: boolean | undefined;
};

/** WebVTT. Colours that have no name in it are classes of a style. */
export const printWebvtt = (cues: readonly Cue[], { streamClock, isTrack = false }: Options = {}): string => {
  const map = streamClock === undefined ? "" : `X-TIMESTAMP-MAP=LOCAL:00:00:00.000,MPEGTS:${streamClock}\n`;
  return `WEBVTT\n${map}${isTrack ? "" : stylesOf(cues)}${cues.map((cue) => block(cue, isTrack)).join("")}`;
};

const stylesOf = (cues: readonly Cue[]): string => {
  const colors = cues.flatMap(({ lines }) => lines.flatMap((line) => line.flatMap(({ color }) => color ?? [])));
  const others = [...new Set(colors)].filter((color) => vttColor(color) === undefined);
  const rules = others.map((color) => `::cue(.${classOf(color)}) { color: ${color} }\n`);
  return rules.length === 0 ? "" : `\nSTYLE\n${rules.join("")}`;
};

const classOf = (color: string): string => vttColor(color) ?? color.replace("#", "c");

const block = ({ from, to, lines, isTop }: Cue, isTrack: boolean): string => {
  const times = `${printClock(from, ".")} --> ${printClock(to, ".")}${isTop ? " line:0" : ""}`;
  return `\n${times}\n${printMarkup(lines, isTrack)}\n`;
};

const printMarkup = (lines: readonly Line[], isTrack: boolean): string =>
  printLines(lines, ({ color, voice, language, ...span }) => {
    const text = withTags({ ...span, text: escapeXml(span.text) });
    const name = color && classOf(isTrack ? nearestVttColor(color) : color);
    const colored = name === undefined ? text : `<c.${name}>${text}</c>`;
    const spoken = language === undefined ? colored : `<lang ${escapeXml(language)}>${colored}</lang>`;
    return voice === undefined ? spoken : `<v ${escapeXml(voice)}>${spoken}</v>`;
  });
