import { writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { AppError, messageOf } from "../../shared/basics/errors.ts";
import { redact, redactText } from "../../shared/credentials/redact.ts";
import type { Node } from "../../shared/model/node.ts";
import type { Patient } from "./area.ts";
import type { Report } from "./report.ts";

/** The homes of people on Linux, macOS and Windows. */
const anyHome = /(?:\/home|\/Users|[a-z]:\\Users)[/\\][^/\\\s:"']+/gi;

/**
 * Writes what a person needs who helps from afar, as JSON that only this user can read: the report, the nodes, and the
 * names of the variables that are set. No secret, no job, and no name of a home is in it. Throws AppError CONFLICT if the file is there.
 */
export const writeBundle = async (file: string, report: Report, patient: Patient): Promise<void> => {
  const text = `${JSON.stringify(cleaned(await contentOf(report, patient)), null, 2)}\n`;
  try {
    writeFileSync(file, text, { mode: 0o600, flag: "wx" });
  } catch (cause) {
    throw new AppError("CONFLICT", `The bundle cannot be written: ${messageOf(cause)}`, { cause });
  }
};

const contentOf = async (report: Report, { env, farm }: Patient) => ({
  about: "mediafarm doctor --bundle",
  report,
  platform: { system: process.platform, architecture: process.arch, node: process.version },
  variables: Object.keys(env)
    .filter((name) => /^(?:MEDIAFARM_|FFMPEG_|FFPROBE_|NODE_|PG)/.test(name))
    .sort(),
  nodes: farm ? (await farm.ask("listNodes", {})).items.map(aboutNode) : null,
});

/** Without what runs there: names of jobs are nobody else's business. */
const aboutNode = ({ running: _, ...node }: Node) => node;

/** The same value, its texts without secrets in addresses and without names of homes. */
const cleaned = (value: unknown): unknown => {
  const parsed: unknown = JSON.parse(JSON.stringify(redact(value)), (_, part: unknown) =>
    typeof part === "string" ? redactText(part.replaceAll(homedir(), "~").replaceAll(anyHome, "~")) : part,
  );
  return parsed;
};
