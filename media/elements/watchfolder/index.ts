import { lacksRegex, selectionOf } from "../../../shared/files/file-selection.ts";
import { folderUri } from "../../../shared/files/location.ts";
import type { Watch } from "../../../shared/work/work.ts";
import { defineElement } from "../element.ts";
import { onlyRead } from "../read-only-settings.ts";
import { childJob, type Parent } from "./child.ts";
import { type WatchfolderPayload, watchfolderPayload } from "./schema.ts";

/** Watches a folder until it is stopped: each file that comes to lie there begins a child job. It performs no steps. */
export const watchfolder = defineElement<WatchfolderPayload, Watch>({
  kind: "watchfolder",
  title: "Watchfolder",
  payload: watchfolderPayload,
  conflicts: ({ source, settings }) => [
    ...(lacksRegex(settings)
      ? [{ path: ["settings", "regex"], message: "is required when pattern_matching is regex", isStrict: true }]
      : []),
    ...(settings.key !== undefined && settings.watch_items_persistence === "untracked"
      ? [{ path: ["settings", "key"], message: "untracked files are remembered by no key", isStrict: false }]
      : []),
    ...onlyRead(source, ["source"], "a watched folder is only read"),
  ],
  childJob: (job, uid, fileUri) => childJob(job as Parent, uid, fileUri), // it was parsed when it was accepted
  plan: ({ uid, payload }) => {
    const detail = watchOf(payload);
    return { tasks: [{ uid, name: `watch ${detail.folder}`, requires: [], weight: "light", detail }] };
  },
  compile: ({ detail }) => ({ assets: {}, outputs: {}, steps: [], watch: detail }),
});

const watchOf = ({ source, settings }: WatchfolderPayload): Watch => {
  const { key, watch_items_persistence, interval_sec, process_existing_files } = settings;
  const isTracked = watch_items_persistence === "tracked";
  return {
    folder: folderUri(source, undefined, "source"),
    selection: selectionOf(settings),
    intervalSec: interval_sec,
    takesExisting: process_existing_files,
    isTracked,
    ...(isTracked && key !== undefined && { key }),
  };
};
