import { TaskError } from "../shared/causes.ts";
import { maxMessageBytes } from "../shared/protocol.ts";
import type { Intent } from "../shared/work.ts";

/** So few are always short enough. */
const fewFiles = 1000;

/**
 * A commit and a report name every file, each in one message: half of one leaves room for all else. What would not fit
 * is refused before anyone is asked, since the door closes on a longer message, again and again.
 */
export const refuseLongIntent = (intent: Intent, limit = maxMessageBytes / 2): Intent => {
  const { files } = intent;
  if (files.length <= fewFiles || Buffer.byteLength(JSON.stringify(intent)) <= limit) return intent;
  const advice = "split the job into several, or choose a shorter folder name";
  throw new TaskError("definition", `${files.length} files are too many for one task to publish: ${advice}`);
};
