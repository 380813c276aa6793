import { describe, expect, test } from "vitest";
import { ageFindings } from "../../../cli/doctor/areas/backups.ts";
import { farmClockFinding, futureFinding } from "../../../cli/doctor/areas/clocks.ts";
import { inspectedFinding, spaceFinding } from "../../../cli/doctor/areas/data-folder.ts";
import { certificateFinding } from "../../../cli/doctor/areas/farm.ts";
import { ownFindings } from "../../../cli/doctor/areas/mounts.ts";
import { nodeFindings } from "../../../cli/doctor/areas/nodes.ts";
import { nodeFinding } from "../../../cli/doctor/areas/program.ts";
import { toolFindings } from "../../../cli/doctor/areas/tools.ts";
import type { Finding } from "../../../cli/doctor/finding.ts";
import type { Node } from "../../../shared/model/node.ts";

const now = Date.parse("2026-11-01T12:00:00Z");
const [hourMs, dayMs] = [3_600_000, 86_400_000];
const short = ({ severity, what, words }: Finding): string => `${severity} ${what}: ${words}`;

const aNode = (changes: Partial<Node> = {}): Node => ({
  ...{ id: "1", name: "one", state: "active", presence: "online", tags: [], group: null, slots: 2, running: [] },
  ...{ health: { state: "sound", until: null, why: null }, lending: null, platform: "posix" },
  ...{ machine: { cpu: "a processor", cores: 4, memory: 8e9, os: "Debian" }, version: "0.1.0", clock_offset: 3 },
  ...{ ffmpeg: { version: "7.1", path: "/usr/bin/ffmpeg" }, roots: [], mounts: [] },
  ...{ enrolled: new Date(0).toISOString(), last_seen: new Date(0).toISOString() },
  ...changes,
});

describe("program and tools", () => {
  test("a Node.js that is too old is bad", () => {
    expect(["24.0.0", "25.1.0", "22.9.0"].map((version) => nodeFinding(version).severity)).toEqual(["ok", "ok", "bad"]);
  });

  test("an ffmpeg that lacks a usual encoder works, and its jobs wait elsewhere", () => {
    const tool = { path: "/usr/bin/ffmpeg", version: "7.1", build: "a" };
    const usual = ["libx264", "aac", "libopus", "libmp3lame", "prores_ks", "dnxhd", "h264_nvenc"];
    const capabilities = ["ffmpeg", "filter:scale", ...usual.map((name) => `encoder:${name}`)];
    expect(toolFindings({ ffmpeg: tool, ffprobe: tool, capabilities }).map(short)).toEqual([
      "ok ffmpeg: ffmpeg 7.1 at /usr/bin/ffmpeg",
      "ok ffprobe: ffprobe 7.1 at /usr/bin/ffmpeg",
      "ok packager: No Shaka Packager: jobs with DRM go to other nodes",
      "warn encoders: This ffmpeg lacks libx265: jobs that need them wait for another node",
      "ok hardware encoders: These work: h264_nvenc",
    ]);
  });
});

describe("the data folder", () => {
  test.each([
    [20e9, "ok"],
    [9.9e9, "warn"],
    [0.9e9, "bad"],
  ])("with %d bytes free it is %s", (free, severity) => expect(spaceFinding(free).severity).toBe(severity));

  test("a damaged database is bad, and so is one of a newer version", () => {
    const sound = { problem: undefined, version: 37, newest: 37, bytes: 4e6, how: "copy" } as const;
    expect(
      [sound, { ...sound, problem: "it is damaged: x" }, { ...sound, version: 38 }].map((each) =>
        short(inspectedFinding("/f/farm.db", each)),
      ),
    ).toEqual([
      "ok database: 4.0 MB, version 37; a copy of it was checked page by page",
      "bad database: /f/farm.db: it is damaged: x",
      "bad database: 4.0 MB, version 38; a copy of it was checked page by page. This program knows version 37 at most",
    ]);
  });
});

