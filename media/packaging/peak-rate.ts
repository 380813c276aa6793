/** A segment of a playlist: seconds and bits. */
export type RatedSegment = { readonly seconds: number; readonly bits: number };

/**
 * Bits a second of the largest run of segments that lasts half a target duration to one and a half, as players measure it
 * (RFC 8216, 4.3.4.2): a last segment of a few frames makes no peak.
 */
export const peakRate = (segments: readonly RatedSegment[], target: number): number => {
  let peak = 0;
  for (let from = 0; from < segments.length; from += 1) {
    let [seconds, bits] = [0, 0];
    for (let to = from; to < segments.length; to += 1) {
      seconds += segments[to]?.seconds ?? 0;
      bits += segments[to]?.bits ?? 0;
      if (seconds > 1.5 * target) break;
      if (seconds >= 0.5 * target) peak = Math.max(peak, bits / seconds);
    }
  }
  const [all, time] = segments.reduce(([bits, sum], each) => [bits + each.bits, sum + each.seconds], [0, 0]);
  return Math.max(peak, time > 0 ? all / time : 0);
};
