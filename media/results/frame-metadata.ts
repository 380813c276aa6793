import type { MeasuredFrame } from "../analyses/analysis.ts";

/**
 * Splits the output of ffmpeg's `metadata=mode=print:file=…` into frames: a line `frame:1 pts:512 pts_time:0.04`, then
 * one `key=value` per note.
 */
export const createFrameReader = (onFrame: (frame: MeasuredFrame) => void) => {
  let open: { number: number; seconds: number; keys: Map<string, string> } | undefined;
  const close = (): void => {
    if (open) onFrame(open);
    open = undefined;
  };
  return {
    line: (text: string): void => {
      const head = /^frame:\s*(\d+)\s+pts:\S+\s+pts_time:(\S+)/.exec(text);
      if (head) {
        close();
        open = { number: Number(head[1]), seconds: Number(head[2]) || 0, keys: new Map() };
        return;
      }
      const at = text.indexOf("=");
      if (open && at > 0 && open.keys.size < 1000) open.keys.set(text.slice(0, at), text.slice(at + 1));
    },
    end: close,
  };
};
