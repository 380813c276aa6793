import { AppError } from "../../shared/basics/errors.ts";
import { parse } from "../../shared/basics/validation.ts";
import { savedView } from "../../shared/people/saved-view.ts";
import type { Handlers } from "../http/server.ts";
import type { Kernel } from "../kernel/kernel.ts";
import type { Others } from "../store/records.ts";

const mostViews = 500;
/** Of one program or person, so that nobody takes up the room of all. */
const mostOwn = 100;

export const savedViewHandlers = ({ store: { records } }: Pick<Kernel, "store">) =>
  ({
    listViews: async () => ({
      items: (await records.all("view")).map(({ value }) => savedView.parse(JSON.parse(value))),
    }),
    putView: async (args, { who }) => {
      const view = parse(savedView, { page: args.page, name: args.name, search: args.search }, "");
      const decide = (stored: string | undefined, { all, own }: Others): string => {
        if (stored === undefined && own >= mostOwn)
          throw new AppError("CONFLICT", `You saved ${own} views, which is the limit: delete one first`);
        if (stored === undefined && all >= mostViews)
          throw new AppError("CONFLICT", `There are ${mostViews} saved views already: delete one first`);
        return JSON.stringify(view);
      };
      await records.change("view", keyOf(view), decide, who);
      return view;
    },
    deleteView: async ({ page, name }) => {
      const { before } = await records.change("view", keyOf({ page, name }), () => undefined);
      if (before === undefined) throw new AppError("NOT_FOUND", `There is no view "${name}" of ${page}`);
      return {};
    },
  }) satisfies Partial<Handlers>;

/** Names of pages contain no slashes. */
const keyOf = ({ page, name }: { readonly page: string; readonly name: string }): string => `${page}/${name}`;
