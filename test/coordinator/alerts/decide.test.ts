import { expect, test } from "vitest";
import { decideNotices, type Sighting } from "../../../coordinator/alerts/decide.ts";
import { gather, release } from "../../../coordinator/alerts/gather.ts";
import { alertWords } from "../../../coordinator/alerts/language/words.ts";
import { bodyOf, textOf, titleOf } from "../../../coordinator/alerts/letter.ts";
import { isQuiet } from "../../../coordinator/alerts/quiet-hours.ts";
import { afterFailure } from "../../../coordinator/alerts/retries.ts";
import { nothingGathered } from "../../../coordinator/alerts/state.ts";
import { type AlertKind, type AlertSettings, alertLanguages, usualAlerts } from "../../../shared/outbound/alerts.ts";

const night = Date.UTC(2026, 10, 1, 2);
const [second, minute, hour] = [1000, 60_000, 3_600_000];

const sighted = (kind: AlertKind, subject: string, more: Partial<Sighting> = {}): Sighting => ({
  ...{ kind, subject, name: `the ${subject}`, detail: "" },
  ...more,
});
const withRule = (kind: AlertKind, rule: object): AlertSettings => ({
  ...usualAlerts,
  rules: { ...usualAlerts.rules, [kind]: { ...usualAlerts.rules[kind], ...rule } },
});
const decided = (before: object, sightings: readonly Sighting[], settings = usualAlerts) =>
  decideNotices(before as Parameters<typeof decideNotices>[0], sightings, settings, night);
const inShort = ({ notices }: ReturnType<typeof decided>) =>
  notices.map(({ kind, subject, is_over, count }) => `${kind} ${subject} ${is_over ? "over" : "new"} ${count}`);

test("what goes on is told once, and once more when it is over", () => {
  const first = decided({}, [sighted("node_lost", "7"), sighted("disk_low", "farm")]);
  expect(inShort(first)).toEqual(["node_lost 7 new 1", "disk_low farm new 1"]);
  const second = decided(first.open, [sighted("node_lost", "7")]);
  expect(inShort(second)).toEqual(["disk_low farm over 1"]);
  expect(inShort(decided(second.open, []))).toEqual(["node_lost 7 over 1"]);
});

test("a node that was renamed is over under the name by which it was told", () => {
  const { open } = decided({}, [sighted("node_lost", "7", { name: "old" })]);
  const again = decided(open, [sighted("node_lost", "7", { name: "new" })]);
  expect(decided(again.open, []).notices.map(({ name }) => name)).toEqual(["old"]);
});

test("jobs that failed have no end, and many of them are counted", () => {
  const first = decided({}, [sighted("job_failed", "1"), sighted("job_failed", "", { count: 300 })]);
  expect(inShort(first)).toEqual(["job_failed 1 new 1", "job_failed  new 300"]);
  expect(first.open).toEqual({});
});

test("a late job is told once while it is late, and not when it ended", () => {
  const first = decided({}, [sighted("job_late", "1")]);
  expect(inShort(decided(first.open, [sighted("job_late", "1")]))).toEqual([]);
  expect(inShort(decided(first.open, []))).toEqual([]);
});

test("a kind that is off is neither noticed nor over", () => {
  const off = withRule("node_lost", { is_on: false });
  expect(decided({}, [sighted("node_lost", "7")], off)).toEqual({ open: {}, notices: [] });
  const { open } = decided({}, [sighted("node_lost", "7")]);
  expect(decided(open, [], off)).toEqual({ open: {}, notices: [] });
});

const gathered = (sightings: readonly Sighting[], settings = usualAlerts, now = night) =>
  gather(nothingGathered, decided({}, sightings, settings).notices, settings, now);

test("a storm is one message, which names twenty things and counts all", () => {
  const lost = Array.from({ length: 500 }, (_, nr) => sighted("node_lost", String(nr)));
  let waiting = gathered(lost.slice(0, 300));
  expect(release(waiting, usualAlerts, night + 59 * second).content).toBeUndefined();
  waiting = gather(waiting, decided({}, lost.slice(300)).notices, usualAlerts, night + 30 * second);
  const { content, left } = release(waiting, usualAlerts, night + minute);
  expect(content?.counts).toEqual([{ kind: "node_lost", is_over: false, n: 500 }]);
  expect(content?.notices).toHaveLength(20);
  expect(left).toEqual({ ...nothingGathered, last: night + minute });
  if (!content) throw new Error("there is no message");
  expect(titleOf(content)).toBe("500 nodes are lost");
  expect(textOf(content, "https://farm/")).toContain("… and 480 more.");
});

test("what comes after a message waits until the pause is over", () => {
  const waiting = { ...gathered([sighted("disk_low", "farm")]), last: night - minute };
  expect(release(waiting, usualAlerts, night + 8 * minute).content).toBeUndefined();
  expect(release(waiting, usualAlerts, night + 9 * minute).content?.counts).toHaveLength(1);
});

test("a clock that was set back holds no message up", () => {
  const waiting = { ...gathered([sighted("disk_low", "farm")]), last: night };
  expect(release(waiting, usualAlerts, night - 5 * hour).content).toBeDefined();
});

const quiet = { quiet: { from: "22:00", to: "07:00" }, time_zone: "Europe/Vienna" };

