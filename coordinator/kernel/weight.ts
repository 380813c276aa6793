/** The approximate memory use of a JSON value, for limits of caches: the order of magnitude is enough. */
export const weightOf = (value: unknown): number => {
  if (typeof value === "string") return 24 + 2 * value.length;
  if (typeof value !== "object" || value === null) return 8;
  let sum = 32;
  for (const each of Object.values(value)) sum += 16 + weightOf(each);
  return sum;
};

/** A row without its large columns. */
export const rowWeight = 1000;

/** A map that counts the approximate bytes of its values. */
export class WeighedMap<K, V> extends Map<K, V> {
  #weights = new Map<K, number>();
  #total = 0;

  get weight(): number {
    return this.#total;
  }

  override set(key: K, value: V): this {
    this.#put(key, rowWeight + weightOf(value));
    return super.set(key, value);
  }

  override delete(key: K): boolean {
    this.#put(key, 0);
    return super.delete(key);
  }

  #put(key: K, weight: number): void {
    this.#total += weight - (this.#weights.get(key) ?? 0);
    if (weight === 0) this.#weights.delete(key);
    else this.#weights.set(key, weight);
  }
}
