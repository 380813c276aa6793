import { messageOf } from "../../shared/basics/errors.ts";
import { type Cause, type Failure, TaskError } from "../../shared/model/failure.ts";

/** Causes of operating system errors, by error code. */
const causeOfCode: Readonly<Record<string, Cause>> = {
  ENOSPC: "resources",
  EDQUOT: "resources",
  ENOMEM: "resources",
  EMFILE: "resources",
  ENFILE: "resources",
  EACCES: "storage",
  EPERM: "storage",
  EROFS: "storage",
  EIO: "storage",
  ESTALE: "storage",
  EISDIR: "storage",
  ENOTDIR: "storage",
  ENOENT: "storage",
  EEXIST: "storage",
  ENAMETOOLONG: "definition",
  EFBIG: "storage",
  EBUSY: "storage",
};

/**
 * Converts any thrown value to the failure to report. An unexpected error blames this node. `named` replaces paths that
 * tell people nothing.
 */
export const toFailure = (thrown: unknown, named = (text: string): string => text): Failure => {
  const { message, argv, stderr, ...rest } = plainFailureOf(thrown);
  return {
    ...{ ...rest, message: named(message).slice(0, 4000) },
    ...(argv && { argv: argv.map(named) }),
    ...(stderr !== undefined && { stderr: named(stderr).slice(-16_000) }),
  };
};

const plainFailureOf = (thrown: unknown): Failure => {
  if (thrown instanceof TaskError) return thrown.failure;
  const code = thrown instanceof Error && "code" in thrown ? String(thrown.code) : "";
  return { cause: causeOfCode[code] ?? "machine", message: messageOf(thrown).slice(0, 4000) };
};
