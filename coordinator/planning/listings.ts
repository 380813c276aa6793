import { elementOf } from "../../shared/elements/index.ts";
import type { ListedFile } from "../../shared/file-selection.ts";
import { filesListed } from "../../shared/results/listing.ts";
import type { StepResults } from "../../shared/results/result.ts";
import type { Published } from "../../shared/work.ts";
import type { Draft } from "../memory/draft.ts";
import { filesAPage, type TaskRow } from "../store/rows.ts";

/** What an enumeration found is stored by the page, once; its task keeps how much it was. */
export const keepListing = (draft: Draft, task: TaskRow, published: Published): Published => {
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
export const filesOf = (draft: Draft, task: number, from: number, to: number): ListedFile[] => {
  const found: ListedFile[] = [];
  for (let page = Math.floor(from / filesAPage); page * filesAPage < to; page += 1) {
    const start = page * filesAPage;
    const { files = [] } = draft.listing(task, page) ?? {};
    found.push(...files.slice(Math.max(0, from - start), to - start));
  }
  return found;
};

const withoutListings = (results: StepResults): StepResults =>
  Object.fromEntries(Object.entries(results).filter(([, { kind }]) => kind !== "listing"));
