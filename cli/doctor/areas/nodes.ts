import type { Node } from "../../../shared/model/node.ts";
import type { FarmArea } from "../area.ts";
import { bad, type Finding, ok, warn } from "../finding.ts";

const toleratedOffset = 5000;

/** The farm's nodes: which are there, and whether they are alike. */
export const nodes: FarmArea = {
  name: "nodes",
  limitMs: 10_000,
  ask: async ({ farm, version }, signal) => nodeFindings((await farm.ask("listNodes", {}, { signal })).items, version),
};

export const nodeFindings = (all: readonly Node[], version: string): Finding[] => {
  const [one] = all;
  if (!one) return [warn("count", "The farm has no nodes: jobs wait", "Add one: mediafarm agent --join TOKEN.")];
  return [countFinding(all), ...all.flatMap((node) => troublesOf(node, version)), ...unlike(all)];
};

const countFinding = (all: readonly Node[]): Finding => {
  const working = all.filter(
    ({ state, presence, health }) => state === "active" && presence === "online" && health.state !== "quarantined",
  );
  const words = `${working.length} of ${all.length} nodes take work`;
  return working.length > 0 ? ok("count", words) : bad("count", words, "See mediafarm nodes for what each of them is.");
};

const troublesOf = (node: Node, version: string): Finding[] => {
  const { name, presence, health, state, clock_offset } = node;
  const what = `node ${name}`;
  const about: Finding[] = [];
  if (presence === "late" || presence === "lost")
    about.push(warn(what, `${name} has been silent since ${node.last_seen}`, "Look at its power and its network."));
  if (health.state === "quarantined")
    about.push(
      warn(
        what,
        `${name} gets no work until ${health.until}: ${health.why ?? "its tasks failed"}`,
        `See what failed there: mediafarm node ${node.id}.`,
      ),
    );
  if (state === "pending")
    about.push(warn(what, `${name} waits for approval`, `mediafarm node ${node.id} --state active`));
  if (node.version !== null && node.version !== version)
    about.push(
      warn(
        what,
        `${name} runs Mediafarm ${node.version}, this is ${version}`,
        "Upgrade the agent; the coordinator comes first.",
      ),
    );
  if (clock_offset !== null && Math.abs(clock_offset) > toleratedOffset)
    about.push(
      warn(
        what,
        `The clock of ${name} was ${(clock_offset / 1000).toFixed(1)} s from the farm's when it connected`,
        "Let a time service keep its clock.",
      ),
    );
  return about;
};

/** Different builds of ffmpeg make different files, so parts of one output only go to nodes with the same. */
const unlike = (all: readonly Node[]): Finding[] => {
  const versions = Map.groupBy(
    all.filter(({ ffmpeg }) => ffmpeg !== null),
    ({ ffmpeg }) => ffmpeg?.version ?? "",
  );
  if (versions.size < 2) return [];
  const words = [...versions].map(([version, with_]) => `${version} on ${with_.map(({ name }) => name).join(", ")}`);
  return [
    warn(
      "ffmpeg",
      `Nodes have different versions of ffmpeg: ${words.join("; ")}`,
      "Give all nodes the same, so that they share the work of one output.",
    ),
  ];
};
