import { expect, test } from "vitest";
import { stopQuestion } from "../../../../renderer/ui/browser/questions.ts";

const job = (running: number) => ({ id: "7", name: "dailies", task_counts: { running, completed: 0 } });
const lost = (...running: number[]) => stopQuestion(running.map(job)).text.split(" Finished")[0];

test("who stops one job is asked about its tasks, who stops several about theirs", () => {
  expect([lost(0), lost(1), lost(2)]).toEqual([
    "None of its tasks is running.",
    "1 task is running; its work is thrown away.",
    "2 tasks are running; their work is thrown away.",
  ]);
  expect([lost(0, 0), lost(1, 0)]).toEqual([
    "None of their tasks is running.",
    "1 task is running; its work is thrown away.",
  ]);
});
