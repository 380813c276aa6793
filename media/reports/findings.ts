import type { Finding, FindingSection } from "../../shared/api/findings.ts";
import type { StepResults } from "../../shared/model/step-result.ts";
import { type Block, reportBlocks } from "./report.ts";

type Found = Pick<Finding, "verdicts" | "seconds" | "sections">;

/** A task's results as sections; undefined where it found nothing that people read. */
export const findingOf = (results: StepResults): Found | undefined => {
  const all = Object.values(results);
  const judged = all.filter(({ kind }) => kind === "verdicts");
  // A check repeats what it judged, which stands with the analysis itself.
  const blocks = reportBlocks({ title: "", subject: "" }, judged.length > 0 ? judged : all);
  const verdicts = blocks.flatMap((block) => (block.is === "checks" ? [...block.checks] : []));
  const sections = sectionsOf(blocks);
  if (verdicts.length === 0 && sections.length === 0) return undefined;
  return { verdicts, seconds: lengthOf(blocks), sections };
};

/** A heading of the second level begins a section. */
const sectionsOf = (blocks: readonly Block[]): FindingSection[] => {
  const sections: FindingSection[] = [];
  for (const block of blocks) {
    if (block.is === "heading" && block.level === 2)
      sections.push({ title: block.text, figures: [], intervals: null, curve: null });
    const last = sections.pop();
    if (last) sections.push(extended(last, block));
  }
  return sections.filter(({ figures, intervals, curve }) => figures.length > 0 || intervals || curve);
};

const extended = (section: FindingSection, block: Block): FindingSection => {
  if (block.is === "table") {
    // What was looked for and not found is a lane too, an empty one.
    const isEmptyLane = block.rows.some(([name, value]) => name === "Events" && value === "0");
    const intervals = isEmptyLane ? [] : section.intervals;
    return {
      ...section,
      intervals,
      figures: [...section.figures, ...block.rows.map(([name, value]) => [name, value] as const)],
    };
  }
  if (block.is === "intervals") return { ...section, intervals: [...block.intervals] };
  if (block.is !== "chart") return section;
  const { title, unit, stepSec, values } = block;
  return { ...section, curve: { title, unit, step_sec: stepSec, values: [...values] } };
};

const lengthOf = (blocks: readonly Block[]): number =>
  Math.max(
    0,
    ...blocks.map((block) => {
      if (block.is === "intervals") return block.total;
      return block.is === "chart" ? block.stepSec * block.values.length : 0;
    }),
  );
