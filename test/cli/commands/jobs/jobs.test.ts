import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { takeReport } from "../../../../coordinator/attempts/report.ts";
import { turns } from "../../../helpers/clock.ts";
import { openTestCoordinator } from "../../../helpers/farm/coordinator.ts";
import { aProfile, aRecordingConnection, aReport, aSmallJob, enrol } from "../../../helpers/farm/farm.ts";
import { aWorldPerTest } from "../../../helpers/farm/worlds.ts";
import { commandEnv, documentsOf, runHere } from "../../../helpers/processes/cli.ts";

const farm = aWorldPerTest({ open: openTestCoordinator, close: ({ coordinator }) => coordinator.close() });

const run = (words: string[], more: Parameters<typeof runHere>[1] = {}) =>
  runHere(words, { ...more, env: { ...commandEnv(farm()), ...more.env }, clock: farm().clock });
const json = async (...words: string[]) => {
  const { status, stdout, stderr } = await run([...words, "--json"]);
  return { status, documents: documentsOf(stdout), stderr };
};
const submit = async (name = "a job", more: object = {}) => {
  const { stdout } = await run(["submit", "-"], { stdin: JSON.stringify(aSmallJob({ name, ...more })) });
  return JSON.parse(stdout).id as string; // the contract of submit
};

/** A node that is connected and does nothing by itself. */
const aNode = async () => {
  const { farm: inner } = farm().coordinator;
  const row = await enrol(inner, aProfile({ tags: ["gpu"] }));
  const { heard, connection } = aRecordingConnection();
  inner.registry.connect(row, connection, farm().clock.monotonic());
  return { id: String(row.id), heard };
};

describe("submit", () => {
  test("prints the id of a job from a file or from standard input, also one with a byte order mark", async () => {
    const file = join(farm().folder, "job.json");
    writeFileSync(file, `\uFEFF${JSON.stringify(aSmallJob())}`);
    expect(await run(["submit", file])).toEqual({ status: 0, stdout: '{"id":"1"}\n', stderr: "" });
    expect(await submit()).toBe("2");
  });

  test.each([
    ["nothing.json", "nothing.json cannot be read"],
    ["-", "standard input is not JSON"],
  ])("of %s ends with 1 and one sentence", async (file, words) => {
    const { status, stdout, stderr } = await run(["submit", file], { stdin: "{" });
    expect([status, stdout, stderr]).toEqual([1, "", expect.stringContaining(words)]);
  });

  test("of a job that is refused names the field", async () => {
    const stdin = JSON.stringify({ name: "x", payload: { elements: [{ uid: "a", kind: "transmogrify" }] } });
    const { status, stderr } = await run(["submit", "-"], { stdin });
    expect([status, stderr]).toEqual([1, expect.stringContaining("payload.elements[0].kind")]);
  });

  test("Ctrl-C while waiting leaves the job where it is and says how to watch it", async () => {
    const stdin = JSON.stringify(aSmallJob());
    const { status, stdout, stderr } = await run(["submit", "-", "--wait", "--json"], {
      stdin,
      signal: AbortSignal.abort(),
    });
    expect([status, documentsOf(stdout)]).toEqual([130, [{ id: "1" }]]);
    expect(stderr).toContain("Job 1 continues. Watch it: mediafarm job 1 --wait");
    expect((await json("job", "1")).documents).toMatchObject([{ job: { status: "queued" } }]);
  });
});

