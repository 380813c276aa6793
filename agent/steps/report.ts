import { TaskError } from "../../shared/causes.ts";
import { reportBlocks } from "../../shared/reports/report.ts";
import type { Performer } from "./step.ts";

/** Writes what was found out as pages for people. */
export const performReport: Performer<"report"> = async (step, { paths, results, log }) => {
  const { to, title, subject, results: ids } = step;
  const target = paths.outputs.get(to);
  if (!target) throw new TaskError("definition", `A report names the output ${to}, which the task does not have`);
  const found = ids.flatMap((id) => results.get(id) ?? []);
  log.line(`write ${target.final}`);
  // Loaded here: agents that never write a report need no PDF library in their memory.
  const { writePdf } = await import("../reports/pdf.ts");
  await writePdf(target.made, reportBlocks({ title, subject }, found), { title: `${title}: ${subject}` });
  return undefined;
};
