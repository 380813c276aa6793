import { definitionError } from "../../shared/model/failure.ts";
import { maxMessageBytes } from "../../shared/protocol/messages.ts";
import type { Intent } from "../../shared/work/work.ts";

/** So few files always fit. */
const fewFiles = 1000;

/**
 * A commit and a report each name every file in one message, so the files may use half of it. A larger list is refused
 * before the commit is sent, because the coordinator closes the connection on any longer message.
 */
export const refuseLongIntent = (intent: Intent): void => {
  const { files } = intent;
  if (files.length <= fewFiles || Buffer.byteLength(JSON.stringify(intent)) <= maxMessageBytes / 2) return;
  const advice = "split the job into several, or choose a shorter folder name";
  throw definitionError(`${files.length} files are too many for one task to publish: ${advice}`);
};
