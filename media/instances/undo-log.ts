/** Records how to undo each change; the last change is undone first. */
export type UndoLog = (undo: () => void) => void;

/** Changes a field. */
export const assign = <T extends object, K extends keyof T>(undo: UndoLog, target: T, key: K, value: T[K]): void => {
  const before = target[key];
  if (before === value) return;
  undo(() => {
    target[key] = before;
  });
  target[key] = value;
};

export const put = <K, V>(undo: UndoLog, map: Map<K, V>, key: K, value: V): void => {
  const before = map.get(key);
  const wasThere = map.has(key);
  undo(() => {
    if (wasThere)
      map.set(key, before as V); // it existed
    else map.delete(key);
  });
  map.set(key, value);
};

export const remove = <K, V>(undo: UndoLog, map: Map<K, V>, key: K): void => {
  const before = map.get(key);
  if (!map.delete(key)) return;
  undo(() => map.set(key, before as V)); // it existed
};