describe("jobs", () => {
  test("lists newest first, a document a line with --json", async () => {
    await submit("one");
    await submit("two");
    const { documents } = await json("jobs");
    expect(documents.map(({ id, name }) => `${id} ${name}`)).toEqual(["2 two", "1 one"]);
    const { stdout } = await run(["jobs"]);
    expect(stdout.split("\n")[0]).toMatch(/^ID\s+STATE\s+DONE\s+PRIO\s+OWNER\s+SUBMITTED\s+TOOK\s+NAME\s+ERROR$/);
    expect(stdout).toMatch(/ 2 {2}○ Queued .* command line .*two/);
  });

  test("filters by status and name, and takes as many as it is told, also more than a page", async () => {
    const insert = (index: number) => farm().api("POST", "/jobs", { body: aSmallJob({ name: `job ${index % 2}` }) });
    await Promise.all(Array.from({ length: 30 }, (_, index) => insert(index)));
    await run(["stop", "7"]);
    expect((await json("jobs", "--status", "failed")).documents.map(({ id }) => id)).toEqual(["7"]);
    expect((await json("jobs", "--name", "job 1", "--take", "100")).documents).toHaveLength(15);
    expect((await json("jobs")).documents).toHaveLength(20);
    expect((await json("jobs", "--take", "0")).documents).toEqual([]);
    expect(
      (await json("jobs", "--status", "failed", "--status", "queued", "--take", "1000000")).documents,
    ).toHaveLength(30);
  });

  test("says on stderr that there is nothing", async () => {
    expect(await run(["jobs"])).toMatchObject({
      status: 0,
      stdout: "",
      stderr: expect.stringContaining("no jobs yet"),
    });
    expect((await json("jobs")).documents).toEqual([]);
  });

  test("no line is wider than the terminal, and colours are only there", async () => {
    await submit(`${"שלום 日本語 ".repeat(10)}\x1b[31mred`);
    const { stdout } = await run(["jobs"], { terminal: 70 });
    expect(stdout).toContain("…");
    expect(stdout).toContain("\x1b[90m○ Queued");
    expect(stdout).not.toContain("\x1b[31m");
    expect((await run(["jobs"], { terminal: 70, env: { NO_COLOR: "1" } })).stdout).not.toContain("\x1b");
    const piped = (await run(["jobs"])).stdout;
    expect(piped).toContain("日本語 [31mred");
    expect([piped.includes("…"), piped.includes("\x1b")]).toEqual([false, false]);
  });
});

describe("job", () => {
  test("shows elements and tasks, what went wrong with its advice, and where to look", async () => {
    const node = await aNode();
    const id = await submit("trouble", { payload: twoElements });
    while (node.heard.length === 0) await turns();
    const [assigned] = node.heard;
    if (assigned?.type !== "assign") throw new Error("nothing was assigned");
    const report = aReport(assigned.assignment, {
      outcome: { outcome: "failed", failure: { cause: "storage", message: "the disk is full" } },
      stats: { wallMs: 2500, cpuMs: 4000, peakMemory: 52_428_800 },
      log: "$ probe\nno room\n",
    });
    await takeReport(farm().coordinator.farm, 1, report);

    const { documents } = await json("job", id);
    expect(documents).toMatchObject([
      {
        job: { id, status: "failed" },
        elements: [
          { uid: "src", kind: "source", tasks: [{ status: "failed" }] },
          { uid: "copy", kind: "copy", tasks: [] },
        ],
        outputs: [],
        errors: [{ cause: "storage", message: "the disk is full", advice: expect.stringContaining("free space") }],
      },
    ]);
    const { stdout } = await run(["job", id]);
    expect(stdout).toContain("Job 1: trouble\n✕ Failed");
    expect(stdout).toMatch(/src +source +✕ Failed +0 % +\d+ s +4 s +50 MB +1 +1 +trouble - src/);
    expect(stdout).toMatch(/copy {5}copy {4}» Not taken/);
    expect(stdout).toContain(
      "Task 1, storage: the disk is full\n    Check the folder, its permissions and free space.",
    );
    expect(stdout).toContain("Tool output: mediafarm logs 1");

    const logs = await run(["logs", "1"]);
    expect(logs.stdout).toMatch(
      /^== Attempt 1 on n1, begun .*, failed .*\n\$ probe\nno room\nIt took 2.5 s, processor 4.0 s, memory 53 MB at most\nIt failed, storage: the disk is full\n$/,
    );
    expect((await json("logs", "1", "--follow")).documents).toMatchObject([
      {
        task_id: "1",
        cost: { wall_ms: 2500, cpu_ms: 4000, peak_memory: 52_428_800 },
        failure: { cause: "storage", message: "the disk is full", command: null, exit_code: null },
        log: "$ probe\nno room\n",
      },
    ]);
  });

  test("without an attempt has no log, and is not said to begin once it has failed", async () => {
    const id = await submit();
    expect((await run(["logs", "1"])).stderr).toContain("has not begun yet");
    await run(["stop", id]);
    expect((await run(["logs", "1"])).stderr).toMatch(
      /^Task 1 \(.*\) failed before any attempt began: "mediafarm job 1" says why\n$/,
    );
  });

  test("a uid out of a placeholder is shown by its tasks", async () => {
    await aNode();
    const id = await submit("x", {
      definitions: { uid: "filled" },
      payload: { elements: [{ ...twoElements.elements[0], uid: "{{uid}}" }] },
    });
    expect((await json("job", id)).documents).toMatchObject([{ elements: [{ uid: "filled", tasks: [{}] }] }]);
  });

  test("that is not there ends with 1", async () => {
    expect(await json("job", "77")).toMatchObject({ status: 1, documents: [], stderr: "There is no job 77\n" });
    expect((await json("logs", "77")).status).toBe(1);
    expect((await json("stop", "77")).status).toBe(1);
  });

  test("--wait ends with 1 where the job failed", async () => {
    const id = await submit();
    await run(["stop", id]);
    expect((await run(["job", id, "--wait"])).status).toBe(1);
  });
});

