import { z } from "zod";
import type { RouteName } from "../api/api.ts";
import type { Client } from "../api/client.ts";
import { jobStatuses } from "../state/job.ts";

/** One thing that a model may ask for. */
export type Tool = {
  readonly name: string;
  readonly title: string;
  /** What it answers and when to use it, for the model. */
  readonly description: string;
  readonly input: z.ZodObject;
  /** What it asks the farm: who may call that may use the tool. */
  readonly route: RouteName;
  /** Whether it changes anything: such tools are offered only where a person asked for them. */
  readonly isActing: boolean;
  readonly run: (client: Client, args: never) => Promise<unknown>;
};

const id = z.string().regex(/^\d{1,18}$/, "must be a number");
const job = { job_id: id.describe("The job's number") };
const note = { note: z.string().max(300).optional().describe("Why, for everybody to read") };
const infoFields = [
  ...(["id", "name", "user_tag", "priority", "status", "substatus", "progress", "error", "owner"] as const),
  ...(["creation_time", "start_time", "end_time"] as const),
];

type Described = Pick<Tool, "name" | "title" | "description" | "isActing">;

const tool = <S extends z.ZodRawShape>(
  route: RouteName,
  about: Described,
  shape: S,
  run: (client: Client, args: z.output<z.ZodObject<S>>) => Promise<unknown>,
): Tool => ({ ...about, route, input: z.strictObject(shape), run: run as Tool["run"] }); // arguments are parsed before

const reading = (name: string, title: string, description: string): Described => ({
  ...{ name, title, description, isActing: false },
});
const acting = (name: string, title: string, description: string): Described => ({
  ...{ name, title, description, isActing: true },
});

const readingTools: readonly Tool[] = [
  tool(
    "listJobs",
    reading(
      "list_jobs",
      "List jobs",
      "Jobs of the farm, newest first: name, state, progress, error. Filter by state or exact name.",
    ),
    {
      status: z.enum(jobStatuses).optional(),
      name: z.string().max(2000).optional().describe("The exact name"),
      skip: z.number().int().min(0).default(0),
      take: z.number().int().min(1).max(100).default(20),
    },
    ({ listJobs }, { status, name, skip, take }) => {
      const filters = [
        ...(status === undefined ? [] : [{ field: "status" as const, values: [status] }]),
        ...(name === undefined ? [] : [{ field: "name" as const, values: [name] }]),
      ];
      return listJobs({ fields: infoFields, filters, order: "desc", skip, take });
    },
  ),
  tool(
    "getJobInfo",
    reading("get_job", "Show a job", "One job: its state, progress and error."),
    job,
    ({ getJobInfo }, { job_id }) => getJobInfo({ job_id, fields: infoFields }),
  ),
  tool(
    "listTasks",
    reading(
      "list_tasks",
      "List a job's tasks",
      "The tasks of a job, with their states, nodes and errors. Their ids are what the tools for tasks take.",
    ),
    job,
    ({ listTasks }, { job_id }) => listTasks({ job_id, fields: ["id", "name", "kind", "status", "progress", "error"] }),
  ),
  tool(
    "explainTask",
    reading("explain_task", "Why a task waits", "Why a task does not run: in one sentence, and for each node."),
    { task_id: id },
    ({ explainTask }, { task_id }) => explainTask({ task_id }),
  ),
  tool(
    "getTaskLog",
    reading(
      "get_log",
      "Read a task's log",
      "The end of the logs of a task's attempts, with the output of ffmpeg. Use it to find out why a task failed.",
    ),
    {
      task_id: id,
      characters: z.number().int().min(100).max(20_000).default(6000).describe("How much of each log's end"),
    },
    async ({ getTaskLog }, { task_id, characters }) => {
      const { task, items } = await getTaskLog({ task_id });
      return {
        task,
        items: items.slice(-5).map((attempt) => ({ ...attempt, log: (attempt.log ?? "").slice(-characters) })),
      };
    },
  ),
  tool(
    "getResult",
    reading(
      "get_result",
      "Read a job's result",
      "What a job made and what went wrong, as the API gives it to programs.",
    ),
    job,
    ({ getResult }, { job_id }) => getResult({ job_id }),
  ),
  tool(
    "listOutputs",
    reading("list_outputs", "List a job's outputs", "The files that a job made: address, size, checksum and content."),
    { ...job, skip: z.number().int().min(0).default(0), take: z.number().int().min(1).max(100).default(50) },
    ({ listOutputs }, args) => listOutputs(args),
  ),
  tool(
    "listNodes",
    reading(
      "list_nodes",
      "List nodes",
      "The farm's computers: whether each is there and works, what it runs, its tags and folders.",
    ),
    {},
    ({ listNodes }) => listNodes({}),
  ),
];

const actingTools: readonly Tool[] = [
  tool(
    "createJob",
    acting(
      "submit_job",
      "Submit a job",
      "Queues a job, as the API takes it. With dry_run it only says what the job would do.",
    ),
    { job: z.record(z.string(), z.unknown()), dry_run: z.boolean().default(true) },
    ({ createJob }, { job: wanted, dry_run }) => createJob({ ...wanted, dry_run } as Parameters<typeof createJob>[0]), // the farm parses it
  ),
  tool(
    "stopJob",
    acting("stop_job", "Stop a job", "Stops a job on every node; finished outputs stay."),
    { ...job, ...note },
    ({ stopJob }, args) => stopJob(args),
  ),
  tool(
    "pauseJob",
    acting("pause_job", "Pause a job", "No more tasks of the job start; running ones finish."),
    { ...job, ...note },
    ({ pauseJob }, args) => pauseJob(args),
  ),
  tool(
    "resumeJob",
    acting("resume_job", "Resume a job", "A paused job goes on."),
    { ...job, ...note },
    ({ resumeJob }, args) => resumeJob(args),
  ),
  tool("retryJob", acting("retry_job", "Retry a job", "Runs what failed of a job again."), job, ({ retryJob }, args) =>
    retryJob(args),
  ),
];

export const toolsFor = (isActing: boolean): readonly Tool[] =>
  isActing ? [...readingTools, ...actingTools] : readingTools;
