import { AppError } from "../../shared/errors.ts";
import { savedView } from "../../shared/saved-view.ts";
import { parse } from "../../shared/validation.ts";
import type { Handlers } from "../http/server.ts";
import type { Farm } from "../work/farm.ts";

const mostViews = 500;

export const savedViewHandlers = (farm: Farm) => {
  const { savedViews } = farm.store;
  return {
    listViews: async () => ({ items: await savedViews.all() }),
    putView: async (args) => {
      const view = parse(savedView, { page: args.page, name: args.name, search: args.search }, "");
      if (!(await savedViews.put(view, mostViews)))
        throw new AppError("CONFLICT", `There are ${mostViews} saved views already: delete one first`);
      return view;
    },
    deleteView: async ({ page, name }) => {
      if (!(await savedViews.remove(page, name)))
        throw new AppError("NOT_FOUND", `There is no view "${name}" of ${page}`);
      return {};
    },
  } satisfies Partial<Handlers>;
};
