/** The approximate memory use of a JSON value, for limits of caches: the order of magnitude is enough. */
export const estimateBytes = (value: unknown): number => {
  if (typeof value === "string") return 24 + 2 * value.length;
  if (typeof value !== "object" || value === null) return 8;
  let sum = 32;
  for (const each of Object.values(value)) sum += 16 + estimateBytes(each);
  return sum;
};

/** A row without its large columns. */
export const rowWeight = 1000;

/** A map that counts the approximate bytes of its values. */
export class WeighedMap<K, V> extends Map<K, V> {
  #weights = new Map<K, number>();
  #total = 0;

  override set(key: K, value: V, bytes = rowWeight + estimateBytes(value)): this {
    this.#put(key, bytes);
    return super.set(key, value);
  }

  override delete(key: K): boolean {
    this.#put(key, 0);
    return super.delete(key);
  }

  /** Something was added to the value. */
  grow(key: K, bytes: number): void {
    if (this.has(key)) this.#put(key, (this.#weights.get(key) ?? 0) + bytes);
  }

  /** Deletes unused values, the first ones first, until no more than so many bytes are left. */
  trim(most: number, isUnused: (key: K) => boolean): void {
    for (const key of this.keys()) {
      if (this.#total <= most) return;
      if (isUnused(key)) this.delete(key);
    }
  }

  /** Makes it the last one. */
  touch(key: K, value: V): void {
    super.delete(key);
    super.set(key, value);
  }

  #put(key: K, weight: number): void {
    this.#total += weight - (this.#weights.get(key) ?? 0);
    if (weight === 0) this.#weights.delete(key);
    else this.#weights.set(key, weight);
  }
}