describe("clocks and certificates", () => {
  test("a clock is told by its distance, and files of the future by their time", () => {
    expect([1000, 6000, -6000].map((ms) => short(farmClockFinding(ms)))).toEqual([
      "ok the farm's clock: It is 1.0 s from this machine's",
      "warn the farm's clock: It is 6.0 s ahead of this machine's",
      "warn the farm's clock: It is 6.0 s behind this machine's",
    ]);
    expect([now - 1, now + 6000].map((written) => futureFinding(written, now).severity)).toEqual(["ok", "warn"]);
  });

  test("a certificate is told 30 days before its end, and is bad after it", () => {
    expect([31, 29, -1].map((days) => certificateFinding(now + days * dayMs, now).severity)).toEqual([
      "ok",
      "warn",
      "bad",
    ]);
  });
});

describe("nodes", () => {
  test("alike and at work they are one line", () => {
    expect(nodeFindings([aNode(), aNode({ id: "2", name: "two" })], "0.1.0").map(short)).toEqual([
      "ok count: 2 of 2 nodes take work",
    ]);
  });

  test("each trouble of a node is a line of its own", () => {
    const until = "2026-11-01T13:00:00.000Z";
    const all = [
      aNode({ presence: "lost" }),
      aNode({ name: "two", health: { state: "quarantined", until, why: "three tasks failed" }, version: "0.0.9" }),
      aNode({ name: "three", state: "pending", clock_offset: -61_000 }),
      aNode({
        name: "four",
        state: "paused",
        ffmpeg: { version: "5.1", path: "/x" },
        version: null,
        clock_offset: null,
      }),
    ];
    expect(nodeFindings(all, "0.1.0").map(short)).toEqual([
      "bad count: 0 of 4 nodes take work",
      "warn node one: one has been silent since 1970-01-01T00:00:00.000Z",
      `warn node two: two gets no work until ${until}: three tasks failed`,
      "warn node two: two runs Mediafarm 0.0.9, this is 0.1.0",
      "warn node three: three waits for approval",
      "warn node three: The clock of three was -61.0 s from the farm's when it connected",
      "warn ffmpeg: Nodes have different versions of ffmpeg: 7.1 on one, two, three; 5.1 on four",
    ]);
  });

  test("a farm without nodes is told", () =>
    expect(nodeFindings([], "0.1.0").map((each) => each.severity)).toEqual(["warn"]));
});

describe("mounts", () => {
  test.each([
    ["/srv/farm", "bad"],
    ["/srv/farm/coordinator", "bad"],
    ["/srv", "warn"],
    ["/srv/farm-media", undefined],
    ["/srv/farm/../media", undefined],
  ])("a root %s beside the data folder /srv/farm is %s", (root, severity) => {
    expect(ownFindings(aNode({ roots: [root] }), "/srv/farm").map((each) => each.severity)).toEqual(
      severity === undefined ? [] : [severity],
    );
  });
});

describe("backups", () => {
  const view = {
    folder: "/backups",
    schedule: { everyHours: 24, keep: 14 },
    is_running: false,
    items: [],
    failure: null,
  };
  const made = (hours: number, problem: string | null = null) => {
    const at = new Date(now - hours * hourMs).toISOString();
    return { name: "a", made: at, bytes: 1, tried: at, problem };
  };
  test.each([
    ["no folder", { folder: null }, ["warn schedule"]],
    ["none yet", {}, ["warn newest"]],
    ["a fresh one", { items: [made(20)] }, ["ok newest"]],
    ["one that broke", { items: [made(1), made(25, "a is damaged")] }, ["bad damaged", "ok newest"]],
    ["one that is two turns old", { items: [made(49)] }, ["bad newest"]],
    [
      "a try that failed",
      { items: [made(3)], failure: { at: made(1).made, message: "disk full" } },
      ["bad last try", "ok newest"],
    ],
  ])("%s", (_, changes, wanted) => {
    expect(ageFindings({ ...view, ...changes }, now).map(({ severity, what }) => `${severity} ${what}`)).toEqual(
      wanted,
    );
  });
});
