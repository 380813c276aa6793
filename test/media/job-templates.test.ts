import { describe, expect, test } from "vitest";
import { buildJob, initialValues, jobTemplates } from "../../media/job-templates/index.ts";
import { parseJob } from "../../media/jobs/parse-job.ts";

const ask = { source: "/media/a%b film.mov", folder: "/media/out", priority: 90 };

describe.each(jobTemplates.map((template) => [template.id, template] as const))("the template %s", (_id, template) => {
  test("makes a job that the coordinator takes without a warning", () => {
    const { name, priority, warnings } = parseJob(buildJob({ template, values: initialValues(template), ...ask }));
    expect({ name, priority, warnings }).toEqual({
      name: `a%b film.mov - ${template.title}`,
      priority: 90,
      warnings: [],
    });
  });

  test("does so for every choice and the ends of every number", () => {
    for (const field of template.fields) {
      const values = field.kind === "choice" ? field.choices.map(([value]) => value) : [field.min, field.max];
      for (const value of values) {
        const job = buildJob({ template, values: { ...initialValues(template), [field.key]: value }, ...ask });
        expect(parseJob(job).warnings).toEqual([]);
      }
    }
  });
});

test("a template reads from and writes to any storage", () => {
  const [template] = jobTemplates;
  if (!template) throw new Error("there is no template");
  const where = { source: "s3://bucket/film.mov", folder: "s3://bucket/out", priority: 100 };
  const { elements } = parseJob(buildJob({ template, values: initialValues(template), ...where }));
  expect(JSON.stringify(elements)).toContain('"storage_provider":"s3","url":"s3://bucket/film.mov"');
});
