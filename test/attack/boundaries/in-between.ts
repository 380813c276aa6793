import { setTimeout as pause } from "node:timers/promises";
import { type Ask, type Try, unless } from "./world.ts";

/** A large job is run again in many decisions: something else is done to it in between. */

const large = (name: string) => ({
  name,
  payload: {
    elements: Array.from({ length: 120 }, (_, nr) => ({
      ...{ uid: `e${nr}`, kind: "source" },
      payload: { kind: "asset_url", payload: { storage_provider: "file", url: `file:///nowhere/${nr}.mov` } },
    })),
  },
});

const retried = async (alice: Ask): Promise<string> => {
  const { body } = await alice("POST", "/jobs", large("large"));
  await alice("PUT", `/jobs/${body.id}/stop`, {});
  return body.id;
};
const infoOf = (alice: Ask, id: string) => alice("GET", `/jobs/${id}/info?fields[]=status&fields[]=substatus`);
const again = (alice: Ask, id: string) => alice("POST", `/jobs/${id}/retry`, { scope: "all" });

type Between = (alice: Ask, id: string) => Promise<unknown>;
/** What is done in between, and how the job is once it is quiet: its status, or that it is gone. */
const between: readonly (readonly [what: string, act: Between, end: string])[] = [
  ["stopped", (alice, id) => alice("PUT", `/jobs/${id}/stop`, {}), "failed"],
  ["deleted", (alice, id) => alice("DELETE", `/jobs/${id}`), "gone"],
  ["paused", (alice, id) => alice("PUT", `/jobs/${id}/pause`, {}), "paused"],
  ["its tags changed", (alice, id) => alice("PUT", `/jobs/${id}`, { task_tags: ["x"], priority: 3 }), "open"],
  ["retried again", (alice, id) => again(alice, id), "open"],
  [
    "stopped, retried and stopped",
    async (alice, id) => {
      await alice("PUT", `/jobs/${id}/stop`, {});
      await again(alice, id);
      await alice("PUT", `/jobs/${id}/stop`, {});
    },
    "failed",
  ],
  [
    "stopped and deleted at once",
    (alice, id) =>
      Promise.all([alice("PUT", `/jobs/${id}/stop`, {}), alice("DELETE", `/jobs/${id}`), again(alice, id)]),
    "gone",
  ],
  [
    "deleted among many",
    (alice, id) => alice("POST", "/jobs/actions", { action: "delete", ids: [id, id, "0"] }),
    "gone",
  ],
];

export const betweenTries: readonly Try[] = between.map(([what, act, end]) => [
  "large jobs: run again, and in between",
  what,
  async ({ alice }) => {
    const id = await retried(alice);
    const running = again(alice, id);
    await act(alice, id);
    await running;
    // Whichever came first, the other was answered; what was asked for last counts.
    if (end === "failed") await alice("PUT", `/jobs/${id}/stop`, {});
    if (end === "gone") await alice("DELETE", `/jobs/${id}`);
    if (end === "paused") await alice("PUT", `/jobs/${id}/pause`, {});
    await pause(500);
    const after = await infoOf(alice, id);
    if (end === "gone") return unless(after, 404);
    const { status, substatus } = after.body ?? {};
    if (end === "failed" && status !== "failed") return `it came back: ${after.text}`;
    if (end === "paused" && substatus !== "paused" && status !== "failed") return `it goes on: ${after.text}`;
    const tasks = await alice("GET", `/jobs/${id}/tasks`);
    await alice("DELETE", `/jobs/${id}`);
    return tasks.status !== 200 && tasks.text;
  },
]);
