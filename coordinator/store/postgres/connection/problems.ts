import { AppError, messageOf } from "../../../../shared/basics/errors.ts";
import { StoreRefusal } from "../../batch.ts";

/** An error of the server or of the way to it: those of the server have a SQLSTATE. */
type Problem = { readonly code?: unknown; readonly severity?: unknown };

/** What the server refuses for no fault of the statement: it is full, ends, may not write, or has no time. */
const unable = /^(53|57P0[1-5]|58|57014$|25006$|25P0[34]$|55P03$|XX)/;
/** Two transactions stood in each other's way, or this program was too slow to go on with one: the same works a moment later. */
const collisions = new Set(["40001", "40P01", "25P03"]);
/** With these the server hangs up. */
const lastWords = /^(08|28|3D000$|25P0[34]$|57P0)/;
/** With these as well, where its disk or memory fails it while it writes what must be written. */
const perhapsLastWords = /^(53|58|XX)/;

const codeOf = (problem: unknown): string => {
  const { code } = problem as Problem; // read with care: it may be anything
  return typeof code === "string" ? code : "";
};

/**
 * The server itself has said it, and nothing is stored. Everything else happened on the way, or the server said it as it hung up
 * or fell: what was committed at that moment may be stored.
 */
export const isOfServer = (problem: unknown): boolean =>
  /^[0-9A-Z]{5}$/.test(codeOf(problem)) && "severity" in (problem as object) && !areLastWords(problem as Problem);

/** The severity is in the server's language, so most is known from the code. */
const areLastWords = ({ severity, code }: Problem): boolean => {
  if (severity === "FATAL" || severity === "PANIC" || lastWords.test(String(code))) return true;
  return severity !== "ERROR" && perhapsLastWords.test(String(code));
};

export const isCollision = (problem: unknown): boolean => collisions.has(codeOf(problem));

const wordsOf = (problem: unknown): string => `The database cannot be used: ${messageOf(problem)}`;

/** Nothing was stored, and the caller may try again; other errors as they are. */
export const asAnswer = (problem: unknown): unknown => {
  if (problem instanceof AppError || !isTrouble(problem)) return problem;
  return new AppError("UNAVAILABLE", wordsOf(problem), { cause: problem });
};

const isTrouble = (problem: unknown): boolean =>
  unable.test(codeOf(problem)) || (!isOfServer(problem) && isOfConnection(problem));

const isOfConnection = (problem: unknown): boolean => {
  const code = codeOf(problem);
  if (/^(E[A-Z]+|08...|57P0.|28...|3D000)$/.test(code)) return true;
  return problem instanceof Error && /connection|timeout|terminated|queryable/i.test(problem.message);
};

/** An error from before anything was sent. */
export class NotConnected extends AppError {
  constructor(cause: unknown) {
    super("UNAVAILABLE", wordsOf(cause), { cause });
  }
}

/** Why a batch was not written. Where the connection broke meanwhile, it may have been. */
export const refusalOf = (problem: unknown, batch: string): StoreRefusal => {
  if (problem instanceof StoreRefusal) return problem;
  const options = { cause: problem };
  if (problem instanceof NotConnected) return new StoreRefusal("disk", problem.message, options);
  if (!isOfServer(problem)) return new StoreRefusal("unknown", wordsOf(problem), options);
  if (codeOf(problem) === "MF001")
    return new StoreRefusal("fenced", `Another coordinator leads: ${batch} was refused`, options);
  return new StoreRefusal(unable.test(codeOf(problem)) ? "disk" : "content", wordsOf(problem), options);
};
