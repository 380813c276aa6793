import { describe, expect, test } from "vitest";
import { shareOf } from "../../../coordinator/address-share.ts";
import { forwardedBy, proxiesAmong } from "../../../coordinator/doors/address.ts";
import { type Standing, whoLeaves } from "../../../coordinator/doors/leaving.ts";

const limits = { sockets: 6, strangers: 3, heldBytes: 100 };

const visitor = (share: string, since: number, standing: Standing = "stranger", held = 0) => ({
  ...{ share, since, standing, held },
});

const leaving = (...visitors: ReturnType<typeof visitor>[]) => {
  const strangers = visitors.filter(({ standing }) => standing === "stranger").length;
  const held = visitors.reduce((sum, each) => sum + each.held, 0);
  return whoLeaves(visitors, { sockets: visitors.length, strangers, held }, limits);
};

describe("who leaves", () => {
  test("is nobody while there is room", () => {
    expect(leaving(visitor("a", 1), visitor("a", 2), visitor("a", 3))).toBeUndefined();
  });

  test("is the oldest stranger of the address that has most, not the oldest of all", () => {
    expect(leaving(visitor("b", 1), visitor("a", 3), visitor("a", 2), visitor("a", 4))?.since).toBe(2);
  });

  test("is a stranger before somebody known, and never a node", () => {
    const known = [1, 2, 3, 4].map((since) => visitor("a", since, "known"));
    const nodes = [1, 2, 3, 4, 5, 6, 7].map((since) => visitor("a", since, "node"));
    expect(leaving(...known, visitor("b", 8), visitor("c", 9), visitor("d", 10))?.share).toBe("b");
    expect(leaving(...known, visitor("b", 5, "node"), visitor("b", 6, "node"), visitor("b", 7, "node"))?.since).toBe(1);
    expect(leaving(...nodes)).toBeUndefined();
  });

  test("where greetings take too much memory, is of the address that has sent most", () => {
    expect(leaving(visitor("a", 1, "stranger", 40), visitor("b", 2, "stranger", 70))?.share).toBe("b");
  });
});

test.each([
  ["192.0.2.7", "192.0.2.7"],
  ["::ffff:192.0.2.7", "192.0.2.7"],
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
  ["2001:0db8:1:2::9", "2001:db8:1:2::/64"],
  ["fe80::1%eth0", "fe80:0:0:0::/64"],
  ["::1", "0:0:0:0::/64"],
])("%s counts as %s", (ip, share) => {
  expect(shareOf(ip)).toBe(share);
});

test("only trusted proxies say for whom they speak", () => {
  const isProxy = proxiesAmong(["10.0.0.0/8", "2001:db8::1"]);
  expect(forwardedBy("192.0.2.1", "203.0.113.9", isProxy)).toBe("192.0.2.1");
  expect(forwardedBy("::ffff:10.1.2.3", "198.51.100.1, 203.0.113.9, 10.0.0.2", isProxy)).toBe("203.0.113.9");
  expect(forwardedBy("2001:db8::1", "nonsense", isProxy)).toBe("2001:db8::1");
});
