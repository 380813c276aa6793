import type { Assignment, Report } from "../../../shared/protocol/messages.ts";
import type { Intent, Published } from "../../../shared/work/work.ts";

/** Bytes of every file of which these nodes speak. */
export const size = 100;

/** What a node wants to publish that did what it was told. */
export const intentOf = ({ fence, work }: Assignment): Intent => ({
  files: Object.entries(work.outputs).map(([output, { folder, name, existing }]) => ({
    ...{ output, final: `${folder}/${name}`, size, identity: "of its bytes", existing },
    temp: `${folder}/.${name}.${fence.epoch}.${fence.counter}.part`,
  })),
});

/** Facts of media that nobody has. */
const facts = { format: "mov", duration: { num: 10, den: 1 }, size, video: [], audio: [], others: [] };

/** What such a node then reports. */
export const publishedOf = (assignment: Assignment): Published => ({
  outputs: Object.fromEntries(intentOf(assignment).files.map(({ output, final }) => [output, [{ uri: final, size }]])),
  found: foundOf(assignment),
});

const foundOf = ({ work }: Assignment): Published["found"] =>
  Object.fromEntries(
    work.steps.flatMap((step) =>
      step.do === "probe"
        ? [
            [
              step.id,
              {
                ...{ unchanged: false, tool: "none" },
                file: { uri: work.assets[step.asset]?.uri ?? "", size, modified: 5, facts },
              },
            ],
          ]
        : [],
    ),
  );

export const reportOf = (assignment: Assignment, log: string): Report => ({
  fence: assignment.fence,
  taskId: assignment.taskId,
  outcome: { outcome: "published", published: publishedOf(assignment) },
  stats: { wallMs: 1 },
  log,
});

/** Of all that the honest node does. */
export const victimsLog = "the log of the node that runs it\n";
