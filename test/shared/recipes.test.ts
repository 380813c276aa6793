import { describe, expect, test } from "vitest";
import { parseJob } from "../../shared/parse-job.ts";
import { initialValues, jobOf, recipes } from "../../shared/recipes/index.ts";

const ask = { source: "/media/a%b film.mov", folder: "/media/out", priority: 90 };

describe.each(recipes.map((recipe) => [recipe.id, recipe] as const))("the recipe %s", (_id, recipe) => {
  test("makes a job that the coordinator takes without a warning", () => {
    const { name, priority, warnings } = parseJob(jobOf({ recipe, values: initialValues(recipe), ...ask }));
    expect({ name, priority, warnings }).toEqual({
      name: `a%b film.mov - ${recipe.title}`,
      priority: 90,
      warnings: [],
    });
  });

  test("does so for every choice and the ends of every number", () => {
    for (const field of recipe.fields) {
      const values = field.kind === "choice" ? field.choices.map(([value]) => value) : [field.min, field.max];
      for (const value of values) {
        const job = jobOf({ recipe, values: { ...initialValues(recipe), [field.key]: value }, ...ask });
        expect(parseJob(job).warnings).toEqual([]);
      }
    }
  });
});

test("a recipe reads from and writes to any storage", () => {
  const [recipe] = recipes;
  if (!recipe) throw new Error("there is no recipe");
  const where = { source: "s3://bucket/film.mov", folder: "s3://bucket/out", priority: 100 };
  const { elements } = parseJob(jobOf({ recipe, values: initialValues(recipe), ...where }));
  expect(JSON.stringify(elements)).toContain('"storage_provider":"s3","url":"s3://bucket/film.mov"');
});
