/** The largest of these numbers, at least `least`. Math.max takes them as arguments, of which a call may not have so many. */
export const largest = (values: Iterable<number>, least: number): number => {
  let found = least;
  for (const value of values) found = Math.max(found, value);
  return found;
};
