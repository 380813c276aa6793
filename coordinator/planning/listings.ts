import { elementOf } from "../../media/elements/index.ts";
import { filesListed } from "../../media/results/listing.ts";
import type { ListedFile } from "../../shared/files/file-selection.ts";
import type { StepResults } from "../../shared/model/step-result.ts";
import type { Published } from "../../shared/work/work.ts";
import type { Transaction } from "../kernel/transaction.ts";
import { filesAPage, type TaskRow } from "../store/rows.ts";

/** What an enumeration found is stored by the page, once; its task keeps how much it was. */
export const keepListing = (draft: Transaction, task: TaskRow, published: Published): Published => {
  if (!elementOf(task.kind)?.batches) return published;
  const { results = {} } = published;
  const files = filesListed(results);
  if (!files) return published;
  for (let page = 0; page * filesAPage < files.length; page += 1)
    draft.insertListing(task, page, { files: files.slice(page * filesAPage, (page + 1) * filesAPage) });
  const bytes = files.reduce((sum, { size }) => sum + size, 0);
  const [first] = Object.entries(results).filter(([, { kind }]) => kind === "listing");
  const total = first && { [first[0]]: { kind: "listed", value: { files: files.length, bytes } } };
  return { ...published, results: { ...withoutListings(results), ...total } };
};

/** Files from one place of a task's listing to another. */
export const listedFiles = (draft: Transaction, task: number, from: number, to: number): ListedFile[] => {
  const pages = pagesOf(from, to);
  draft.expect({ listings: pages.map((page) => ({ task, page })) });
  return pages.flatMap((page) => {
    const start = page * filesAPage;
    const { files = [] } = draft.listing(task, page) ?? {};
    return files.slice(Math.max(0, from - start), to - start);
  });
};

const pagesOf = (from: number, to: number): number[] => {
  const [first, end] = [Math.floor(from / filesAPage), Math.ceil(to / filesAPage)];
  return Array.from({ length: Math.max(0, end - first) }, (_, index) => first + index);
};

const withoutListings = (results: StepResults): StepResults =>
  Object.fromEntries(Object.entries(results).filter(([, { kind }]) => kind !== "listing"));
