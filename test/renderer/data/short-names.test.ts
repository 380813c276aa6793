import { expect, test } from "vitest";
import { withShortNames } from "../../../renderer/data/short-names.ts";
import type { UiJob } from "../../../shared/api/job-view.ts";

const shown = (job: string, name: string): string | undefined => {
  const view = { info: { name: job }, elements: [{ name }], tasks: [{ name }] } as unknown as UiJob;
  const { elements, tasks } = withShortNames(view);
  expect(elements[0]?.name).toBe(tasks[0]?.name);
  return elements[0]?.name;
};

test("a made-up name loses the job's, which stands above it", () => {
  expect(shown("Trailer", "Trailer - transcode")).toBe("transcode");
  expect(shown("A - B", "A - B - source - 0003")).toBe("source - 0003");
});

test("a name that somebody gave stays whole", () => {
  expect(shown("Trailer", "Trailers - all")).toBe("Trailers - all");
  expect(shown("Trailer", "Trailer - ")).toBe("Trailer - ");
  expect(shown("Trailer", "Make it small")).toBe("Make it small");
});
