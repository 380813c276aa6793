import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { writePdf } from "../../../agent/reports/pdf.ts";
import { reportBlocks } from "../../../media/reports/report.ts";

const folder = mkdtempSync(join(tmpdir(), "mediafarm-report-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const hasReader = spawnSync("pdftotext", ["-v"]).status !== null;
if (!hasReader) console.warn("The report's text is not read back: there is no pdftotext (poppler-utils)");

const events = Array.from({ length: 3 }, (_, at) => ({ begin: at * 9 + 2, end: at * 9 + 4, duration_sec: 2 }));
const values = Array.from({ length: 120 }, (_, at) => -24 + 6 * Math.sin(at / 7));
const blocks = reportBlocks({ title: "Delivery", subject: "Episode über 1.mov" }, [
  {
    kind: "analysis",
    value: {
      general_properties: { container: { kind: "mov", duration_sec: 30 }, audio: [{ channels: 2 }, { channels: 6 }] },
      deep_properties: {
        video: { black: { events, max_sec: 2, response_version: 2, settings: { duration_sec: 1 } } },
        audio: [
          { ebur128: { integrated_lufs: -23.04, chart: { title: "Momentary", unit: "LUFS", step_sec: 0.1, values } } },
        ],
      },
    },
  },
  {
    kind: "verdicts",
    value: [
      { condition: "a == b", outcome: "passed", message: "Loudness is right" },
      { condition: "c < d", outcome: "failed", message: "Black lasts 2 s" },
    ],
  },
]);

test("a report has the verdict, the media and one section an analysis", () => {
  expect(blocks.map((block) => (block.is === "heading" ? block.text : block.is))).toEqual([
    ...["Episode über 1.mov", "verdict", "checks", "Container", "table", "Audio 1", "table", "Audio 2", "table"],
    ...["Video: Black", "table", "intervals", "Audio 1: EBU R 128", "table", "chart"],
  ]);
});

test("figures of all frames make one line", () => {
  const luma = { mean: 22.0444, stddev: 3.8, min: 12, min_pos_frame: 50, min_pos_sec: 2, max: 26, max_pos_sec: 0 };
  const made = reportBlocks({ title: "t", subject: "s" }, [
    { kind: "analysis", value: { deep_properties: { video: { levels: { luma } } } } },
  ]);
  expect(made.at(-1)).toEqual({ is: "table", rows: [["Luma", "22.044 ± 3.8, from 12 at 2 s to 26 at 0 s"]] });
});

test.skipIf(!hasReader)("the PDF says what the report says, as another program reads it", async () => {
  const path = join(folder, "report.pdf");
  await writePdf(path, blocks, { title: "Delivery" });
  expect(readFileSync(path).subarray(0, 5).toString()).toBe("%PDF-");
  const text = execFileSync("pdftotext", ["-layout", path, "-"], { encoding: "utf8" });
  for (const words of ["Episode über 1.mov", "1 of 2 tests failed", "Black lasts 2 s", "-23.04", "1/1"])
    expect(text).toContain(words);
});

test("a report is written into a new file only", async () => {
  const path = join(folder, "taken.pdf");
  await writePdf(path, blocks, { title: "Delivery" });
  await expect(writePdf(path, blocks, { title: "Delivery" })).rejects.toThrow("EEXIST");
});

type Picture = { readonly width: number; readonly height: number; readonly pixels: Buffer };

/** A page as another program draws it, 60 dots an inch. */
const drawn = (path: string): Picture => {
  const ppm = execFileSync("pdftoppm", ["-r", "60", path], { maxBuffer: 2 ** 26 });
  const [head = "", width, height] = /^P6\s+(\d+)\s+(\d+)\s+255\s/.exec(ppm.toString("latin1", 0, 100)) ?? [];
  return { width: Number(width), height: Number(height), pixels: ppm.subarray(head.length) };
};

const isColor = ({ pixels, width }: Picture, x: number, y: number, color: readonly number[], within = 40): boolean =>
  color.every((value, at) => Math.abs((pixels[(y * width + x) * 3 + at] ?? 0) - value) < within);

const count = (length: number, holds: (at: number) => boolean): number =>
  Array.from({ length }, (_, at) => at).filter(holds).length;

test.skipIf(!hasReader)(
  "the page shows the verdict in red, three events on their bar, and one line of a chart",
  async () => {
    const path = join(folder, "drawn.pdf");
    await writePdf(path, blocks, { title: "Delivery" });
    const page = drawn(path);
    const [left, width] = [47, 402]; // of the text, in dots
    const runs = (y: number): number =>
      count(width, (x) => isColor(page, left + x, y, red) && !isColor(page, left + x - 1, y, red));
    const red = [168, 50, 11];
    const barRows = count(
      page.height,
      (y) => runs(y) === 3 && count(width, (x) => isColor(page, left + x, y, red)) > 70,
    );
    expect(barRows).toBeGreaterThan(5);
    const paleRows = count(page.height, (y) => isColor(page, left + width - 5, y, [252, 233, 225]) && y < 150);
    expect(paleRows).toBeGreaterThan(20);
    const isDark = (x: number, y: number): boolean => isColor(page, x, y, [75, 75, 75], 75);
    const hasInk = (x: number, top: number): boolean => count(66, (y) => isDark(left + x, top + y)) > 0;
    const tops = Array.from({ length: page.height / 4 }, (_, at) => at * 3);
    const inked = tops.map((top) => count(width, (x) => hasInk(x, top)));
    expect(Math.max(...inked)).toBeGreaterThan(width * 0.95);
  },
);
