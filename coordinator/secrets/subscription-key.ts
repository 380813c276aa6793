import type { Kernel } from "../kernel/kernel.ts";
import type { JobRow } from "../store/rows.ts";
import type { Secrets } from "./secrets.ts";
import { isEqualText } from "./vault.ts";

type Sealing = Pick<Secrets, "vault">;
type Named = Pick<JobRow, "id" | "creation_time">;

/**
 * A key that lets its holder listen to one job and nothing else, for as long as whoever it was made for may look at that
 * job. It is derived from both and a secret. It is not stored.
 */
export const subscriptionKey = ({ vault }: Sealing, { id, creation_time }: Named, who: string): string =>
  // Ids may return after a restored backup, times do not.
  `${id}.${Buffer.from(who).toString("base64url")}.${vault.mark(`subscription ${id} ${creation_time} ${who}`)}`;

/** The key's job, and for whom it was made; undefined if it was never issued, or if the job is gone. */
export const findJobByKey = async (
  farm: Sealing & Pick<Kernel, "store">,
  key: string,
): Promise<{ readonly job: JobRow; readonly who: string } | undefined> => {
  const [, id, name = ""] = /^(\d{1,15})\.([\w-]{1,200})\./.exec(key) ?? [];
  const job = id === undefined ? undefined : await farm.store.load.row("jobs", Number(id));
  const who = Buffer.from(name, "base64url").toString();
  return job && isEqualText(key, subscriptionKey(farm, job, who)) ? { job, who } : undefined;
};
