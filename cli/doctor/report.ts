import type { Hue } from "../../shared/model/state-labels.ts";
import type { Paint } from "../text/paint.ts";
import type { Examined } from "./examine.ts";
import { type Finding, type Severity, worstOf } from "./finding.ts";

export type Report = {
  readonly made: string;
  readonly version: string;
  /** The worst of all findings. */
  readonly severity: Severity;
  readonly areas: readonly Examined[];
};

export const buildReport = (
  areas: readonly Examined[],
  { now, version }: { now: number; version: string },
): Report => ({
  made: new Date(now).toISOString(),
  version,
  severity: worstOf(areas.flatMap(({ findings }) => findings ?? [])),
  areas,
});

const marks: Readonly<Record<Severity, readonly [glyph: string, hue: Hue]>> = {
  ok: ["✓", "ok"],
  warn: ["!", "warn"],
  bad: ["✕", "bad"],
};

const ends: Readonly<Record<Severity, string>> = {
  ok: "All is well.",
  warn: "Everything works. Look at what is marked with !",
  bad: "Something does not work: look at what is marked with ✕",
};

export const reportText = ({ areas, severity }: Report, paint: Paint): string =>
  `${[...areas.map((each) => areaText(each, paint)), paint(marks[severity][1], ends[severity])].join("\n")}\n`;

const areaText = ({ area, findings }: Examined, paint: Paint): string => {
  const title = paint("strong", area);
  if (!findings) return `${title}\n  - not examined, because no farm runs`;
  return [title, ...findings.map((finding) => findingText(finding, paint))].join("\n");
};

const findingText = ({ what, severity, words, next }: Finding, paint: Paint): string => {
  const [glyph, hue] = marks[severity];
  const line = `  ${paint(hue, glyph)} ${what}: ${words}`;
  return next === undefined ? line : `${line}\n    ${next}`;
};
