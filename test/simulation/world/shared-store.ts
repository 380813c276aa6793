import { StoreRefusal } from "../../../coordinator/store/batch.ts";
import type { Lease, Store } from "../../../coordinator/store/store.ts";
import { AppError } from "../../../shared/basics/errors.ts";
import { here, type Life } from "../engine/life.ts";
import { type Fate, refuses, type StoreNeeds } from "./store.ts";
import type { Link, StoreServer } from "./store-server.ts";

/** As in `coordinator/store/postgres/`: a new connection, any request, one for the lease. */
const connectMs = 10_000;
const usualMs = 60_000;
const leaseMs = 2000;
/** A commit that is late takes so many times as long, but no longer than this. */
const late = 20;
const longestCommitMs = 3000;

/** Transactions that write, and are refused for whoever led and does no longer. All others read one moment. */
const operations = new Set([
  ...["maintain", "records.change", "audit.add", "trail.add", "sectionFiles.tried", "alerts.note", "alerts.tried"],
  ...["create", "renew", "createUser", "revokeUser", "logIn"].map((name) => `accounts.${name}`),
  ...["extend", "end", "describe"].map((name) => `passes.${name}`),
  ...["insert", "signIn", "renew", "update", "remove", "changeSteps", "enter", "leave"].map((name) => `people.${name}`),
  ...["endSessions", "endVouched", "link", "unlink"].map((name) => `people.${name}`),
  ...["tried", "sendAgain", "sendSomeAgain", "remove", "trim", "trimOthers"].map((name) => `webhooks.${name}`),
]);

type Trip<T> = {
  readonly name: string;
  readonly isLocked?: boolean;
  readonly longestMs?: number;
  /** What whoever asked is told if no answer comes. `isSent`: it may have been done. */
  readonly lost: (isSent: boolean) => unknown;
  readonly times?: number;
  readonly act: (store: Store) => Promise<T>;
};

const unreachable = (): AppError => new AppError("UNAVAILABLE", "The database cannot be used: no answer");
const deposed = (): AppError => new AppError("UNAVAILABLE", "Another coordinator leads this farm now");

/** The store of one of several coordinators: each request goes to the server and back, or is lost on either way. */
export const sharedStore = async (server: StoreServer, needs: StoreNeeds): Promise<Store> => {
  const { machine } = needs;
  const ask = createAsking(server, needs);
  let epoch: number | undefined;
  const fenced = async <T>(store: Store, act: () => Promise<T>): Promise<T> => {
    if (epoch !== undefined && (await store.leading()).epoch !== epoch) throw deposed();
    return act();
  };
  /** The same functions at the other end. */
  const far = (path: string, part: unknown): unknown => {
    if (typeof part === "function") {
      const isLocked = operations.has(path);
      return (...args: unknown[]) => {
        const act = (store: Store) => {
          let found: unknown = store;
          for (const key of path.split(".")) found = (found as Record<string, unknown>)[key]; // it has the same shape
          return (found as (...args: unknown[]) => Promise<unknown>)(...args);
        };
        const done = (store: Store) => (isLocked ? fenced(store, () => act(store)) : act(store));
        return ask({ name: path, isLocked, lost: unreachable, act: done });
      };
    }
    if (part === null || typeof part !== "object" || part instanceof AbortSignal) return part;
    const prefix = path === "" ? "" : `${path}.`;
    return Object.fromEntries(Object.entries(part).map(([key, each]) => [key, far(`${prefix}${key}`, each)]));
  };
  // Its shape alone is used here.
  const shape = await ask({ name: "connect", lost: unreachable, act: async (store) => store });
  const end = new AbortController();
  return {
    ...(far("", shape) as Store), // the same keys with functions of the same types
    lead: (atLeast) =>
      ask({
        ...{ name: "lead", isLocked: true, lost: unreachable },
        act: async (store) => {
          const found = await server.lead(store, atLeast);
          epoch = found.epoch;
          return found;
        },
      }),
    settle: (batch) => ask({ name: "settle", isLocked: true, lost: unreachable, act: (store) => store.settle(batch) }),
    write: createWriting(ask, needs),
    lease: createLease(server, ask),
    closing: end.signal,
    close: async () => {
      end.abort();
      machine.note("closed");
    },
  };
};

type Ask = <T>(trip: Trip<T>) => Promise<T>;

/** Batches have fates of their own, and the lead its own connection. */
const mayRefuse = (name: string): boolean => !/^(write|lead|settle|connect|lease )/.test(name);

