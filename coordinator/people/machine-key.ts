import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Secret } from "../../shared/basics/secret.ts";
import { hashSecret, isEqualText, newSecret } from "../secrets/vault.ts";

/** The file in the data folder with the address and the key of a running farm, for the command line. */
export const machineFile = "machine.key";

export type MachineKey = ReturnType<typeof createMachineKey>;

/**
 * Whoever can read the data folder has the rights of an owner, because it holds the database and its key anyway. A new
 * key for every start is in that folder, mode 0600, while the coordinator runs.
 */
export const createMachineKey = (folder: string) => {
  const key = newSecret();
  const hash = hashSecret(key);
  const file = join(folder, machineFile);
  return {
    isRight: (given: Secret): boolean => isEqualText(hashSecret(given), hash),
    /** `url` is that of the pages; `loopback` leads there from this machine, if another name might lead elsewhere first. */
    publish: (url: string, { authority, loopback }: { authority?: string; loopback?: string } = {}): void => {
      rmSync(file, { force: true }); // the mode applies only to new files
      const said = { url, loopback, key: key.reveal(), pid: process.pid, authority };
      writeFileSync(file, `${JSON.stringify(said)}\n`, { mode: 0o600, flag: "wx" });
    },
    withdraw: (): void => rmSync(file, { force: true }),
  };
};
