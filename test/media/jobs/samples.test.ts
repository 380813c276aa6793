import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parseJob } from "../../../media/jobs/parse-job.ts";
import { resolveDefinitions } from "../../../shared/model/definitions.ts";

/** Job files of the API family, read where they lie. */
const folder = process.env.MEDIAFARM_SAMPLES ?? join(import.meta.dirname, "../../../../shared/samples");
const isThere = existsSync(folder);
const title = `sample jobs${isThere ? "" : ` (skipped: there are none at ${folder}; MEDIAFARM_SAMPLES names another folder)`}`;

/** The one sample that has fields in a place where they do nothing. */
const misplaced: Record<string, string[]> = {
  "feature_examples/packaging/drm_dash_widevine.json": [
    "payload.elements[2].payload.location.segment_duration_sec is not known and has no effect",
    "payload.elements[2].payload.location.force_original_media is not known and has no effect",
  ],
};

describe.skipIf(!isThere)(title, () => {
  const files = isThere
    ? readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".json"))
    : [];
  const read = (name: string) => JSON.parse(readFileSync(join(folder, name), "utf8"));

  test("there are 101 of them", () => {
    expect(files).toHaveLength(101);
  });

  test.each(files)("%s is a valid job", (name) => {
    const job = read(name);
    const spec = parseJob(resolveDefinitions(job));
    expect(spec.elements.map(({ uid }) => uid)).toEqual(job.payload.elements.map(({ uid }: { uid: string }) => uid));
    const unknown = spec.warnings.filter((warning) => warning.includes("is not known and has no effect"));
    expect(unknown).toEqual(misplaced[name] ?? []);
  });
});
