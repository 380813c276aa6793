import { z } from "zod";

const numbered = (number: number): string => String(number).padStart(3, "0");

type Named = {
  /** The target's name and uid. */
  readonly name: string;
  readonly uid: string;
  readonly number: number;
  readonly total: number;
  readonly jobId: number;
};

/** The name of the file of a section, beside its target; no other job uses it. */
export const sectionFileName = ({ name, uid, number, total, jobId }: Named): string => {
  const plain = uid.replaceAll(/[^\w.-]/g, "_").slice(0, 60);
  return `${name.slice(0, 120)}__hyseg_${numbered(number)}_of_${numbered(total)}_${jobId}_${plain}`;
};

/** Whether such a name is one of those; nothing else is ever swept. */
export const isSectionFile = (name: string): boolean => /__hyseg_\d{3,}_of_\d{3,}_\d+_[\w.-]*$/.test(name);

/** A file of a section that nobody needs any more. */
export const sectionFile = z.strictObject({ uri: z.string().max(4000), size: z.number().int().nonnegative() });
export type SectionFile = z.output<typeof sectionFile>;

export const maxSweptFiles = 200;
