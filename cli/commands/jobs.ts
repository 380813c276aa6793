import type { Client } from "../../shared/client.ts";
import { limits } from "../../shared/job.ts";
import { type JobFilter, type JobInfo, jobInfoFields } from "../../shared/job-info.ts";
import { jobStatuses } from "../../shared/state/job.ts";
import { jobStateName, states } from "../../shared/state/labels.ts";
import { choiceOf, numberOf, type ParsedCommand, textsOf, type Values } from "../command.ts";
import type { Paint } from "../text/paint.ts";
import { stateText } from "../text/states.ts";
import { type Column, formatTable } from "../text/table.ts";
import { agoText, tookText } from "../text/time.ts";

/** The jobs of the farm, newest first. */
export const jobs: ParsedCommand = {
  name: "jobs",
  words: "",
  summary: "List jobs, newest first.",
  flags: {
    status: {
      type: "string",
      value: "STATUS",
      multiple: true,
      offers: jobStatuses,
      help: `Only jobs that are ${jobStatuses.join(", ")}.`,
    },
    name: { type: "string", value: "NAME", multiple: true, help: "Only jobs with exactly this name." },
    take: { type: "string", value: "N", help: "The maximum number of jobs.", default: "20" },
  },
  examples: [
    ["mediafarm jobs --status active --status queued", "lists unfinished jobs"],
    ["mediafarm jobs --status failed --take 5 --json", "lists the last five failures, one JSON document per line"],
  ],
  check: (positionals) => (positionals.length > 0 ? `jobs takes no "${positionals[0]}"; see: job ID` : undefined),
  run: async ({ values, output, world, client }) => {
    const filters = filtersOf(values);
    const take = numberOf(values, "take", 1_000_000) ?? 20;
    const found = await list(client(), filters, take);
    if (output.isJson) for (const each of found) output.json(each);
    else if (found.length > 0) output.text(formatTable(columns(world.clock.now(), output.paint), found, output.width));
    else
      output.problem(
        filters.length > 0 ? "No job matches." : "There are no jobs yet. Submit one: mediafarm submit FILE",
      );
    return 0;
  },
};

const filtersOf = (values: Values): JobFilter[] => {
  const status = textsOf(values, "status").map((each) => choiceOf("status", each, jobStatuses));
  const name = textsOf(values, "name");
  return [
    ...(status.length > 0 ? [{ field: "status" as const, values: status }] : []),
    ...(name.length > 0 ? [{ field: "name" as const, values: name }] : []),
  ];
};

/** Reads page by page, because the API limits the page size. */
const list = async (client: Client, filters: JobFilter[], take: number): Promise<JobInfo[]> => {
  const found: JobInfo[] = [];
  while (found.length < take) {
    const page = Math.min(limits.take, take - found.length);
    const query = {
      fields: jobInfoFields,
      filters,
      order: "desc",
      sort_field: "id",
      skip: found.length,
      take: page,
    } as const;
    const { items } = await client.listJobs({ ...query, fields: [...query.fields] });
    found.push(...(items as JobInfo[])); // all fields were asked for
    if (items.length < page) break;
  }
  return found;
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
  { title: "SUBMITTED", text: ({ creation_time }) => agoText(creation_time, now) },
  { title: "TOOK", text: (job) => tookText(job.start_time, job.end_time, now) },
  { title: "NAME", text: ({ name }) => name, shrinks: true },
  { title: "ERROR", text: ({ error }) => error ?? "", shrinks: true },
];
