import { expect, test } from "vitest";
import { lendingText, whoseWords } from "../../../renderer/language/lending.ts";

const inUse = { state: "inUse", why: "In use. Lending starts after 5 min without mouse or key" } as const;

test("English pages keep the agent's own sentence, which says more", () => {
  expect(lendingText(inUse, "en")).toBe(inUse.why);
});

test("pages of other languages say the state of lending, and nothing of the agent's English", () => {
  expect(lendingText(inUse, "de")).toBe("In use by its owner");
});

test("below the heading that says it is in use, the name comes first", () => {
  const by = (why: string) => whoseWords({ state: "inUse", why }, "en");
  expect(by("In use by Lea. Lends again after 5 min away.")).toBe("Lea. Lends again after 5 min away.");
  expect([by(inUse.why), whoseWords(inUse, "de")]).toEqual([inUse.why, "In use by its owner"]);
});
