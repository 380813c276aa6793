import { AppError } from "../../shared/basics/errors.ts";
import type { Release } from "../releases/update-feed.ts";
import type { Updater } from "./desktop.ts";

/** The part of electron-updater that is used. */
export type AutoUpdater = {
  autoDownload: boolean;
  autoInstallOnAppQuit: boolean;
  setFeedURL(options: { provider: "generic"; url: string }): void;
  checkForUpdates(): Promise<{ updateInfo: { version: string; files: { url: string; sha512: string }[] } } | null>;
  downloadUpdate(): Promise<unknown>;
  quitAndInstall(isSilent: boolean, isForceRunAfter: boolean): void;
};

/** Lets electron-updater fetch and install only what the studio signed: its own feed file is checked against the signed manifest. */
export const createAppUpdater = (load: () => Promise<AutoUpdater>): Updater => {
  let loaded: AutoUpdater | undefined;
  return {
    download: async (feed, release) => {
      loaded = await load();
      loaded.autoDownload = false;
      loaded.autoInstallOnAppQuit = true;
      loaded.setFeedURL({ provider: "generic", url: feed });
      const found = await loaded.checkForUpdates();
      if (!found) throw new AppError("UNAVAILABLE", `The update feed ${feed} names no version`);
      refuseUnsigned(found.updateInfo, release);
      await loaded.downloadUpdate(); // it compares what came with the hash that was just compared
    },
    install: () => loaded?.quitAndInstall(true, true),
  };
};

/** Every file that may be fetched is in the signed release, by name and hash. */
const refuseUnsigned = (
  { version, files }: { version: string; files: readonly { url: string; sha512: string }[] },
  release: Release,
): void => {
  const isSigned = files.every(({ url, sha512 }) =>
    release.files.some((file) => file.name === url && file.sha512 === sha512),
  );
  if (version === release.version && files.length > 0 && isSigned) return;
  throw new AppError(
    "NOT_ALLOWED",
    `The update feed offers files of ${version} that are not signed. Nothing was downloaded`,
  );
};
