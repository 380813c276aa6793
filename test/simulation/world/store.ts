import type { CoordinatorConfig } from "../../../coordinator/config.ts";
import { type Batch, StoreRefusal } from "../../../coordinator/store/batch.ts";
import { openStore } from "../../../coordinator/store/open-store.ts";
import type { Store } from "../../../coordinator/store/store.ts";
import { AppError } from "../../../shared/basics/errors.ts";
import { here } from "../engine/life.ts";
import { keepAsTemplate } from "../system/database.ts";
import type { Machine } from "./machine.ts";

/** What becomes of a batch: it is written or not, and the coordinator learns of it or not. */
export type Fate = "content" | "disk" | "lost and unknown" | "written and unknown" | "late";

/** What befalls a store at the moment. */
export type StoreTrouble = {
  /** How probable a fate is for each batch. */
  probability: number;
  fates: readonly Fate[];
  /** Milliseconds that an operation takes. */
  operationMs: number;
  /** How probable it is that a question gets no answer, or an operation is not done. */
  refusals: number;
};

/** Batches that follow one refused for its content and are left alone: each of its decisions has one of its own. */
const spared = 100;

export type StoreNeeds = {
  readonly machine: Machine;
  readonly trouble: StoreTrouble;
  /** A batch is durable: called at that moment, and once the coordinator has learned of it. */
  readonly onDurable: (batch: Batch) => void;
  readonly onAnswered: (batch: Batch) => void;
};

/** The store of a coordinator that is alone: SQLite in its data folder. */
export const ownStore = async (config: CoordinatorConfig, needs: StoreNeeds): Promise<Store> => {
  const plain = await openStore(config);
  keepAsTemplate(`${config.dataDir}/farm.db`);
  return slowed(plain, needs);
};

/** Whether a question is not answered; nothing is drawn where none is refused. */
export const refuses = ({ refusals }: StoreTrouble, { random }: Machine): boolean =>
  refusals > 0 && random.chance(refusals);

/** What SQLite's file is like while its disk cannot be read. */
const unreadable = (): AppError => new AppError("UNAVAILABLE", "disk I/O error");

/** A store whose operations take their time; each may be the last thing that the coordinator does. */
const slowed = (store: Store, { machine, trouble, onDurable, onAnswered }: StoreNeeds): Store => {
  let sparing = 0;
  const ms = () => trouble.operationMs * (0.3 + machine.random.fraction());
  const slow = <T>(name: string, part: T): T => {
    if (typeof part === "function") {
      const act = part as (...args: unknown[]) => unknown;
      return ((...args: unknown[]) =>
        here().call(`store ${name}`, ms(), async () => {
          if (refuses(trouble, machine)) throw unreadable();
          return act(...args);
        })) as T;
    }
    if (part === null || typeof part !== "object" || part instanceof AbortSignal) return part;
    const parts = Object.entries(part).map(([key, each]) => [key, slow(key, each)]);
    return Object.fromEntries(parts) as T; // the same keys with functions of the same types
  };
  const { close, ...rest } = store;
  const all = slow("store", rest);
  const write: Store["write"] = async (batch) => {
    sparing -= 1;
    const isMet = trouble.probability > 0 && machine.random.chance(trouble.probability);
    const drawn = isMet ? machine.random.one(trouble.fates) : undefined;
    const fate = drawn === "content" && sparing > 0 ? undefined : drawn;
    if (fate === "content") sparing = spared;
    if (fate) machine.note("fate", fate);
    const delay = fate === "late" ? 20 * ms() : ms();
    await here().call("store write", delay, async () => {
      if (fate === "content" || fate === "disk") throw new StoreRefusal(fate, `refused by the simulation: ${fate}`);
      if (fate !== "lost and unknown") await store.write(batch).then(() => onDurable(batch));
      if (fate?.endsWith("unknown")) throw new StoreRefusal("unknown", "nobody knows what became of it");
      machine.note("batch", `${batch.epoch} ${batch.nr} ${batch.changes.length}`);
    });
    await here().call("store written", ms(), () => onAnswered(batch));
  };
  return { ...all, write, close };
};
