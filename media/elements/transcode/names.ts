import { fillPattern } from "../../../shared/files/file-pattern.ts";
import { basenameOf, nameOf } from "../../../shared/files/location.ts";
import { definitionError } from "../../../shared/model/failure.ts";
import type { Container } from "./containers/container.ts";

/** What a target's name is made from. */
type NameRequest = {
  readonly pattern: string;
  /** The pattern of a manifest's name, which may contain the target's. */
  readonly manifest?: string | undefined;
  readonly container: Container;
  readonly uri: string;
  readonly jobId: number;
  readonly isSequence: boolean;
  readonly path: string;
};

/** The file's name, with an extension always; a sequence without a number in its pattern gets one of five digits. */
export const nameOfTarget = (request: NameRequest): string => {
  const { pattern, manifest, container, uri, jobId, isSequence, path } = request;
  const values = { sourceName: nameOf(uri), defaultExtension: container.extensions[0], jobId };
  const name = fillPattern(ended(pattern), values);
  if (manifest !== undefined) return fillPattern(ended(manifest), { ...values, targetBasename: basenameOf(name) });
  if (!isSequence) return name;
  const numbered = name.includes("%") ? name : name.replace(/(?=\.[^.]*$)/, "_%05d");
  if (/^[^%]*%(0\d{1,2})?d[^%]*$/.test(numbered)) return numbered;
  throw definitionError(`${path}.file_pattern gives "${numbered}", which needs one number like %05d and no other %`);
};

const ended = (pattern: string): string => (hasExtension(pattern) ? pattern : `${pattern}{default_extension}`);

const hasExtension = (pattern: string) =>
  /\{(default_extension|source_extension|source_name)\}$|\.[a-z0-9]{1,5}$/i.test(pattern);