/** Puts a request on its way, and waits for its answer. */
const createAsking = (server: StoreServer, { machine, trouble }: StoreNeeds): Ask => {
  const link = server.linkOf(machine.name);
  const ms = () => trouble.operationMs * (0.3 + machine.random.fraction());
  return ({ name, isLocked = false, longestMs = usualMs, lost, times = 1, act }) => {
    const life = here();
    return life.call(`store ${name}`, 0, () => {
      // Where a connection is left, nobody knows that it leads to nothing any more.
      const isNew = link.isStalled() && machine.random.chance(0.5);
      return new Promise((resolve, reject) => {
        let [isOver, isSent] = [false, !isNew];
        const settle = (how: () => void): void => {
          if (isOver) return;
          isOver = true;
          stopWaiting();
          link.waiting.delete(lose);
          life.meet(how);
        };
        const lose = () => settle(() => reject(lost(isSent)));
        const stopWaiting = life.after(isNew ? Math.min(connectMs, longestMs) : longestMs, lose);
        link.waiting.add(lose);
        const send = (): void => {
          if (isOver) return;
          const { atBatch } = link;
          const moreMs = name === "write" ? (atBatch?.() ?? 0) : 0;
          if (moreMs > 0) link.atBatch = undefined;
          link.carry(() => {
            if (isOver) return;
            if (mayRefuse(name) && refuses(trouble, machine)) return link.carry(lose);
            isSent = true;
            server.perform({ isLocked, ms: Math.min(longestCommitMs, times * ms()) }, act).then(
              (value) => link.carry(() => settle(() => resolve(value))),
              (problem) => link.carry(() => settle(() => reject(problem))),
            );
          }, moreMs);
        };
        if (isNew) knock(life, link, send);
        else send();
      });
    });
  };
};

/** A kernel asks again for a connection that nobody answers: after one second, and each time after twice as long. */
const knock = (life: Pick<Life, "after">, link: Link, send: () => void, waitMs = 1000): void => {
  if (waitMs > connectMs) return;
  life.after(waitMs, () => (link.isStalled() ? knock(life, link, send, 2 * waitMs) : send()));
};

const isUnknown = (fate: Fate | undefined): boolean => fate === "lost and unknown" || fate === "written and unknown";

/** Batches that follow one refused for its content and are left alone: each of its decisions has one of its own. */
const spared = 100;

const createWriting = (ask: Ask, { machine, trouble, onDurable, onAnswered }: StoreNeeds): Store["write"] => {
  let sparing = 0;
  const drawFate = (): Fate | undefined => {
    sparing -= 1;
    if (!(trouble.probability > 0 && machine.random.chance(trouble.probability))) return undefined;
    const drawn = machine.random.one(trouble.fates);
    if (drawn === "content" && sparing > 0) return undefined;
    if (drawn === "content") sparing = spared;
    machine.note("fate", drawn);
    return drawn;
  };
  const lost = (isSent: boolean) =>
    new StoreRefusal(isSent ? "unknown" : "disk", "The database cannot be used: no answer");
  return async (batch) => {
    const fate = drawFate();
    const act = async (store: Store): Promise<void> => {
      if (fate === "content" || fate === "disk") throw new StoreRefusal(fate, `refused by the simulation: ${fate}`);
      if (fate === "lost and unknown") throw lost(true);
      await store.write(batch).catch((problem) => {
        machine.note("refused", `batch ${batch.nr} of epoch ${batch.epoch}: ${problem.kind}`);
        throw problem;
      });
      machine.note("batch", `${batch.epoch} ${batch.nr} ${batch.changes.length}`);
      onDurable(batch);
    };
    const times = fate === "late" || isUnknown(fate) ? late : 1;
    // Its connection breaks while the server still commits.
    const longestMs = fate === "written and unknown" ? machine.random.wait(trouble.operationMs * late) : usualMs;
    await ask({ name: "write", isLocked: true, longestMs, lost, times, act });
    await here().call("store written", 0, () => onAnswered(batch));
  };
};

/** On a connection of its own. */
const createLease = ({ lease }: StoreServer, ask: Ask): Lease => {
  const asked =
    <Args extends unknown[], T>(name: string, act: (...args: Args) => Promise<T>) =>
    (...args: Args): Promise<T> =>
      ask({ name: `lease ${name}`, longestMs: leaseMs, lost: unreachable, act: () => act(...args) });
  return {
    take: asked("take", lease.take),
    give: asked("give", lease.give),
    leader: asked("leader", lease.leader),
    wait: asked("wait", lease.wait),
    leave: asked("leave", lease.leave),
    standbys: asked("standbys", lease.standbys),
  };
};
