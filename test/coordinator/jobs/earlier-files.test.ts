import { describe, expect, test } from "vitest";
import { grantCommit } from "../../../coordinator/attempts/report.ts";
import { mostTold, withEarlierFiles, withoutPublished } from "../../../coordinator/jobs/earlier-files.ts";
import { retryJob } from "../../../coordinator/jobs/retry.ts";
import { jobResult } from "../../../coordinator/views/result/result.ts";
import type { Assignment } from "../../../shared/protocol/messages.ts";
import { aConnection, aCopy, aJob, anIntent, aReport, aSource } from "../../helpers/farm/farm.ts";
import { type FakeNode, useFarm } from "../../helpers/farm/farm-story.ts";

const { world, farm, submit, report, restart } = useFarm();
const again = { scope: "all", taskIds: [], replan: undefined } as const;

/** A job whose copy gets another name where its own is taken, up to that copy. */
const toCopy = async (node: FakeNode) => {
  const location = { storage_provider: "file", path: "/out" };
  const copy = aCopy({ payload: { target: { location, existing_files: "rename_new" } } });
  const jobId = await submit(
    aJob({ payload: { elements: [aSource(), copy], connections: [aConnection("src", ["copy"])] } }),
  );
  await report(node, aReport(await node.assigned()));
  return { jobId, copy: await node.assigned() };
};

/** The node publishes its copy as `in.mov`, or under the next name. */
const publish = async (node: FakeNode, copy: Assignment, name: string) => {
  const named = <T>(value: T): T => JSON.parse(JSON.stringify(value).replaceAll("out/in.mov", `out/${name}`));
  const intent = anIntent(copy);
  const files = intent.files.map((file) => ({ ...file, final: named(file.final) }));
  await grantCommit(farm(), node.id, copy.fence, { ...intent, files });
  const told = aReport(copy);
  if (told.outcome.outcome !== "published") throw new Error("it tells of a success");
  const { published } = told.outcome;
  const outputs = named(published.outputs);
  await report(node, { ...told, outcome: { outcome: "published", published: { ...published, outputs } } });
};
const warningsOf = async (jobId: number): Promise<readonly string[]> => {
  const found = await farm().store.jobs.report(jobId);
  return found ? (await jobResult(farm(), found, "somebody")).job.warnings : [];
};

describe("a job that is planned again", () => {
  test("tells the files of its earlier plan by name, in its result and over a restart", async () => {
    const node = await world().node();
    const { jobId, copy } = await toCopy(node);
    await publish(node, copy, "in.mov");
    expect(await warningsOf(jobId)).toEqual([]);
    await retryJob(farm(), jobId, again);
    const told = ["file:///out/in.mov was published by an earlier plan of copy"];
    expect(await warningsOf(jobId)).toEqual(told);
    await report(node, aReport(await node.assigned()));
    await publish(node, await node.assigned(), "in_1.mov");
    expect([world().job(jobId)?.status, await warningsOf(jobId)]).toEqual(["completed", told]);
    await restart();
    expect(await warningsOf(jobId)).toEqual(told);
  });

  test("says nothing of files that it has published again", async () => {
    const node = await world().node();
    const { jobId, copy } = await toCopy(node);
    await publish(node, copy, "in.mov");
    await retryJob(farm(), jobId, again);
    await report(node, aReport(await node.assigned()));
    await publish(node, await node.assigned(), "in.mov");
    expect([world().job(jobId)?.status, await warningsOf(jobId)]).toEqual(["completed", []]);
  });
});

describe("what is told of earlier files", () => {
  const task = (uris: readonly string[], purpose: "work" | "stage" = "work", element_uid = "a") => ({
    ...{ element_uid, path: "", purpose },
    published: { outputs: { out: uris.map((uri) => ({ uri })) }, found: {} },
  });
  const numbered = (most: number) => Array.from({ length: most }, (_, nr) => `file:///${nr}`);

  test("stands in front of the job's other warnings, and counts what is too much", () => {
    const first = withEarlierFiles(["other"], [task(numbered(mostTold + 5))]);
    expect([first.length, first.at(-2), first.at(-1)]).toEqual([
      mostTold + 2,
      "More files that earlier plans published, and that are not named here: 5",
      "other",
    ]);
    expect(
      withEarlierFiles(first, [task(["file:///x"])])
        .at(-2)
        ?.endsWith(": 6"),
    ).toBe(true);
    expect(withEarlierFiles(first, [])).toEqual(first);
  });

  test("names sections of a transcode where they were not combined", () => {
    const lines = withEarlierFiles(
      [],
      [task(["file:///s1"], "stage"), task(["file:///s2"], "stage", "b"), task(["file:///b"], "work", "b")],
    );
    expect(lines.map((line) => line.split(" ")[0])).toEqual(["file:///s1", "file:///b"]);
  });

  test("hides what is secret in an address, and knows it again", () => {
    const secret = task(["ftp://me:word@host/a b.mov"]);
    const [line = ""] = withEarlierFiles([], [secret]);
    expect([line.includes("word"), withoutPublished([line, "other"], [secret])]).toEqual([false, ["other"]]);
  });
});
