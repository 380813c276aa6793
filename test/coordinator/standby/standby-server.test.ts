import { expect, test } from "vitest";
import { standbyAnswer } from "../../../coordinator/standby/standby-server.ts";

const leader = "https://one.studio.lan:8700";

test("requests are sent to the leader, with their paths and queries", () => {
  const { status, headers } = standbyAnswer("/v1/jobs?limit=5", leader);
  expect([status, headers]).toEqual([307, { location: `${leader}/v1/jobs?limit=5` }]);
});

test.each([
  ...[
    "//evil.example/x",
    "/\\evil.example",
    "/@evil.example",
    "/.evil.example",
    "/:443@evil.example",
    "/%0d%0aset-cookie:x",
  ],
  ...["/\u2044evil.example", "/?//evil.example", "/#@evil.example", `/${"../".repeat(50)}evil.example`],
])("a path such as %s leads nowhere else", (path) => {
  const { location = "" } = standbyAnswer(path, leader).headers;
  expect(new URL(location).origin).toBe(leader);
});

test.each(["http://evil.example/", "evil.example:80", "*", "", "?x", "@evil.example", "\\\\evil.example"])(
  "%s is no path",
  (url) => {
    expect(standbyAnswer(url, leader)).toMatchObject({ status: 400, headers: {} });
  },
);

test("without a leader it says when to try again; balancers leave it out, and see that it lives", () => {
  expect(standbyAnswer("/v1/jobs", undefined)).toMatchObject({ status: 503, headers: { "retry-after": "2" } });
  expect([standbyAnswer("/readyz", leader).status, standbyAnswer("/healthz", undefined).status]).toEqual([503, 200]);
});
