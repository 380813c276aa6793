/** What stands in a heap knows its place there, so that it can be moved or taken out wherever it is. */
export type Placed = { at: number };

export type Heap<T extends Placed> = {
  readonly head: () => T | undefined;
  readonly size: () => number;
  readonly add: (item: T) => void;
  readonly remove: (item: T) => void;
  /** Its order has changed. */
  readonly settle: (item: T) => void;
};

/** Four children a parent: half as many levels to walk as with two, and those that are compared lie side by side. */
const children = 4;

/** A heap by an order that may change while things stand in it. */
export const createHeap = <T extends Placed>(isBefore: (a: T, b: T) => boolean): Heap<T> => {
  const items: T[] = [];

  const put = (item: T, at: number): void => {
    items[at] = item;
    item.at = at;
  };

  const rise = (item: T): void => {
    let { at } = item;
    while (at > 0) {
      const above = Math.floor((at - 1) / children);
      const parent = items[above] as T; // above the last there is always one
      if (!isBefore(item, parent)) break;
      put(parent, at);
      at = above;
    }
    put(item, at);
  };

  const sink = (item: T): void => {
    let { at } = item;
    for (let child = bestChild(at); child && isBefore(child, item); child = bestChild(at)) {
      const below = child.at;
      put(child, at);
      at = below;
    }
    put(item, at);
  };

  const bestChild = (at: number): T | undefined => {
    const first = children * at + 1;
    let best = items[first];
    for (let next = first + 1; next < first + children && next < items.length; next += 1) {
      const item = items[next] as T; // within the list
      if (best && isBefore(item, best)) best = item;
    }
    return best;
  };

  const settle = (item: T): void => {
    rise(item);
    sink(item);
  };

  return {
    head: () => items[0],
    size: () => items.length,
    add: (item) => {
      item.at = items.length;
      items.push(item);
      rise(item);
    },
    remove: (item) => {
      const last = items.pop();
      if (last === undefined || last === item) return;
      put(last, item.at);
      settle(last);
    },
    settle,
  };
};