test("stop says what became of the job", async () => {
  const id = await submit();
  expect((await json("stop", id)).documents).toEqual([{ id, status: "failed", substatus: "stopped" }]);
  expect((await run(["stop", id])).stdout).toBe("Job 1 is stopped\n");
});

test("delete takes several, and ends with 1 where one was not there", async () => {
  await submit();
  await submit();
  expect(await json("delete", "1", "2")).toMatchObject({
    status: 0,
    documents: [{ id: "1", deleted: true }, { id: "2" }],
  });
  await submit();
  const { status, documents } = await json("delete", "3", "99", "nonsense", "3");
  expect([status, documents]).toEqual([
    1,
    [
      { id: "3", deleted: true },
      { id: "99", deleted: false },
      { id: "nonsense", deleted: false },
    ],
  ]);
});

test("nodes shows what each runs, node changes one", async () => {
  expect((await run(["nodes"])).stderr).toContain("no nodes yet");
  const { id } = await aNode();
  await submit();
  const [node] = (await json("nodes")).documents;
  expect(node).toMatchObject({ id, name: "n1", presence: "online", running: [{ job_id: "1" }] });
  expect((await run(["nodes"])).stdout).toMatch(
    / 1 {2}n1 +▶ Working +online +active +1\/2 +gpu +a job - src \(job 1\) 0 %/,
  );
  const changed = await json("node", id, "--state", "drain", "--tags", "a, b", "--slots", "4");
  expect(changed.documents).toMatchObject([{ state: "drain", tags: ["a", "b"], slots: 4 }]);
  expect((await run(["node", id])).stdout).toMatch(
    /↧ Draining[\s\S]*Folders +\/media, \/out[\s\S]*Joined +\d+ s ago\nLast heard +\d+ s ago/,
  );
  expect((await json("node", "77")).status).toBe(1);
});

test("mounts are set by flavour, changed in part, listed and taken away", async () => {
  expect((await run(["mounts"])).stderr).toContain("The farm has no mounts");
  await run(["mounts", "set", "s3://b/=/mnt/b", "s3://b=Z:\\b", "s3://c=\\\\server\\c"]);
  const both = { prefix: "s3://b", folders: { posix: "/mnt/b", win32: "Z:\\b" } };
  const share = { prefix: "s3://c", folders: { win32: "\\\\server\\c" } };
  expect((await json("mounts")).documents).toEqual([both, share]);
  expect((await json("mounts", "set", "s3://b=/mnt/other")).documents).toEqual([
    { ...both, folders: { ...both.folders, posix: "/mnt/other" } },
    share,
  ]);
  expect(await json("mounts", "set", "s3://d=relative")).toMatchObject({
    status: 1,
    stderr: expect.stringContaining("must be an absolute path"),
  });
  expect((await json("mounts", "remove", "s3://b//")).documents).toEqual([share]);
  expect(await json("mounts", "remove", "s3://b")).toMatchObject({ status: 1, documents: [] });
});

const twoElements = {
  elements: [
    {
      uid: "src",
      kind: "source",
      payload: { kind: "asset_url", payload: { storage_provider: "file", url: "file:///media/in.mov" } },
    },
    { uid: "copy", kind: "copy", payload: { target: { location: { storage_provider: "file", path: "/out" } } } },
  ],
  connections: [{ from: [{ element: "src" }], to: { success: [{ element: "copy" }] } }],
};
