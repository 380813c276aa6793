/** When a file's last segment ends, and how long its longest one lasts. Seconds. */
export type Lasting = { readonly end: number; readonly longest: number };

/**
 * A manifest that says to the millisecond how long it and its longest segment last, as its timelines count them, or the
 * indexes of its files: ffmpeg cuts both to tenths of a second, and players stop there. Manifests that say neither stay.
 */
export const withDurations = (manifest: string, files: readonly Lasting[] = []): string => {
  const written = [...manifest.matchAll(/<SegmentTemplate\b([^>]*)>([\s\S]*?)<\/SegmentTemplate>/g)].map(
    ([, template = "", lines = ""]) => timelineOf(template, lines),
  );
  const timelines = files.length > 0 ? files : written;
  if (!/\btype="static"/.test(manifest) || timelines.length === 0) return manifest;
  const whole = Math.max(...timelines.map(({ end }) => end));
  const longest = Math.max(...timelines.map((each) => each.longest));
  return manifest
    .replace(
      /(\bmediaPresentationDuration=")PT(?:\d+H)?(?:\d+M)?\d+\.\dS"/,
      (_, name: string) => `${name}${inSeconds(whole)}"`,
    )
    .replace(
      /(\bmaxSegmentDuration=")PT(?:\d+H)?(?:\d+M)?\d+\.\dS"/,
      (_, name: string) => `${name}${inSeconds(longest)}"`,
    );
};

const timelineOf = (template: string, lines: string): Lasting => {
  const scale = numberOf("timescale", template) ?? 1;
  let end = -(numberOf("presentationTimeOffset", template) ?? 0);
  let longest = 0;
  for (const [, segment = ""] of lines.matchAll(/<S\b([^>]*)>/g)) {
    const [start, lasts = 0, again = 0] = ["t", "d", "r"].map((name) => numberOf(name, segment));
    end =
      (start === undefined ? end : start - (numberOf("presentationTimeOffset", template) ?? 0)) + lasts * (again + 1);
    longest = Math.max(longest, lasts);
  }
  return { end: end / scale, longest: longest / scale };
};

const numberOf = (name: string, attributes: string): number | undefined => {
  const [, value] = new RegExp(`\\b${name}="(-?\\d+)"`).exec(attributes) ?? [];
  return value === undefined ? undefined : Number(value);
};

/** Upwards, so that nothing is cut off. */
const inSeconds = (seconds: number): string => {
  const ms = Math.ceil(seconds * 1000 - 1e-6);
  const minutes = Math.floor(ms / 60_000);
  const hours = Math.floor(minutes / 60);
  const rest = ((ms - minutes * 60_000) / 1000).toFixed(3);
  return `PT${hours > 0 ? `${hours}H` : ""}${minutes > 0 ? `${minutes % 60}M` : ""}${rest}S`;
};
