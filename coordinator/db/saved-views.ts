import type { SavedView } from "../../shared/saved-view.ts";
import type { Db } from "./open.ts";

/** Views of pages by page and name. */
export const createSavedViewStore = ({ writer, point }: Db) => {
  const all = point.prepare<[], { page: SavedView["page"]; name: string; search: string }>(
    "SELECT page, name, search FROM saved_views ORDER BY page, name",
  );
  const count = writer.prepare<[], { n: number }>("SELECT count(*) AS n FROM saved_views");
  const put = writer.prepare(
    `INSERT INTO saved_views (page, name, search) VALUES (?, ?, ?)
     ON CONFLICT (page, name) DO UPDATE SET search = excluded.search`,
  );
  const remove = writer.prepare("DELETE FROM saved_views WHERE page = ? AND name = ?");
  return {
    /** Outside of a commit. */
    all: (): SavedView[] => all.all().map(({ search, ...view }) => ({ ...view, search: JSON.parse(search) })),
    count: (): number => count.get()?.n ?? 0,
    put: ({ page, name, search }: SavedView): void => {
      put.run(page, name, JSON.stringify(search));
    },
    remove: (page: string, name: string): boolean => remove.run(page, name).changes > 0,
  };
};
