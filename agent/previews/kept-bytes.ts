/** Keeps what was made last in memory, up to so many bytes in all. */
export const createByteCache = (most: number) => {
  const kept = new Map<string, Uint8Array>();
  let size = 0;
  const drop = (key: string): void => {
    size -= kept.get(key)?.length ?? 0;
    kept.delete(key);
  };
  const put = (key: string, bytes: Uint8Array): void => {
    drop(key);
    kept.set(key, bytes);
    size += bytes.length;
    for (const oldest of kept.keys()) {
      if (size <= most) break;
      drop(oldest);
    }
  };
  return {
    put,
    get: (key: string): Uint8Array | undefined => {
      const bytes = kept.get(key);
      if (bytes) put(key, bytes);
      return bytes;
    },
  };
};
