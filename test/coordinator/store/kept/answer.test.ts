import { expect, test } from "vitest";
import { keepAnswer } from "../../../../coordinator/store/kept/answer.ts";

/** Answers to questions in the order in which they were asked, given when the test says so. */
const questions = () => {
  const asked: PromiseWithResolvers<number>[] = [];
  const kept = keepAnswer(() => {
    const question = Promise.withResolvers<number>();
    asked.push(question);
    return question.promise;
  });
  return { asked, kept };
};

test("many who ask at a time, and later ones, share one question", async () => {
  const { asked, kept } = questions();
  const both = [kept.get(), kept.get()];
  asked[0]?.resolve(1);
  expect([await Promise.all(both), await kept.get(), asked.length]).toEqual([[1, 1], 1, 1]);
});

test("after a change the store is asked again, and an answer from before it is not kept", async () => {
  const { asked, kept } = questions();
  const before = kept.get();
  kept.forget();
  const after = kept.get();
  asked[1]?.resolve(2);
  asked[0]?.resolve(1);
  expect([await before, await after, await kept.get(), asked.length]).toEqual([1, 2, 2, 2]);
});

test("a failure is told to those who asked, and is not kept", async () => {
  const { asked, kept } = questions();
  const first = kept.get();
  asked[0]?.reject(new Error("no answer"));
  await expect(first).rejects.toThrow("no answer");
  const second = kept.get();
  asked[1]?.resolve(2);
  expect(await second).toBe(2);
});

test("a question of before that fails late takes nothing from a newer answer", async () => {
  const { asked, kept } = questions();
  const before = kept.get();
  kept.forget();
  const after = kept.get();
  asked[1]?.resolve(2);
  asked[0]?.reject(new Error("no answer"));
  await expect(before).rejects.toThrow("no answer");
  expect([await after, await kept.get(), asked.length]).toEqual([2, 2, 2]);
});
