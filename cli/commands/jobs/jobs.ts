import type { JobInfo } from "../../../shared/model/job-info.ts";
import { jobStateName, states } from "../../../shared/model/state-labels.ts";
import { nothing, type ParsedCommand } from "../../command/command.ts";
import { jobFilterFlags, listJobs, readFilters } from "../../jobs/chosen-jobs.ts";
import { numberFlag } from "../../terminal/flags.ts";
import type { Paint } from "../../text/paint.ts";
import { stateText } from "../../text/states.ts";
import type { Column } from "../../text/table.ts";
import { agoText, tookText } from "../../text/time.ts";

/** The jobs of the farm, newest first. */
export const jobs: ParsedCommand = {
  flags: {
    ...jobFilterFlags,
    take: { type: "string", value: "N", help: "The maximum number of jobs.", default: "20" },
  },
  examples: [
    ["mediafarm jobs --status active --status queued", "lists unfinished jobs"],
    ["mediafarm jobs --status failed --take 5 --json", "lists the last five failures, one JSON document per line"],
  ],
  check: nothing("jobs", "; see: job ID"),
  run: async ({ values, output, world, client }) => {
    const filters = readFilters(values);
    const take = numberFlag(values, "take", 1_000_000) ?? 20;
    const found = await listJobs(client(), filters, take);
    const empty = filters.length > 0 ? "No job matches." : "There are no jobs yet. Submit one: mediafarm submit FILE";
    output.list(found, columns(world.clock.now(), output.paint), empty);
    return 0;
  },
};

const columns = (now: number, paint: Paint): Column<JobInfo>[] => [
  { title: "ID", text: ({ id }) => id, align: "right" },
  {
    title: "STATE",
    text: (job) => stateText(jobStateName(job)),
    paint: (text, job) => paint(states[jobStateName(job)].hue, text),
  },
  { title: "DONE", text: ({ progress }) => `${progress} %`, align: "right" },
  { title: "PRIO", text: ({ priority }) => String(priority), align: "right" },
  { title: "OWNER", text: ({ owner }) => owner ?? "", shrinks: true },
  { title: "SUBMITTED", text: ({ creation_time }) => agoText(creation_time, now) },
  { title: "TOOK", text: (job) => tookText(job.start_time, job.end_time, now) },
  { title: "NAME", text: ({ name }) => name, shrinks: true },
  { title: "ERROR", text: ({ error }) => error ?? "", shrinks: true },
];
