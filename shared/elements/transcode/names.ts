import { TaskError } from "../../causes.ts";
import { fillPattern } from "../../file-pattern.ts";
import { nameOf } from "../../location.ts";
import type { Container } from "./containers/container.ts";

/** What a target's name is made from. */
type NameRequest = {
  readonly pattern: string;
  readonly container: Container;
  readonly uri: string;
  readonly jobId: number;
  readonly isSequence: boolean;
  readonly path: string;
};

/** The file's name, with an extension always; a sequence without a number in its pattern gets one of five digits. */
export const nameOfTarget = ({ pattern, container, uri, jobId, isSequence, path }: NameRequest): string => {
  const defaultExtension = container.extensions[0];
  const ended = hasExtension(pattern) ? pattern : `${pattern}{default_extension}`;
  const name = fillPattern(ended, { sourceName: nameOf(uri), defaultExtension, jobId });
  if (!isSequence) return name;
  const numbered = name.includes("%") ? name : name.replace(/(?=\.[^.]*$)/, "_%05d");
  if (/^[^%]*%(0\d{1,2})?d[^%]*$/.test(numbered)) return numbered;
  throw new TaskError(
    "definition",
    `${path}.file_pattern gives "${numbered}", which needs one number like %05d and no other %`,
  );
};

const hasExtension = (pattern: string) =>
  /\{(default_extension|source_extension|source_name)\}$|\.[a-z0-9]{1,5}$/i.test(pattern);
