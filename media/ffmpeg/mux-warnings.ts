/** Listens to ffmpeg's log; tells the first warning or error of one of these muxers. */
export const createMuxWatch = (muxers: readonly string[]) => {
  let rest = "";
  const ofMuxer = muxers.length > 0 ? lineOf(muxers) : undefined;
  return (chunk: string): string | undefined => {
    if (!ofMuxer) return undefined;
    const lines = (rest + chunk).split("\n");
    rest = (lines.pop() ?? "").slice(-4096);
    const found = lines.map((line) => ofMuxer.exec(line)?.[1]).find((said) => said !== undefined);
    return found?.slice(0, 300);
  };
};

/** `[mp4 @ 0x…] [warning] …`, and in later versions `[out#0/mp4 @ 0x…] [warning] …`. */
const lineOf = (muxers: readonly string[]): RegExp => {
  const names = muxers.map((name) => name.replaceAll(/[^a-z0-9_]/gi, "")).join("|");
  return new RegExp(
    `^(?:\\[out#\\d+/(?:${names}) @ \\w+\\] |\\[(?:${names}) @ \\w+\\] )+\\[(?:warning|error)\\] (.+)$`,
  );
};
