import type { Assignment, CoordinatorMessage } from "../../../shared/protocol/messages.ts";
import type { Intent } from "../../../shared/work/work.ts";
import type { Random } from "../attack.ts";
import type { Knowledge } from "./lies.ts";
import { intentOf, reportOf, size, victimsLog } from "./truth.ts";

/** What a node says of an assignment in the right order, with another lie each time. */
export const aboutOwn = (assignment: Assignment, { random, uris }: Knowledge): unknown[] => {
  const { fence, taskId, work } = assignment;
  const uri = random.one(uris);
  const { files } = intentOf(assignment);
  const lies = [
    files,
    files.map((file) => ({ ...file, temp: uri })),
    files.map((file) => ({ ...file, final: uri })),
    files.map((file) => ({ ...file, existing: "delete_and_replace" })),
    files.map((file) => ({ ...file, temp: file.temp.replace(/\d+\.part$/, `${fence.counter - 1}.part`) })),
    [...files, ...files],
    [],
  ];
  // What a file is read for has to be told well at times: else nobody is ever asked to make anything of it.
  if (files.length === 0 && random.chance(0.6))
    return [
      { type: "started", fence },
      { type: "report", report: reportOf(assignment, "all is well\n") },
    ];
  const intent = { files: random.chance(0.4) ? files : random.one(lies) };
  const more = random.chance(0.4) ? [{ uri, size }] : [];
  const outputs = Object.fromEntries(
    intent.files.map(({ output, final }) => [
      output,
      [{ uri: final, size, ...(random.chance(0.2) && { pieces: [{ uri }] }) }, ...more],
    ]),
  );
  const stats = { wallMs: 1 };
  const found = Object.fromEntries(
    work.steps.flatMap((step) =>
      "asset" in step && random.chance(0.8)
        ? [
            [
              step.id,
              {
                unchanged: false,
                tool: "t",
                file: { uri: random.one([uri, work.assets[step.asset]?.uri ?? uri]), size },
              },
            ],
          ]
        : [],
    ),
  );
  const published = { outcome: "published", published: { outputs, found } };
  const failed = { outcome: "failed", failure: { cause: random.one(["machine", "source", "media"]), message: "no" } };
  const outcome = random.one([published, published, failed]);
  const report = { type: "report", report: { fence, taskId, outcome, stats, log: "all is well\n" } };
  const commit = { type: "commit", fence, intent };
  return random.one([
    [{ type: "started", fence }, commit, report],
    [report, commit, report],
    [commit, commit, { type: "returned", fence, why: "back" }, report],
    [
      { type: "returned", fence, why: "back" },
      { type: "started", fence },
    ],
    [commit],
    [report, report, report],
  ]);
};

/** Whether its node may publish all of this: its own files, or those that were granted for its task before. */
export const isOwnIntent = (assignment: Assignment, { files }: Intent): boolean => {
  const own = [...intentOf(assignment).files, ...(assignment.previousIntent?.files ?? [])];
  return files.every(({ temp, final }) => own.some((each) => each.temp === temp && each.final === final));
};

/** What only the node of an assignment may say, in the very words that it would use. */
export const aboutOthers = (assignment: Assignment, { random }: Knowledge): unknown[] => {
  const { fence, taskId } = assignment;
  const report = reportOf(assignment, "the liar's log\n");
  const failure = { cause: random.one(["machine", "media", "invalid"]), message: "a lie" };
  return [
    random.one([
      { type: "started", fence },
      { type: "progress", fence, progress: { percent: 99 } },
      { type: "log", fence, from: 0, left: 0, text: "the liar's log\n" },
      { type: "log", fence, from: 2 ** 40, left: 2 ** 40, text: "the liar's log\n" },
      // Goes on where the honest node's own words end.
      { type: "log", fence, from: victimsLog.length, left: 0, text: "the liar's log\n" },
    ]),
    random.one([
      { type: "returned", fence, why: "a lie" },
      { type: "commit", fence, intent: intentOf(assignment) },
      { type: "commit", fence, intent: { files: [] } },
      { type: "inspected", fence, seen: "published" },
      { type: "request_keys", fence },
      { type: "report", report },
      { type: "report", report: { ...report, outcome: { outcome: "failed", failure } } },
      { type: "report", report: { ...report, taskId: taskId + 1 } },
      // These cannot be used: who sends them must not fail the attempt that they name.
      { type: "commit", fence, intent: "nothing" },
      { type: "report", report: { fence } },
    ]),
  ];
};

/** The answer of a node to a question, which is about something else, or too much. */
export const answerTo = (message: CoordinatorMessage, { random, uris }: Knowledge): unknown => {
  const uri = random.one(uris);
  if (message.type === "inspect")
    return { type: "inspected", fence: message.fence, seen: random.one(["published", "ready", "absent"]) };
  if (message.type === "poll") {
    const files = Array.from({ length: random.one([0, 1, 5, 2000]) }, (_, nr) => ({
      uri: `${uri}${nr}`,
      size: 1,
      modified: nr,
    }));
    const response = random.one([
      { what: "folder", files, isLast: random.chance(0.5) },
      { what: "sources", saw: {} },
      { what: "failure", failure: { cause: "storage", message: "gone" } },
    ]);
    return { type: "polled", id: message.id, response };
  }
  if (message.type !== "request") return undefined;
  const data = (): string => dataOf(random.chance(0.05) ? 600_000 : random.one([0, 1, 1000]));
  const response = random.one([
    () => ({ is: "piece", size: random.one([0, 100, 1e15]), data: data() }),
    () => ({ is: "segment", data: data() }),
    () => ({ is: "still", data: "not base64!" }),
    () => ({ is: "found", paths: [uri] }),
    () => ({ is: "refused", message: "no" }),
    () => ({ is: "swept", uris: [uri] }),
  ])();
  return { type: "response", id: message.id, response };
};

const dataOf = (bytes: number): string => Buffer.alloc(bytes, "HTTP/1.1 200 OK\r\n\r\n").toString("base64");

/** A file within the folder that only an honest node is asked to look at. */
export const lieInWatched = "file:///victim/watched/lie.mov";

/** Answers to the questions that come next, which somebody else may be asked; the same twice, as of a file that is whole. */
export const guesses = ({ asked, othersAsked }: Knowledge): unknown[] => {
  const last = asked.at(-1) ?? 0;
  const files = [{ uri: lieInWatched, size: 7, modified: 1 }];
  const listing = { path: "/victim", parent: null, entries: [], isCut: false };
  return [...othersAsked, ...Array.from({ length: 12 }, (_, nr) => last - 2 + nr)].flatMap((id) => [
    { type: "polled", id, response: { what: "folder", files, isLast: true } },
    { type: "response", id, response: { is: "folder", listing } },
  ]);
};

/** Bytes that are no message at all. */
export const babble = (random: Random): string =>
  random.one([
    "soup",
    "{",
    "[".repeat(50_000),
    '{"type":"report","report":{}}',
    '{"type":"hello"}',
    '{"type":"heartbeat","type":"goodbye"}',
    `{"type":"log","text":"${"\\ud800".repeat(1000)}"}`,
    `{"type":"heartbeat","disk":${"9".repeat(400)}}`,
    `{"type":"heartbeat","x":"${"y".repeat(1_000_000)}"}`,
    '{"__proto__":{"type":"goodbye"}}',
  ]);
