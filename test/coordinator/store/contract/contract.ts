import type { Store } from "../../../../coordinator/store/store.ts";

/** What every store does, by what it is called. Each fact gets a store without data. */
export type Contract = Readonly<Record<string, (store: Store) => Promise<void>>>;
