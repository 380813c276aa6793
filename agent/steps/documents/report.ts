import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { reportBlocks } from "../../../media/reports/report.ts";
import type { StepOf } from "../../../shared/work/work.ts";
import { listSequence } from "../../disk/numbered-names.ts";
import { outputNamed } from "../named-files.ts";
import type { Performer, StepContext } from "../step.ts";

/** Writes results as a report for people. */
export const performReport: Performer<"report"> = async (step, context) => {
  const { to, title, subject, results: ids } = step;
  const { results, log } = context;
  const target = outputNamed(to, context);
  const stills = await stillsOf(step, context);
  const found = ids.flatMap((id) => results.get(id) ?? []);
  log.line(`write ${target.final}`);
  // Loaded here, so that agents that never write a report do not keep the PDF library in memory.
  const { writePdf } = await import("../../reports/pdf.ts");
  await writePdf(target.made, reportBlocks({ title, subject, stills }, found), { title: `${title}: ${subject}` });
};

/** A film that is shorter than it says gives fewer pictures. */
const stillsOf = async ({ stills }: StepOf<"report">, { scratch }: StepContext) => {
  if (!stills) return [];
  const names = listSequence(await readdir(scratch), `${stills.name}_%d.jpg`);
  return names.map((name, at) => ({ path: join(scratch, name), sec: (at + 0.5) * stills.stepSec }));
};
