import { reportBlocks } from "../../shared/reports/report.ts";
import { outputNamed } from "./output-named.ts";
import type { Performer } from "./step.ts";

/** Writes results as a report for people. */
export const performReport: Performer<"report"> = async (step, context) => {
  const { to, title, subject, results: ids } = step;
  const { results, log } = context;
  const target = outputNamed(to, context);
  const found = ids.flatMap((id) => results.get(id) ?? []);
  log.line(`write ${target.final}`);
  // Loaded here, so that agents that never write a report do not keep the PDF library in memory.
  const { writePdf } = await import("../reports/pdf.ts");
  await writePdf(target.made, reportBlocks({ title, subject }, found), { title: `${title}: ${subject}` });
  return undefined;
};