test("quiet hours hold a message until they end, and an urgent one goes out", () => {
  const calm = { ...usualAlerts, ...quiet };
  const waiting = gathered([sighted("node_lost", "7")], calm);
  expect(release(waiting, calm, night + hour).content).toBeUndefined();
  expect(release(waiting, calm, Date.UTC(2026, 10, 1, 6)).content).toBeDefined(); // 07:00 in Vienna
  const urgent = { ...withRule("node_lost", { is_urgent: true }), ...quiet };
  expect(release(gathered([sighted("node_lost", "7")], urgent), urgent, night + hour).content).toBeDefined();
});

test.each([
  ["2026-07-01T19:59:00Z", false],
  ["2026-07-01T20:00:00Z", true],
  ["2026-07-02T04:59:00Z", true],
  ["2026-07-02T05:00:00Z", false],
  ["2026-12-01T20:30:00Z", false],
  ["2026-12-01T21:00:00Z", true],
])("quiet from 22 to 7 in Vienna, at %s: %s", (at, is) => {
  expect(isQuiet({ ...quiet }, Date.parse(at))).toBe(is);
});

test("quiet hours within one day", () => {
  const noon = { quiet: { from: "12:00", to: "13:30" }, time_zone: "UTC" };
  const at = (time: string) => isQuiet(noon, Date.parse(`2026-11-01T${time}:00Z`));
  expect([at("11:59"), at("12:00"), at("13:29"), at("13:30"), at("00:00")]).toEqual([false, true, true, false, false]);
});

test("one thing is named in the title, with the page that shows it in the text and the body", () => {
  const { content } = release(
    gathered([
      sighted("job_failed", "12", { name: "Trailer", detail: "no such file" }),
      sighted("backup_failed", "farm", { name: "The farm" }),
    ]),
    usualAlerts,
    night + minute,
  );
  if (!content) throw new Error("there is no message");
  expect(titleOf(content)).toBe("Trailer failed, The farm has no backup");
  expect(textOf(content, "https://farm/")).toBe(
    [
      "Trailer failed, The farm has no backup",
      "",
      "2026-11-01 02:00 UTC  Trailer failed: no such file",
      "    https://farm/#/jobs/12",
      "2026-11-01 02:00 UTC  The farm has no backup",
      "    https://farm/#/farm",
      "",
      "https://farm/",
      "",
    ].join("\n"),
  );
  expect(JSON.parse(bodyOf("key-1", content, "https://farm/"))).toMatchObject({
    ...{ event: "alert", id: "key-1", is_test: false, title: "Trailer failed, The farm has no backup" },
    counts: [
      { kind: "job_failed", is_over: false, n: 1 },
      { kind: "backup_failed", is_over: false, n: 1 },
    ],
    notices: [{ kind: "job_failed", subject: "12" }, { kind: "backup_failed" }],
  });
});

test("a message that does not arrive is tried again more and more rarely, and given up after a day", () => {
  const tries: number[] = [];
  let [row, now] = [{ tries: 0, made: night }, night];
  for (;;) {
    const outcome = afterFailure(row, now, "refused");
    row = { ...row, tries: outcome.tries };
    if (outcome.nextTry === null) {
      expect(outcome).toEqual({ state: "given_up", tries: row.tries, nextTry: null, ended: now, answer: "refused" });
      break;
    }
    tries.push((outcome.nextTry - now) / minute);
    now = outcome.nextTry;
  }
  expect(tries.slice(0, 8)).toEqual([0.5, 1, 2, 5, 15, 30, 60, 60]);
  expect(now - night).toBeGreaterThan(22 * hour);
  expect(now - night).toBeLessThanOrEqual(24 * hour);
});

test.each([
  ["en", "Trailer failed, The coordinator has an almost full disk", "1.0 of 100.0 GiB are free", "UTC"],
  ["de", "Trailer ist fehlgeschlagen, Der Koordinator: die Platte ist fast voll", "1.0 von 100.0 GiB sind frei", "UTC"],
  ["fr", "Trailer a échoué, Le coordinateur : le disque est presque plein", "1.0 Gio libres sur 100.0", "Europe/Paris"],
] as const)(
  "in %s a message says the farm's own words, and those of programs as they are",
  (language, title, room, zone) => {
    const reason = { code: "disk_free", values: { free: "1.0", total: "100.0" } } as const;
    const { content } = release(
      gathered([
        sighted("job_failed", "12", { name: "Trailer", detail: "no such file" }),
        sighted("disk_low", "farm", { name: "The coordinator", detail: "in English", reason }),
      ]),
      usualAlerts,
      night + minute,
    );
    if (!content) throw new Error("there is no message");
    const voice = { language, time_zone: zone };
    expect(titleOf(content, voice)).toBe(title);
    const text = textOf(content, "https://farm/", voice);
    expect(text).toContain(": no such file");
    expect(text).toContain(`: ${room}`);
    expect(text).toContain(zone === "UTC" ? "2026-11-01 02:00 UTC" : "2026-11-01 03:00 Europe/Paris");
    expect(JSON.parse(bodyOf("key", content, "https://farm/", voice))).toMatchObject({ language, title });
  },
);

test("every language has a text with the same values for everything that is told", () => {
  const valuesIn = (words: object): unknown =>
    JSON.parse(JSON.stringify(words), (_, value) =>
      typeof value === "string" ? (value.match(/\{\w+\}/g) ?? []).sort().join() : value,
    );
  for (const language of alertLanguages) expect(valuesIn(alertWords(language))).toEqual(valuesIn(alertWords("en")));
});
