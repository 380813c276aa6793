import { expect } from "vitest";
import type { Change } from "../../../../coordinator/store/batch.ts";
import { waitingRun } from "../../../../coordinator/store/rows.ts";
import { nobodys } from "../../../../shared/rights/reach.ts";
import type { Published } from "../../../../shared/work/work.ts";
import {
  aDefinition,
  aJobRow,
  aTaskRow,
  changed,
  inserted,
  insertedTask,
  leading,
} from "../../../helpers/farm/batches.ts";
import type { Contract } from "./contract.ts";
import { failure, file, filled, node, work } from "./filled.ts";

const attempt = { counter: 21, epoch: 1, task_id: 3, job_id: 1, node_id: 7, assigned: 300, ended: null } as const;

/** What is kept of rows, and how it comes back. */
export const values: Contract = {
  "whole numbers up to 2^53, as numbers; a file's time with its fraction": async (store) => {
    const lead = await leading(store);
    const high = 2 ** 53 - 9;
    const row = aJobRow(high, { creation_time: 1_790_000_000_123, expiration_time: high });
    const facts = {
      size: high,
      modified: 1_790_000_000_123.25,
      tool: "t",
      facts: { format: "mov" } as never,
      ...{ owner_id: null, owner_group: null, found_by: null },
      found: high,
    };
    await lead.write(
      [...inserted(row), { table: "facts", key: ["file:///a"], before: undefined, after: facts }, aNode],
      { jobs: high },
    );
    expect((await store.load.job(high))?.row).toEqual(row);
    expect(await store.load.row("facts", "file:///a")).toEqual(facts);
    expect([await store.due.toBegin(1), (await store.recall(1)).counters.jobs]).toEqual([
      [{ id: high, priority: 100 }],
      high,
    ]);
    expect((await store.jobs.list({ filters: [], text: String(high), ...byId })).map(({ id }) => id)).toEqual([high]);
  },

  "objects as JSON has them: every character, and their keys in the order in which they were": async (store) => {
    const lead = await leading(store);
    const texts = { message: "\u0000 \ud83d\ude00 ' \\u0000 \" \ud800", z: 1, a: 0.1, n: 1e300, none: null, empty: {} };
    const outputs = { z: [file("z")], long_name: [file("l")], a: [file("a")] };
    const published = { outputs, results: texts } as unknown as Published; // what only its reader knows
    const task = aTaskRow(1, 1, {
      state: "completed",
      purpose: "work",
      published,
      failure: { cause: "media", ...texts },
    });
    await lead.write([...inserted(aJobRow(1)), insertedTask(task, { work: { ...work, outputs: {} } })]);
    const loaded = (await store.load.job(1))?.tasks[0];
    expect(JSON.stringify([loaded?.published, loaded?.failure])).toBe(JSON.stringify([published, task.failure]));
    expect((await store.jobs.outputs(1, 0, 9)).rows.map(({ version, position }) => `${version} ${position}`)).toEqual([
      ...["z 0", "long_name 1", "a 2"],
    ]);
    expect((await store.jobs.files(1)).map(({ version }) => version)).toEqual(["z", "long_name", "a"]);
  },

  "texts as long as they may come, also where they are keys or sorted by": async (store) => {
    const lead = await leading(store);
    // Nothing that could be compressed.
    const long = (nr: number, length: number) =>
      Array.from({ length }, (_, at) => String.fromCodePoint(0x4e00 + ((at * 7919 + nr * 104_729) % 20_000))).join("");
    const [uri, name] = [`file:///${long(1, 16_000)}`, long(2, 2000)];
    const watch = `key:${long(3, 200)}`;
    const facts = {
      size: 1,
      modified: 1,
      tool: "t",
      facts: { format: "mov" } as never,
      found: 1,
      found_by: null,
      ...nobodys,
    };
    const watched = { mark: "m", owner: null, job_id: null, at: 1, problem: null, gone: null };
    const row = aJobRow(1, { name, user_tag: name, owner: long(4, 200), error: long(5, 60_000) });
    await lead.write([
      ...inserted(row, aDefinition({ definition: JSON.stringify({ a: long(6, 200_000) }) })),
      { table: "facts", key: [uri], before: undefined, after: facts },
      { table: "watchedFiles", key: [watch, uri], before: undefined, after: watched },
    ]);
    const gone = { ...watched, gone: 5 };
    await lead.write([{ table: "watchedFiles", key: [watch, uri], before: watched, after: gone }]);
    expect([
      (await store.load.job(1))?.row,
      await store.load.row("facts", uri),
      await store.watches.all(watch),
    ]).toEqual([...[row, facts, [{ ...gone, uri }]]]);
    const filters = [{ field: "name", values: [name] }] as const;
    expect(await store.jobs.list({ filters, sort: "name", order: "desc", skip: 0, take: 9 })).toEqual([row]);
    const twice: Change = { table: "facts", key: [uri], before: undefined, after: facts };
    await expect(lead.write([twice])).rejects.toMatchObject({ kind: "content" });
  },

  "columns that a change does not name stay; one that becomes undefined is empty": async (store) => {
    const lead = await filled(store);
    const before = { ...attempt, state: "running" } as const;
    await lead.write([{ table: "attempts", key: [21], before: undefined, after: before, job: 1, more: { log: "l" } }]);
    const after = { ...before, state: "failed", ended: 400 } as const;
    await lead.write([
      { table: "attempts", key: [21], before, after, job: 1, more: { failure } },
      {
        ...{ table: "tasks", key: [2], job: 1, before: aTaskRow(2, 1, { state: "failed", attempt: 12, failure }) },
        after: aTaskRow(2, 1, { state: "ready", attempt: 12 }),
      },
    ]);
    expect(await store.jobs.logs(3)).toMatchObject([{ counter: 21, state: "failed", ended: 400, log: "l", failure }]);
    expect([(await store.jobs.task(2))?.failure, await store.load.row("works", 2)]).toEqual([undefined, { work }]);
  },

  "warnings as they are now, beside the rest of the definition": async (store) => {
    const lead = await leading(store);
    await lead.write(inserted(aJobRow(1), aDefinition({ definition: '{"b":1}', warnings: ["w"] })));
    await lead.write([{ table: "warnings", key: [1], before: ["w"], after: ["x", "y"], job: 1 }]);
    const made = await store.load.row("definitions", 1);
    expect([made?.definition, made?.warnings, (await store.jobs.outline(1)).warnings]).toEqual([
      ...['{"b":1}', ["x", "y"], ["x", "y"]],
    ]);
    expect(await store.load.job(1)).toMatchObject({ warnings: ["x", "y"] });
  },

  "a row that is removed is gone, one that is not there may be removed, and a removed key comes back": async (
    store,
  ) => {
    const lead = await leading(store);
    const group = (name: string, tag: string) => ({ name, provided_tags: [tag], mandatory_tags: [] });
    const put = (table: "groups" | "limits", name: string, before: unknown, after: unknown) =>
      ({ table, key: [name], before, after }) as Change; // as the caller gives them
    const limit = { tag: "t", most: 3 };
    await lead.write([
      ...["b", "B", "a"].map((name) => put("groups", name, undefined, group(name, "x"))),
      ...[put("limits", "t", undefined, limit), { ...aNode, after: { ...node, group: "b" } } as Change],
    ]);
    await lead.write([
      ...[put("groups", "a", group("a", "x"), group("a", "y")), put("groups", "B", group("B", "x"), undefined)],
      ...[put("limits", "t", limit, undefined), put("limits", "never", limit, undefined)],
    ]);
    const now = await store.recall(1);
    expect([now.groups, now.limits, now.nodes]).toEqual([
      ...[[group("a", "y"), group("b", "x")], [], [{ ...node, group: "b" }]],
    ]);
    await lead.write([put("limits", "t", undefined, limit), put("groups", "B", undefined, group("B", "z"))]);
    const again = await store.recall(1);
    expect([again.limits, again.groups.map(({ name }) => name)]).toEqual([[limit], ["B", "a", "b"]]);
  },

  "what is read is one moment, whatever is written meanwhile": async (store) => {
    const lead = await leading(store);
    const spec = { uid: "src", kind: "source", name: "n", payload: {}, tags: [], priority: 5 };
    const rows = (nr: number) => ({
      job: aJobRow(1, { progress: nr, begun: 1, status: "active" }),
      run: { ...waitingRun({ ...spec, retry: { count: 0, delaySec: 0 } }), state: "running", rounds: nr } as const,
      tasks: [1, 2].map((id) => aTaskRow(id, 1, { retry_nr: nr })),
    });
    const write = (nr: number) => {
      const [was, is] = [nr > 0 ? rows(nr - 1) : undefined, rows(nr)];
      const definition = aDefinition({ elements: [is.run.spec] });
      return lead.write([
        ...(was ? [changed(was.job, is.job)] : inserted(is.job, definition)),
        { table: "runs", key: [1, "src", ""], before: was?.run, after: is.run, job: 1 },
        ...is.tasks.map((task, at): Change => ({ ...insertedTask(task, { work }), before: was?.tasks[at] }) as Change), // same table
      ]);
    };
    await write(0);
    const seen: (readonly number[])[] = [];
    for (let nr = 1; nr < 20; nr += 1) {
      const done = write(nr);
      const [loaded, report, recalled] = await Promise.all([
        store.load.job(1),
        store.jobs.report(1),
        store.recall(9),
        done,
      ]);
      const numbers = [
        loaded?.row.progress,
        loaded?.runs[0]?.rounds,
        ...(loaded?.tasks ?? []).map((each) => each.retry_nr),
      ];
      const reported = [report?.row.progress, ...(report?.tasks ?? []).map((each) => each.retry_nr)];
      for (const each of [numbers, reported, recalled.tasks.map(({ retryNr }) => retryNr)])
        seen.push([...new Set(each)] as number[]);
      expect((await store.load.job(1))?.row.progress).toBe(nr);
    }
    expect(seen.filter((each) => each.length !== 1)).toEqual([]);
  },
};

const byId = { sort: "id", order: "asc", skip: 0, take: 9 } as const;
const aNode: Change = { table: "nodes", key: [7], before: undefined, after: node };
