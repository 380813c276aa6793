import type { FarmMount } from "../../../shared/protocol.ts";
import type { SavedView } from "../../../shared/saved-view.ts";
import type { MetaStore, MountStore, PresetStore, SavedViewStore } from "../store.ts";
import type { Connections } from "./connections.ts";
import { createOperation } from "./operation.ts";

export const createMetaStore = ({ writer }: Connections): MetaStore => {
  // Every submission asks for one, and this process is the only one that writes.
  const known = new Map(writer.prepare<[], [key: string, value: string]>("SELECT key, value FROM meta").raw().all());
  const put = writer.prepare(
    "INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value",
  );
  const keep = writer
    .prepare<[string, string], string>(
      "INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = value RETURNING value",
    )
    .pluck();
  const operation = createOperation(writer);
  const write = operation((key: string, value: string) => put.run(key, value));
  const writeOnce = operation((key: string, value: string) => keep.get(key, value));
  return {
    get: async (key) => known.get(key),
    set: async (key, value) => {
      await write(key, value);
      known.set(key, value);
    },
    ensure: async (key, value) => {
      const stored = known.get(key) ?? (await writeOnce(key, value)) ?? value;
      known.set(key, stored);
      return stored;
    },
  };
};

type RawMount = { readonly prefix: string; readonly posix: string | null; readonly win32: string | null };

export const createMountStore = ({ writer }: Connections): MountStore => {
  const rows = writer.prepare<[], RawMount>("SELECT prefix, posix, win32 FROM mounts ORDER BY prefix");
  const clear = writer.prepare("DELETE FROM mounts");
  const insert = writer.prepare("INSERT INTO mounts (prefix, posix, win32) VALUES (?, ?, ?)");
  const all = (): FarmMount[] =>
    rows.all().map(({ prefix, posix, win32 }) => {
      return { prefix, folders: { posix: posix ?? undefined, win32: win32 ?? undefined } };
    });
  return {
    all: async () => all(),
    change: createOperation(writer)((decide) => {
      const mounts = decide(all());
      clear.run();
      for (const { prefix, folders } of mounts) insert.run(prefix, folders.posix ?? null, folders.win32 ?? null);
      return all();
    }),
  };
};

export const createPresetStore = ({ writer, point, reader }: Connections): PresetStore => {
  const operation = createOperation(writer);
  const one = point.prepare<[string], string>("SELECT preset FROM presets WHERE key = ?").pluck();
  const others = writer.prepare<[string], number>("SELECT count(*) FROM presets WHERE key <> ?").pluck();
  const put = writer.prepare(
    `INSERT INTO presets (key, preset, changed) VALUES (?, ?, ?)
     ON CONFLICT (key) DO UPDATE SET preset = excluded.preset, changed = excluded.changed`,
  );
  const remove = writer.prepare("DELETE FROM presets WHERE key = ?");
  return {
    read: async (key) => one.get(key),
    readAll: async () =>
      (await reader.all<{ preset: string }>("SELECT preset FROM presets ORDER BY key", [])).map(({ preset }) => preset),
    put: operation((key, preset, now, most) => {
      if ((others.get(key) ?? 0) >= most) return false;
      put.run(key, preset, now);
      return true;
    }),
    remove: operation((key) => remove.run(key).changes > 0),
  };
};

export const createSavedViewStore = ({ writer, point }: Connections): SavedViewStore => {
  const operation = createOperation(writer);
  const all = point.prepare<[], { page: SavedView["page"]; name: string; search: string }>(
    "SELECT page, name, search FROM saved_views ORDER BY page, name",
  );
  const others = writer
    .prepare<[string, string], number>("SELECT count(*) FROM saved_views WHERE (page, name) <> (?, ?)")
    .pluck();
  const put = writer.prepare(
    `INSERT INTO saved_views (page, name, search) VALUES (?, ?, ?)
     ON CONFLICT (page, name) DO UPDATE SET search = excluded.search`,
  );
  const remove = writer.prepare("DELETE FROM saved_views WHERE page = ? AND name = ?");
  return {
    all: async () => all.all().map(({ search, ...view }) => ({ ...view, search: JSON.parse(search) })),
    put: operation(({ page, name, search }, most) => {
      if ((others.get(page, name) ?? 0) >= most) return false;
      put.run(page, name, JSON.stringify(search));
      return true;
    }),
    remove: operation((page, name) => remove.run(page, name).changes > 0),
  };
};
