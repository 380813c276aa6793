import type { UiJob } from "../../shared/api/job-view.ts";

/** Unnamed elements and tasks are called "JOB - element": on the job's own page the element's part is enough. */
export const withShortNames = (view: UiJob): UiJob => {
  const prefix = `${view.info.name} - `;
  const shorten = <Named extends { readonly name: string }>(named: Named): Named =>
    named.name.length > prefix.length && named.name.startsWith(prefix)
      ? { ...named, name: named.name.slice(prefix.length) }
      : named;
  return { ...view, elements: view.elements.map(shorten), tasks: view.tasks.map(shorten) };
};
