import { fillPattern } from "../../shared/files/file-pattern.ts";
import { definitionError } from "../../shared/model/failure.ts";
import type { Protection } from "./protection.ts";

/** A key of AES-128 changes after so many segments where the job does not say. */
const defaultRotation = 12;

/** How many segments share a drawn key; 0: all. A key that is given never changes. */
export const rotationOf = ({ written, key }: Protection): number =>
  key === undefined && written.external_key_file !== true ? (written.rotation ?? defaultRotation) : 0;

/** Throws TaskError where the fields about an AES-128 key contradict each other. */
export const refuseContradictions = ({ written, path, key }: Protection): void => {
  if (key !== undefined && (written.rotation ?? 0) > 0)
    throw definitionError(`${path}.rotation needs random keys, and ${path}.key names one`);
  if (written.external_key_file && !written.key_location)
    throw definitionError(`${path}.external_key_file needs key_location, where the key lies`);
};

type Naming = {
  /** The name where the job says none. */
  readonly usual: string;
  readonly sourceName: string;
  readonly jobId: number;
  readonly isRotated: boolean;
};

/** The name of the file that players fetch a key from. Rotated keys are counted in it. */
export const keyFileName = ({ written }: Protection, { usual, sourceName, jobId, isRotated }: Naming): string => {
  const filled = fillPattern(written.key_file_pattern ?? usual, { sourceName, defaultExtension: ".key", jobId });
  const plain = filled.replaceAll(/[^A-Za-z0-9_.%-]+/g, "_").replace(/^[^A-Za-z0-9_]+/, "") || "segments.key";
  const isNumbered = /%0?\d*d/.test(plain);
  if (isRotated) return isNumbered ? plain : plain.replace(/(\.[^.]*)?$/, "_%05d$1");
  return plain.replaceAll(/%0?\d*d/g, "0");
};
