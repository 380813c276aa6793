import { expect } from "vitest";
import type { WebhookDeliveryRow } from "../../../../coordinator/store/webhooks.ts";
import { insertedDelivery, leading } from "../../../helpers/farm/batches.ts";
import type { Contract } from "./contract.ts";

const message = (nr: number, changes: Partial<WebhookDeliveryRow> = {}): WebhookDeliveryRow => ({
  ...{ epoch: 5, nr, webhook: "one", type: "job.completed", about: "job 1", made: nr, body: `{"ä":"\\u0000${nr}"}` },
  ...{ state: "waiting", since: nr, tries: 0, nextTry: nr, ended: null, status: null, answer: null },
  ...changes,
});
const page = { skip: 0, take: 9 };
const numbers = (rows: readonly WebhookDeliveryRow[]) => rows.map(({ nr }) => nr);

export const webhooks: Contract = {
  "of messages: they come with a batch, and each webhook has its own": async (store) => {
    const { write } = await leading(store);
    const theirs = message(3, { webhook: "two" });
    await write([message(1), message(2), theirs].map(insertedDelivery));
    expect(await store.webhooks.list("one", undefined, page)).toEqual([message(2), message(1)]);
    expect(await store.webhooks.list("one", undefined, { skip: 1, take: 1 })).toEqual([message(1)]);
    expect(await store.webhooks.get("two", theirs)).toEqual(theirs);
    expect(await store.webhooks.get("one", theirs)).toBeUndefined();
  },

  "of messages: a refused batch leaves none": async (store) => {
    const { write } = await leading(store);
    await write([insertedDelivery(message(1))]);
    await expect(write([message(2), message(1)].map(insertedDelivery))).rejects.toThrow();
    expect(numbers(await store.webhooks.list("one", undefined, page))).toEqual([1]);
  },

  "of messages: due by their time, with what came of each try": async (store) => {
    const { write } = await leading(store);
    const late = message(1, { nextTry: 50 });
    await write([late, message(2), message(3), message(4, { webhook: "two" })].map(insertedDelivery));
    expect(numbers(await store.webhooks.due("one", 49, 9))).toEqual([2, 3]);
    expect(numbers(await store.webhooks.due("one", 50, 9))).toEqual([2, 3, 1]);
    expect(numbers(await store.webhooks.due("one", 50, 1))).toEqual([2]);
    const waits = { since: 2, tries: 1, nextTry: 70, ended: null, status: 503, answer: "no" } as const;
    await store.webhooks.tried(message(2), { state: "waiting", ...waits });
    const ended = { since: 3, tries: 1, nextTry: null, ended: 60, status: 204, answer: null } as const;
    await store.webhooks.tried(message(3), { state: "delivered", ...ended });
    await store.webhooks.tried(message(77), { state: "delivered", ...ended });
    expect(numbers(await store.webhooks.due("one", 69, 9))).toEqual([1]);
    expect(await store.webhooks.list("one", "delivered", page)).toEqual([message(3, { state: "delivered", ...ended })]);
    expect(await store.webhooks.list("one", "waiting", page)).toEqual([message(2, waits), late]);
    expect(await store.webhooks.counts("one")).toEqual({ waiting: 2, delivered: 1, given_up: 0 });
    expect(await store.webhooks.counts("none")).toEqual({ waiting: 0, delivered: 0, given_up: 0 });
  },

  "of messages: what ended is sent again, by its name or with all that were given up": async (store) => {
    const { write } = await leading(store);
    const over = { tries: 9, nextTry: null, ended: 8 } as const;
    const rows = [
      message(1, { state: "delivered", ...over }),
      message(2, { state: "given_up", ...over }),
      message(3, { state: "given_up", ...over, webhook: "two" }),
      message(4, { state: "given_up", ...over }),
    ];
    await write(rows.map(insertedDelivery));
    expect(await store.webhooks.sendAgain("one", [message(1), message(3), message(9)], 100)).toBe(1);
    expect(await store.webhooks.get("one", message(1))).toEqual(message(1, { since: 100, nextTry: 100 }));
    expect(await store.webhooks.sendSomeAgain("one", "given_up", 200)).toBe(2);
    expect(await store.webhooks.sendSomeAgain("one", "waiting", 200)).toBe(0); // they are due
    expect(numbers(await store.webhooks.due("one", 200, 9))).toEqual([1, 2, 4]);
    expect(await store.webhooks.counts("two")).toMatchObject({ given_up: 1 });
  },

  "of messages: old ones, those beyond a number, and those of no webhook are deleted": async (store) => {
    const { write } = await leading(store);
    const rows = [1, 2, 3, 4, 5].map((nr) => message(nr, nr < 3 ? { state: "delivered", nextTry: null } : {}));
    await write([...rows, message(6, { webhook: "two" }), message(7, { webhook: "gone" })].map(insertedDelivery));
    expect(await store.webhooks.trim("one", { before: 2, most: 9 })).toEqual({ deleted: 1, lost: 0 });
    expect(await store.webhooks.trim("one", { before: 0, most: 2 })).toEqual({ deleted: 2, lost: 1 });
    expect(numbers(await store.webhooks.list("one", undefined, page))).toEqual([5, 4]);
    await store.webhooks.trimOthers(["one", "two"]);
    expect(await store.webhooks.list("gone", undefined, page)).toEqual([]);
    expect(numbers(await store.webhooks.list("two", undefined, page))).toEqual([6]);
    await store.webhooks.remove("one");
    expect(await store.webhooks.list("one", undefined, page)).toEqual([]);
    await store.webhooks.trimOthers([]);
    expect(await store.webhooks.list("two", undefined, page)).toEqual([]);
  },
};
