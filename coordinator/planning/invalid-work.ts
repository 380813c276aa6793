import type { z } from "zod";
import { describeIssue, pathText } from "../../shared/basics/validation.ts";
import { maxMessageBytes } from "../../shared/protocol/messages.ts";
import { type Work, work } from "../../shared/work/work.ts";

type Issue = z.core.$ZodIssue;

/** Half a message: the other half is for the files that the task was granted before. */
export const maxWorkBytes = maxMessageBytes / 2;

/** Why work cannot be sent to a node, naming the field and its limit; undefined if it can. Read as the node will read it. */
export const describeInvalidWork = (planned: Work): string | undefined => {
  const sent = JSON.stringify(planned);
  const { error } = work.safeParse(JSON.parse(sent), { reportInput: true });
  const [issue] = error?.issues ?? [];
  if (issue) return wordsOfIssue(issue);
  const bytes = bytesOf(sent);
  return bytes > maxWorkBytes ? `work must have at most ${maxWorkBytes} bytes of JSON, not ${bytes}` : undefined;
};

const wordsOfIssue = (issue: Issue): string => {
  const inner = innermost(issue);
  return `${pathText(inner.path, "work")} ${describeIssue(inner)}`;
};

/** Of a union, the choice that was meant: the one that only a size is wrong with. */
const innermost = (issue: Issue): Issue => {
  if (issue.code !== "invalid_union") return issue;
  const all = issue.errors.flatMap(([first]) => (first ? [innermost(first)] : []));
  const meant = all.find(({ code }) => code === "too_big" || code === "too_small" || code === "custom");
  return meant ? { ...meant, path: [...issue.path, ...meant.path] } : issue;
};

/** A character takes three bytes at most. */
const bytesOf = (text: string): number =>
  3 * text.length > maxWorkBytes ? new TextEncoder().encode(text).length : text.length;
