import { describe, expect, test } from "vitest";
import { addressText, parseAddress } from "../../../shared/outbound/address.ts";
import { kindOf } from "../../../shared/outbound/ranges.ts";
import { type OutboundRule, parseRule, refusalOf, usualRules } from "../../../shared/outbound/rules.ts";

const kindOfText = (text: string) => {
  const address = parseAddress(text);
  return address && `${addressText(address)} ${kindOf(address)}`;
};

describe("an address", () => {
  test.each([
    ["127.0.0.1", "127.0.0.1 loopback"],
    ["2130706433", "127.0.0.1 loopback"],
    ["0x7f000001", "127.0.0.1 loopback"],
    ["0x7f.1", "127.0.0.1 loopback"],
    ["0177.0.0.1", "127.0.0.1 loopback"],
    ["127.1", "127.0.0.1 loopback"],
    ["127.0.0.1.", "127.0.0.1 loopback"],
    ["0", "0.0.0.0 loopback"],
    ["[::]", "0:0:0:0:0:0:0:0 loopback"],
    ["[::1]", "0:0:0:0:0:0:0:1 loopback"],
    ["::ffff:127.0.0.1", "127.0.0.1 loopback"],
    ["::ffff:7f00:1", "127.0.0.1 loopback"],
    ["::127.0.0.1", "127.0.0.1 loopback"],
    ["64:ff9b::10.1.2.3", "10.1.2.3 private"],
    ["2002:7f00:1::", "127.0.0.1 loopback"],
    ["10.255.0.1", "10.255.0.1 private"],
    ["172.31.0.1", "172.31.0.1 private"],
    ["172.32.0.1", "172.32.0.1 public"],
    ["192.168.1.1", "192.168.1.1 private"],
    ["169.254.1.1", "169.254.1.1 link-local"],
    ["fe80::1%eth0", "fe80:0:0:0:0:0:0:1 link-local"],
    ["169.254.169.254", "169.254.169.254 metadata"],
    ["2852039166", "169.254.169.254 metadata"],
    ["0xa9.0xfe.0xa9.0xfe", "169.254.169.254 metadata"],
    ["[::ffff:a9fe:a9fe]", "169.254.169.254 metadata"],
    ["fd00:ec2::254", "fd00:ec2:0:0:0:0:0:254 metadata"],
    ["fc00::1", "fc00:0:0:0:0:0:0:1 private"],
    ["224.0.0.1", "224.0.0.1 multicast"],
    ["255.255.255.255", "255.255.255.255 reserved"],
    ["2001:db8::1", "2001:db8:0:0:0:0:0:1 reserved"],
    ["4000::1", "4000:0:0:0:0:0:0:1 reserved"],
    ["8.8.8.8", "8.8.8.8 public"],
    ["2606:4700::1111", "2606:4700:0:0:0:0:0:1111 public"],
  ])("%s is read as %s", (text, expected) => {
    expect(kindOfText(text)).toBe(expected);
  });

  test.each(["example.com", "256.1.1.1", "1.2.3.4.5", "08.1.1.1", "", "::1::", ":::", "1:2:3", "g::1", "4294967296"])(
    "%s is none",
    (text) => {
      expect(parseAddress(text)).toBeUndefined();
    },
  );
});

const rules = (...texts: string[]): OutboundRule[] =>
  texts.map((text) => {
    const rule = parseRule(text);
    if (!rule) throw new Error(`${text} is no rule`);
    return rule;
  });

const may = (host: string, address: string, port: number, list: readonly OutboundRule[]) =>
  refusalOf({ host, port, address: parseAddress(address) ?? [] }, list) ?? "allowed";

describe("the guard", () => {
  test("lets public addresses through and names what it refuses", () => {
    expect(may("example.com", "93.184.216.34", 443, rules(...usualRules))).toBe("allowed");
    expect(may("2130706433", "2130706433", 80, rules(...usualRules))).toBe(
      "127.0.0.1 is a loopback address, which this node may not reach",
    );
    expect(may("evil.example", "169.254.169.254", 80, rules(...usualRules))).toBe(
      "evil.example (169.254.169.254) is a metadata address, which this node may not reach",
    );
    expect(may("example.com", "93.184.216.34", 443, rules("hooks.studio.lan"))).toBe(
      "example.com (93.184.216.34), port 443, is not among the places that this node may reach",
    );
  });

  test("follows networks, names, domains and ports of the list", () => {
    expect(may("a", "10.1.2.3", 80, rules("10.0.0.0/8"))).toBe("allowed");
    expect(may("a", "11.1.2.3", 80, rules("10.0.0.0/8"))).not.toBe("allowed");
    expect(may("127.0.0.1", "127.0.0.1", 8080, rules("127.0.0.1:8080"))).toBe("allowed");
    expect(may("127.0.0.1", "127.0.0.1", 8081, rules("127.0.0.1:8080"))).not.toBe("allowed");
    expect(may("::1", "::1", 25, rules("[::1]:25"))).toBe("allowed");
    expect(may("Hooks.studio.lan.", "10.1.2.3", 80, rules("hooks.studio.lan"))).toBe("allowed");
    expect(may("a.studio.lan", "10.1.2.3", 80, rules("*.studio.lan"))).toBe("allowed");
    expect(may("studio.lan", "10.1.2.3", 80, rules("*.studio.lan"))).not.toBe("allowed");
    expect(may("evilstudio.lan", "10.1.2.3", 80, rules("*.studio.lan"))).not.toBe("allowed");
  });

  test("opens metadata services to their exact address only", () => {
    expect(may("meta.studio.lan", "169.254.169.254", 80, rules("*.studio.lan", "169.254.0.0/16"))).not.toBe("allowed");
    expect(may("169.254.169.254", "169.254.169.254", 80, rules("169.254.169.254"))).toBe("allowed");
  });

  test.each(["", "10.0.0.0/33", "host:0", "host:70000", "http://x", "2130706433", "0x7f.1", "a b", "*.*.x"])(
    'takes no rule "%s"',
    (text) => {
      expect(parseRule(text)).toBeUndefined();
    },
  );
});
