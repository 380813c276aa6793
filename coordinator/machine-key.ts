import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { hashSecret, isSameText, newSecret } from "./secrets.ts";

/** Where the command line finds a running farm and what opens it, within the coordinator's data folder. */
export const machineFile = "machine.key";

export type MachineKey = ReturnType<typeof createMachineKey>;

/**
 * Whoever can read the data folder may do what an owner may: it holds the database and its key anyway. A key of its own
 * for every start lies there, mode 0600, as long as the coordinator runs.
 */
export const createMachineKey = (folder: string) => {
  const key = newSecret();
  const hash = hashSecret(key);
  const file = join(folder, machineFile);
  return {
    isRight: (text: string): boolean => isSameText(hashSecret(text), hash),
    publish: (url: string): void => {
      rmSync(file, { force: true }); // the mode counts for new files only
      writeFileSync(file, `${JSON.stringify({ url, key, pid: process.pid })}\n`, { mode: 0o600, flag: "wx" });
    },
    withdraw: (): void => rmSync(file, { force: true }),
  };
};
