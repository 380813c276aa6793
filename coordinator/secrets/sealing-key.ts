import { AppError } from "../../shared/basics/errors.ts";
import type { Store } from "../store/store.ts";
import type { Vault } from "./vault.ts";

const recordKey = "sealing_key";

/**
 * Refuses a key other than the one that the store's secrets were encrypted with. The store keeps a mark of the key, which
 * reveals nothing of it; the first start writes that.
 */
export const checkSealingKey = async ({ records }: Pick<Store, "records">, { mark }: Pick<Vault, "mark">) => {
  const own = mark("the key that encrypts secrets");
  const known = await records.get("farm", recordKey);
  const { after } =
    known === undefined ? await records.change("farm", recordKey, (kept) => kept ?? own) : { after: known };
  if (after === own) return;
  throw new AppError(
    "CONFLICT",
    "The key that encrypts secrets is not this farm's: give all coordinators of a farm the same MEDIAFARM_SECRET_KEY, or put the farm's own secret.key back into the data folder",
  );
};
