import { type CoordinatorMessage, type Fence, fenceKey, type Report } from "../../../shared/protocol/messages.ts";
import { aHello, aListing, aReport } from "../../helpers/farm/farm.ts";
import { openLine } from "../../stress/line.ts";

type Needs = {
  readonly url: string;
  readonly joinToken: string;
  readonly name: string;
  /** What it finds in every folder. */
  readonly files: readonly string[];
  /** It has done a task, and is about to say so. */
  readonly onDone: () => void;
  readonly onNonsense: (text: string) => void;
};

/** A node over a real socket that does everything at once and well. It keeps a report until that is stored. */
export const startTrivialNode = ({ url, joinToken, name, files, onDone, onNonsense }: Needs) => {
  const reports = new Map<string, Report>();
  let identity: { readonly nodeId: number; readonly nodeKey: string } | undefined;

  const welcome = ({ nodeId, nodeKey, keep }: Extract<CoordinatorMessage, { type: "welcome" }>): void => {
    if (nodeKey !== undefined) identity = { nodeId, nodeKey };
    const kept = new Set(keep.map(fenceKey));
    for (const [key, report] of reports) {
      if (kept.has(key)) line.send({ type: "report", report });
      else reports.delete(key);
    }
  };

  const line = openLine({
    url,
    hello: () =>
      aHello({
        ...{ name, credentials: identity ?? { joinToken } },
        attempts: [...reports.values()].map(({ fence, taskId }) => ({ fence, taskId, state: "reported" })),
      }),
    onMessage: (message) => {
      if (message.type === "welcome") welcome(message);
      if (message.type === "assign") {
        const { assignment } = message;
        const isList = assignment.work.steps.some((step) => step.do === "list");
        const report = isList ? aListing(assignment, files) : aReport(assignment);
        reports.set(fenceKey(assignment.fence), report);
        onDone();
        line.send({ type: "report", report });
      }
      if (message.type === "stored" || message.type === "stale" || message.type === "cancel") forget(message.fence);
    },
    onNonsense,
    patience: () => 50,
  });
  const forget = (fence: Fence): void => {
    reports.delete(fenceKey(fence));
  };

  return { end: line.end };
};
