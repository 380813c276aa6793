import { expect } from "vitest";
import { mostAlertMessages, type NewAlertMessage } from "../../../../coordinator/store/alerts.ts";
import type { AlertContent } from "../../../../shared/outbound/alerts.ts";
import type { Contract } from "./contract.ts";

const content = (n: number): AlertContent => ({
  ...{ counts: [{ kind: "node_lost", is_over: false, n }], notices: [], is_test: false },
});
const message = (channel: string, made: number, nextTry = made): NewAlertMessage => ({
  ...{ channel, made, content: content(made), nextTry },
});

/** What people are told who are not looking. */
export const alerts: Contract = {
  "of what was noticed: it stays until it is replaced or forgotten": async ({ alerts: store }) => {
    expect(await store.state()).toBeUndefined();
    await store.note('{"a":1}', []);
    await store.note(undefined, [message("one", 5)]);
    expect(await store.state()).toBe('{"a":1}');
    await store.note('{"a":"ä\\u0000"}', []);
    expect(await store.state()).toBe('{"a":"ä\\u0000"}');
    await store.note(null, []);
    expect(await store.state()).toBeUndefined();
  },

  "of messages: due by their time, with what came of each try, the newest first in the list": async ({
    alerts: store,
  }) => {
    const [first = 0, second = 0] = await store.note("{}", [message("one", 20), message("two", 10)]);
    const [third = 0] = await store.note("{}", [message("one", 30, 90)]);
    expect(second).toBeGreaterThan(first);
    expect((await store.due(29, 9)).map(({ id }) => id)).toEqual([second, first]);
    expect((await store.due(29, 1)).map(({ id }) => id)).toEqual([second]);
    expect((await store.due(90, 9)).map(({ id }) => id)).toEqual([second, first, third]);
    await store.tried(first, { state: "told", tries: 1, nextTry: null, ended: 21, answer: "thanks" });
    await store.tried(second, { state: "waiting", tries: 1, nextTry: 50, ended: null, answer: "no" });
    await store.tried(4711, { state: "told", tries: 1, nextTry: null, ended: 21, answer: null });
    expect((await store.due(49, 9)).map(({ id }) => id)).toEqual([]);
    const waits = { state: "waiting", ended: null } as const;
    expect(await store.list(9)).toEqual([
      { id: third, channel: "one", made: 30, content: content(30), ...waits, tries: 0, nextTry: 90, answer: null },
      { id: second, channel: "two", made: 10, content: content(10), ...waits, tries: 1, nextTry: 50, answer: "no" },
      {
        ...{ id: first, channel: "one", made: 20, content: content(20), state: "told", tries: 1 },
        ...{ nextTry: null, ended: 21, answer: "thanks" },
      },
    ]);
    expect(await store.list(1)).toHaveLength(1);
  },

  "of messages: old ones that ended are deleted, and ids do not return": async ({ alerts: store }) => {
    const [told = 0, waiting = 0] = await store.note("{}", [message("one", 1), message("one", 2)]);
    await store.tried(told, { state: "told", tries: 1, nextTry: null, ended: 3, answer: null });
    const many = Array.from({ length: mostAlertMessages }, (_, nr) => message("many", 10 + nr));
    const ids = await store.note("{}", many);
    expect(Math.min(...ids)).toBeGreaterThan(waiting);
    const left = new Set((await store.list(2 * mostAlertMessages)).map(({ id }) => id));
    expect([left.has(told), left.has(waiting), left.size]).toEqual([false, true, mostAlertMessages + 1]);
  },
};
