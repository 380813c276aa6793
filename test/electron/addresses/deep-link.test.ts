import { expect, test } from "vitest";
import { addressIn, readDeepLink } from "../../../electron/addresses/deep-link.ts";

test.each([
  ["mediafarm://jobs", { open: "page", hash: "#/jobs" }],
  ["mediafarm://jobs/12", { open: "page", hash: "#/jobs/12" }],
  ["mediafarm://computer/", { open: "page", hash: "#/computer" }],
  ["mediafarm://join?token=mfj1_abc", { open: "join", joinToken: "mfj1_abc" }],
])("%s is understood", (address, link) => {
  expect(readDeepLink(address)).toEqual(link);
});

test.each([
  "mediafarm://reset?code=1",
  "mediafarm://jobs/../people",
  "mediafarm://jobs/12/definition",
  "mediafarm://join",
  "mediafarm:jobs",
  "https://jobs/12",
  "file:///etc/passwd",
  "no address",
  `mediafarm://join?token=${"x".repeat(9000)}`,
])("%s opens nothing", (address) => {
  expect(readDeepLink(address)).toBeUndefined();
});

test("the address is found among the words of a start", () => {
  expect(addressIn(["mediafarm", "--hidden", "mediafarm://jobs"])).toBe("mediafarm://jobs");
  expect(addressIn(["mediafarm", "--hidden"])).toBeUndefined();
});
