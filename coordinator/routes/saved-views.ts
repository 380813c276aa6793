import { AppError } from "../../shared/errors.ts";
import { savedView } from "../../shared/saved-view.ts";
import { parse } from "../../shared/validation.ts";
import type { Handlers } from "../http/server.ts";
import type { Farm } from "../work/farm.ts";

const mostViews = 500;

export const savedViewHandlers = (farm: Farm): Pick<Handlers, "listViews" | "putView" | "deleteView"> => {
  const { savedViews } = farm.stores;
  return {
    listViews: () => ({ items: savedViews.all() }),
    putView: async (args) => {
      const view = parse(savedView, { page: args.page, name: args.name, search: args.search }, "");
      await farm.change(() => {
        if (savedViews.count() >= mostViews)
          throw new AppError("CONFLICT", `There are ${mostViews} saved views already: delete one first`);
        savedViews.put(view);
      });
      return view;
    },
    deleteView: async ({ page, name }) => {
      if (!(await farm.change(() => savedViews.remove(page, name))))
        throw new AppError("NOT_FOUND", `There is no view "${name}" of ${page}`);
      return {};
    },
  };
};
