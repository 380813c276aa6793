import type { Kernel } from "../kernel/kernel.ts";
import type { JobRow } from "../store/rows.ts";
import type { Secrets } from "./secrets.ts";
import { isEqualText } from "./vault.ts";

type Sealing = Pick<Secrets, "vault">;
type Named = Pick<JobRow, "id" | "creation_time">;

/**
 * A key that lets its holder listen to one job and nothing else. It is derived from the job and a secret, not stored.
 */
export const subscriptionKey = ({ vault }: Sealing, { id, creation_time }: Named): string =>
  // Ids may return after a restored backup, times do not.
  `${id}.${vault.mark(`subscription ${id} ${creation_time}`)}`;

/** The key's job; undefined if the key was never issued, or if the job is gone. */
export const findJobByKey = async (farm: Sealing & Pick<Kernel, "store">, key: string): Promise<JobRow | undefined> => {
  const id = /^(\d{1,15})\./.exec(key)?.[1];
  const job = id === undefined ? undefined : await farm.store.load.row("jobs", Number(id));
  return job && isEqualText(key, subscriptionKey(farm, job)) ? job : undefined;
};
