import { mkdir } from "node:fs/promises";
import { join } from "node:path";

export type Workdir = {
  readonly path: string;
  readonly attempts: string;
  readonly outbox: string;
  readonly children: string;
  /** Copies of remote files that tasks read. */
  readonly cache: string;
  /** Segments of previews that are being made. */
  readonly previews: string;
  /** Links to what attempts keep open. */
  readonly held: string;
  /** A file: the first-seen keys of SSH hosts. */
  readonly hostKeys: string;
  /** A file: the farm's mounts as last received. */
  readonly mounts: string;
  /** A file: what this computer contributed, day by day. */
  readonly ledger: string;
};

/** The folders of an agent's data, readable only by the user who runs the agent. */
export const openWorkdir = async (dataDir: string): Promise<Workdir> => {
  const folders = {
    path: dataDir,
    attempts: join(dataDir, "attempts"),
    outbox: join(dataDir, "outbox"),
    children: join(dataDir, "children"),
    cache: join(dataDir, "cache"),
  };
  for (const folder of Object.values(folders)) await mkdir(folder, { recursive: true, mode: 0o700 });
  const files = {
    hostKeys: join(dataDir, "host-keys"),
    mounts: join(dataDir, "farm-mounts.json"),
    ledger: join(dataDir, "lent.json"),
  };
  return { ...folders, held: join(dataDir, "held"), previews: join(dataDir, "previews"), ...files };
};
