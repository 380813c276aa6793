import { expect, test } from "vitest";
import { lendingText } from "../../../renderer/language/lending.ts";

const inUse = { state: "inUse", why: "In use. Lending starts after 5 min without mouse or key" } as const;

test("English pages keep the agent's own sentence, which says more", () => {
  expect(lendingText(inUse, "en")).toBe(inUse.why);
});

test("pages of other languages say the state of lending, and nothing of the agent's English", () => {
  expect(lendingText(inUse, "de")).toBe("In use by its owner");
});
