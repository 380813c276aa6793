/** An item knows its position in the heap, so that it can be moved or removed. */
export type Placed = { at: number };

/**
 * The item with the lowest key is first. Keys are stored in their own array, so a search touches only keys, not items.
 */
export type Heap<T extends Placed> = { readonly items: T[]; readonly keys: number[] };

export const newHeap = <T extends Placed>(): Heap<T> => ({ items: [], keys: [] });

export const addTo = <T extends Placed>(heap: Heap<T>, item: T, key: number): void => {
  item.at = heap.items.length;
  rise(heap, item, key);
};

export const removeFrom = <T extends Placed>(heap: Heap<T>, item: T): void => {
  const [last, key] = [heap.items.pop(), heap.keys.pop()];
  if (last === undefined || key === undefined || last === item) return;
  last.at = item.at;
  settleIn(heap, last, key);
};

/** The item's key has changed. */
export const settleIn = <T extends Placed>(heap: Heap<T>, item: T, key: number): void => {
  rise(heap, item, key);
  sink(heap, item, key);
};

/** Four children per parent: half as many levels as with two. */
const children = 4;

const rise = <T extends Placed>(heap: Heap<T>, item: T, key: number): void => {
  let { at } = item;
  while (at > 0) {
    const above = Math.floor((at - 1) / children);
    if (keyAt(heap, above) <= key) break;
    move(heap, above, at);
    at = above;
  }
  put(heap, item, key, at);
};

const sink = <T extends Placed>(heap: Heap<T>, item: T, key: number): void => {
  let { at } = item;
  for (let child = lowestChild(heap, at); child > 0 && keyAt(heap, child) < key; child = lowestChild(heap, at)) {
    move(heap, child, at);
    at = child;
  }
  put(heap, item, key, at);
};

/** Its position; 0, which no child can have, if there is no child. */
const lowestChild = <T extends Placed>(heap: Heap<T>, at: number): number => {
  const first = children * at + 1;
  const end = Math.min(first + children, heap.keys.length);
  let lowest = first < end ? first : 0;
  for (let next = first + 1; next < end; next += 1) if (keyAt(heap, next) < keyAt(heap, lowest)) lowest = next;
  return lowest;
};

const keyAt = ({ keys }: Heap<Placed>, at: number): number => keys[at] as number; // callers stay within the heap

const move = <T extends Placed>(heap: Heap<T>, from: number, to: number): void =>
  put(heap, heap.items[from] as T, keyAt(heap, from), to); // callers stay within the heap

const put = <T extends Placed>({ items, keys }: Heap<T>, item: T, key: number, at: number): void => {
  items[at] = item;
  keys[at] = key;
  item.at = at;
};
