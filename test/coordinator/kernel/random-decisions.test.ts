import { expect, test } from "vitest";
import { createCommitter } from "../../../coordinator/kernel/committer.ts";
import { createLoader } from "../../../coordinator/kernel/loader.ts";
import type { Transaction } from "../../../coordinator/kernel/transaction.ts";
import { createValues } from "../../../coordinator/kernel/values.ts";
import { rowWeight } from "../../../coordinator/kernel/weight.ts";
import { type Batch, rowId, StoreRefusal } from "../../../coordinator/store/batch.ts";
import type { FactsRow, JobRow } from "../../../coordinator/store/rows.ts";
import type { Store } from "../../../coordinator/store/store.ts";
import { nobodys } from "../../../shared/rights/reach.ts";
import { createTestClock, turns } from "../../helpers/clock.ts";
import { aJobRow } from "../../helpers/farm/batches.ts";
import { someFacts } from "../../helpers/farm/farm.ts";
import { randomFrom } from "../../helpers/random/random.ts";

const jobIds = [1, 2, 3, 4, 5, 6, 7, 8];
const uris = ["a", "b", "c", "d"];
const decisions = 400;

type Random = ReturnType<typeof randomFrom>;

/** A store that answers late, and refuses batches. */
const aTroubledStore = (random: Random) => {
  const rows = new Map<string, unknown>(jobIds.map((id) => [`jobs ${id}`, aJobRow(id, { name: "" })]));
  let last = 0;
  const read = async <T>(table: "jobs" | "facts", key: number | string): Promise<T | undefined> => {
    const found = rows.get(`${table} ${key}`) as T | undefined;
    await turns(random.chance(0.2) ? random.integer(5, 30) : random.integer(0, 2));
    return found;
  };
  const nothing = {
    schedule: { paused: null, startAfter: null, tags: [] },
    elements: [],
    connections: [],
    warnings: [],
  };
  const load = {
    job: async (id: number) => {
      const row = await read<JobRow>("jobs", id);
      return row && { ...nothing, row, runs: [], tasks: [], moves: [] };
    },
    row: (_: "facts", uri: string) => read<FactsRow>("facts", uri),
  };
  const write = async ({ nr, changes }: Batch): Promise<void> => {
    await turns(random.integer(0, 3));
    expect(nr).toBe(last + 1);
    const fate = random.integer(0, 24);
    if (fate === 0) throw new StoreRefusal("content", "content");
    if (fate === 1) throw new StoreRefusal("disk", "disk");
    if (fate === 2) throw new StoreRefusal("unknown", "not written");
    for (const change of changes) {
      // What a decision was made on is what the store has.
      expect(rows.get(rowId(change)), rowId(change)).toEqual(change.before);
      rows.set(rowId(change), change.after);
    }
    last = nr;
    if (fate === 3) throw new StoreRefusal("unknown", "written");
  };
  /** A batch that was not written uses up its number, as in PostgreSQL, or does not, as in SQLite. */
  const settle = async ({ nr }: Pick<Batch, "nr">) => {
    if (last === nr - 1 && random.integer(0, 1) === 0) last = nr + 1;
    return { epoch: 1, batch: last };
  };
  return { rows, load, write, settle };
};

type Wish = {
  readonly nr: number;
  readonly named: readonly number[];
  readonly late: readonly number[];
  uris: readonly string[];
};

const aWish = (random: Random, nr: number): Wish => {
  const some = <T>(list: readonly T[], most: number): T[] => [
    ...new Set(Array.from({ length: random.integer(0, most) }, () => random.one(list))),
  ];
  return { nr, named: some(jobIds, 3), late: some(jobIds, 1), uris: some(uris, 2) };
};

/** Each decision adds its number to all rows that it is about. */
const act = (draft: Transaction, { nr, named, late, uris }: Wish): void => {
  for (const id of new Set([...named, ...late])) draft.setJob(id, { name: `${draft.job(id).row?.name} ${nr}` });
  for (const uri of uris) {
    const tool = `${draft.facts(uri)?.tool ?? ""} ${nr}`;
    draft.setFacts(uri, { size: 1, modified: 1, tool, facts: someFacts, found: 1, found_by: null, ...nobodys });
  }
};

const numbersIn = (text = ""): number[] => text.split(" ").filter(Boolean).map(Number);

test.each([1, 2, 3, 4, 5, 6, 7, 8])(
  "decisions of random rows with slow loads and refused batches, seed %i: each row's in their order, none lost, memory as the store",
  async (seed) => {
    const random = randomFrom(seed);
    const { rows, load, ...store } = aTroubledStore(random);
    const values = createValues({ jobs: 4 * rowWeight, works: 0, others: 2 * rowWeight });
    const clock = createTestClock();
    const farm = createCommitter({
      ...{
        store,
        values,
        epoch: 1,
        clock,
        load: createLoader({ load: load as unknown as Store["load"], values, clock }),
      }, // only these are loaded
      ...{ complete: () => undefined, applyToIndexes: () => undefined, assignAndBegin: () => false },
      ...{ assignReady: () => undefined, fenced: () => undefined },
    });
    const made = new Set<number>();
    const answers: Promise<void>[] = [];
    const wishes = Array.from({ length: decisions }, (_, nr) => aWish(random, nr + 1));
    for (const wish of wishes) {
      const answer = farm.change(wish.named, (draft) => act(draft, wish));
      answers.push(
        answer.then(
          () => void made.add(wish.nr),
          (problem) => expect(String(problem)).toMatch(/content|disk|not written/),
        ),
      );
      if (random.chance(0.3)) await turns(random.integer(0, 4));
    }
    await farm.settle();
    await Promise.all(answers);

    expect(made.size).toBeGreaterThan(decisions / 4);
    for (const id of jobIds) {
      const [inRow, about] = [
        numbersIn((rows.get(`jobs ${id}`) as JobRow).name),
        wishes.filter(({ nr }) => made.has(nr)),
      ];
      const named = about.filter((wish) => wish.named.includes(id)).map(({ nr }) => nr);
      expect(
        inRow.filter((nr) => named.includes(nr)),
        `job ${id}`,
      ).toEqual(named);
      expect(inRow.toSorted((a, b) => a - b)).toEqual(
        about.filter((wish) => [...wish.named, ...wish.late].includes(id)).map(({ nr }) => nr),
      );
      const known = values.peekJob(id);
      if (known) expect(known.row).toEqual(rows.get(`jobs ${id}`));
    }
    for (const uri of uris) {
      const inRow = numbersIn((rows.get(`facts ${uri}`) as FactsRow | undefined)?.tool);
      expect(inRow.toSorted((a, b) => a - b)).toEqual(
        wishes.filter((each) => made.has(each.nr) && each.uris.includes(uri)).map(({ nr }) => nr),
      );
      if (values.facts.has(uri)) expect(values.facts.get(uri)).toEqual(rows.get(`facts ${uri}`));
    }
  },
);
