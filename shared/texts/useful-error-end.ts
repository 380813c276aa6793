/** Lines that add nothing to the one before them. */
const empty = /^(?:conversion failed!?|error opening (?:input|output) files?.*|exiting.*|received signal.*)$/i;

/**
 * The part of an error that tells a person what is wrong, in one line: without the element's uid and run, memory addresses, and
 * a tool's closing words.
 */
export const usefulEnd = (error: string): string => {
  const lines = error
    .split(/\r\n|\n|\r/)
    .map((line) => line.replaceAll(/\[[^\]]* @ 0x[0-9a-f]+\]\s*/gi, "").trim())
    .filter((line) => line !== "");
  const telling = lines.filter((line) => !empty.test(line));
  const [first = ""] = telling.length > 0 ? telling : lines;
  const last = telling.at(-1) ?? first;
  const head = first.replace(/^[\w.-]{1,80}(?:#[\d.]+)?: (?=\S)/, "");
  return last === first || !/status \d+|exit/i.test(head) ? head : last;
};
