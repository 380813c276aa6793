const headLimit = 16_000;
const tailLimit = 240_000;

/** A bounded text that grows: it keeps its beginning and its end. Offsets count everything ever written. */
export type LogBuffer = {
  append(text: string): void;
  text(): string;
  /** Total characters, including omitted ones. */
  written(): number;
  /** The text from that offset on, up to a maximum; `left` characters before it were omitted. */
  since(from: number, limit: number): { readonly from: number; readonly left: number; readonly text: string };
  /** This many characters are unknown here. */
  leaveOut(count: number): void;
};

export const createLogBuffer = (): LogBuffer => {
  let head = "";
  let tail = "";
  let dropped = 0;

  const cut = (): void => {
    dropped += Math.max(0, tail.length - tailLimit);
    tail = tail.slice(-tailLimit);
  };

  return {
    append: (text) => {
      const room = tail === "" && dropped === 0 ? headLimit - head.length : 0;
      head += text.slice(0, room);
      tail += text.slice(room);
      // Not with every line: each cut copies the whole end.
      if (tail.length > 2 * tailLimit) cut();
    },
    text: () => {
      cut();
      return dropped === 0 ? head + tail : `${head}\n… ${dropped} characters left out …\n${tail}`;
    },
    written: () => head.length + dropped + tail.length,
    since: (from, limit) => {
      if (from < head.length) return { from, left: 0, text: head.slice(from, from + limit) };
      const start = Math.max(from, head.length + dropped);
      const offset = start - head.length - dropped;
      return { from: start, left: start - from, text: tail.slice(offset, offset + limit) };
    },
    leaveOut: (count) => {
      dropped += tail.length + count;
      tail = "";
    },
  };
};

const leftOut = /\n… (\d+) characters left out …\n/;

/** A log's text after an offset in everything ever written, as far as it is stored. */
export const textAfter = (text: string, seen: number): { readonly text: string; readonly written: number } => {
  const gap = leftOut.exec(text);
  const written = gap ? text.length - gap[0].length + Number(gap[1]) : text.length;
  if (!gap || seen === 0) return { text: text.slice(seen), written };
  const tail = text.slice(gap.index + gap[0].length);
  return { text: tail.slice(Math.max(0, tail.length - Math.max(0, written - seen))), written };
};
