/** The fields of an object that have a value. */
export const defined = <T extends object>(fields: T): T =>
  // Only keys whose value is undefined are left out: for a reader of a field, that is the same.
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as T;
