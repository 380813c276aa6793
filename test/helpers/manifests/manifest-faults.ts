import { existsSync } from "node:fs";
import { dashFaults } from "./dash-faults.ts";
import { hlsFaults } from "./hls-faults.ts";

/** What is wrong in a manifest and in all of its media; nothing for files of another kind. */
export const manifestFaults = (path: string): string[] => {
  if (!existsSync(path)) return [];
  if (/\.m3u8$/i.test(path)) return hlsFaults(path);
  return /\.mpd$/i.test(path) ? dashFaults(path) : [];
};
