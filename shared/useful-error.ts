/** Lines that say nothing beyond the one before them. */
const empty = /^(?:conversion failed!?|error opening (?:input|output) files?.*|exiting.*|received signal.*)$/i;

/**
 * The part of an error that tells a person what is wrong, in one line: without the element's uid before it, without a
 * tool's addresses in memory and its closing words.
 */
export const usefulEnd = (error: string): string => {
  const lines = error
    .split(/\r\n|\n|\r/)
    .map((line) => line.replaceAll(/\[[^\]]* @ 0x[0-9a-f]+\]\s*/gi, "").trim())
    .filter((line) => line !== "");
  const telling = lines.filter((line) => !empty.test(line));
  const [first = ""] = telling.length > 0 ? telling : lines;
  const last = telling.at(-1) ?? first;
  const head = first.replace(/^[\w.-]{1,80}: (?=\S)/, "");
  return last === first || !/status \d+|exit/i.test(head) ? head : last;
};
