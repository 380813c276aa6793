import type { Clock } from "../../shared/basics/clock.ts";
import type { Update } from "../../shared/desktop/ipc.ts";
import { isNewer, readFeed } from "../releases/update-feed.ts";
import type { Desktop } from "./desktop.ts";

/** How often the feed is read. */
export const checkEveryMs = 6 * 3_600_000;

type UpdatesNeeds = {
  readonly desktop: Pick<Desktop, "version" | "updater">;
  readonly clock: Clock;
  readonly fetch: typeof fetch;
  /** Where the studio hosts updates, and the key that it signs them with. */
  readonly source: () => { readonly feed: string; readonly publicKey: string } | undefined;
  readonly running: () => number;
  /** Stops or resumes starting new tasks. */
  readonly drain: (isWanted: boolean) => void;
  readonly onChange: () => void;
  readonly onProblem: (problem: unknown) => void;
};

/** Finds, checks and fetches new versions; installs one when the user asks and no task is running. It never ends a task. */
export const createUpdates = (needs: UpdatesNeeds) => {
  const { desktop, clock } = needs;
  let update: Update | undefined;
  let stopChecking = () => {};

  const become = (next: Update): void => {
    update = next;
    needs.onChange();
  };

  const check = async (): Promise<void> => {
    const source = needs.source();
    const { updater } = desktop;
    if (!source || !updater || update) return;
    const release = await readFeed({ ...source, fetch: needs.fetch });
    if (!isNewer(release.version, desktop.version)) return;
    become({ version: release.version, step: "downloading" });
    try {
      // It fetches only what the signed manifest names, and compares hashes.
      await updater.download(source.feed, release);
      become({ version: release.version, step: "waiting" });
    } catch (problem) {
      update = undefined;
      needs.onChange();
      throw problem;
    }
  };

  const installIfFree = (): void => {
    if (update?.step === "installing" && needs.running() === 0) desktop.updater?.install();
  };

  return {
    state: (): Update | null => update ?? null,
    start: (): void => {
      const look = () => void check().catch(needs.onProblem);
      stopChecking = clock.every(checkEveryMs, look);
      look();
    },
    check,
    /** Lets running tasks finish first. */
    install: (): void => {
      if (update?.step !== "waiting") return;
      become({ ...update, step: "installing" });
      needs.drain(true);
      installIfFree();
    },
    /** Something changed: the last task may have ended. */
    look: installIfFree,
    stop: (): void => stopChecking(),
  };
};
