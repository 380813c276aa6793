import type { Db } from "./open.ts";

/** Presets by their keys, as JSON texts. */
export const createPresetStore = ({ writer, point, reader }: Db) => {
  const one = point.prepare<[string], { preset: string }>("SELECT preset FROM presets WHERE key = ?");
  const count = writer.prepare<[string], { n: number }>("SELECT count(*) AS n FROM presets WHERE key <> ?");
  const put = writer.prepare(
    `INSERT INTO presets (key, preset, changed) VALUES (?, ?, ?)
     ON CONFLICT (key) DO UPDATE SET preset = excluded.preset, changed = excluded.changed`,
  );
  const remove = writer.prepare("DELETE FROM presets WHERE key = ?");

  return {
    /** Outside of a commit. */
    read: (key: string): string | undefined => one.get(key)?.preset,
    readAll: async (): Promise<string[]> =>
      (await reader.all<{ preset: string }>("SELECT preset FROM presets ORDER BY key", [])).map((row) => row.preset),
    countOthers: (key: string): number => count.get(key)?.n ?? 0,
    put: (key: string, preset: string, now: number): void => {
      put.run(key, preset, now);
    },
    remove: (key: string): boolean => remove.run(key).changes > 0,
  };
};
