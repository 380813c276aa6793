type Keeper<K, V> = { readonly get: (key: K) => V | undefined; readonly set: (key: K, value: V) => unknown };

/** The value that a map has for a key; made and put there if it has none. */
export const getOrInsert = <K, V>(map: Keeper<K, V>, key: K, make: (key: K) => V): V => {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make(key);
  map.set(key, made);
  return made;
};

/** A function that makes its value at the first call and keeps it. */
export const lazy = <T>(make: () => T): (() => T) => {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
};
