/** The number of an attempt, as the protocol's fence has it. */
type AttemptNumber = { readonly epoch: number; readonly counter: number };

const form = /^\.(.+)\.(\d{1,16})\.(\d{1,16})(?:-\d+)?\.parts?$/s;

/**
 * The attempt that a hidden name is of, such as `.a.mp4.1.7.part`; undefined for a name of any other form. Only names of
 * this form are ever published or deleted as what an attempt made.
 */
export const attemptOfTemp = (name: string): AttemptNumber | undefined => {
  const [, , epoch, counter] = form.exec(name) ?? [];
  return counter === undefined ? undefined : { epoch: Number(epoch), counter: Number(counter) };
};

/** The name that a file is made for under a hidden name; shortened where it is long. Undefined for any other form. */
export const nameOfTemp = (name: string): string | undefined => form.exec(name)?.[1];

export const isTempName = (name: string): boolean => attemptOfTemp(name) !== undefined;
