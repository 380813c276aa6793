import { parentPort } from "node:worker_threads";
import { AppError, type ErrorCode, type ErrorDetail, messageOf } from "../../shared/basics/errors.ts";
import { giveWay } from "../give-way.ts";
import { type Asked, type Read, readJob } from "./read-job.ts";

export type Said =
  | Read
  | {
      readonly refused: {
        readonly code: ErrorCode;
        readonly message: string;
        readonly details: readonly ErrorDetail[];
      };
    }
  | { readonly fault: string };

const answer = (asked: Asked): Said => {
  try {
    return readJob(asked);
  } catch (error) {
    if (!(error instanceof AppError)) return { fault: messageOf(error) };
    const { code, message, details } = error;
    return { refused: { code, message, details } };
  }
};

giveWay();
// Reads the jobs that take longer than the coordinator's loop has time for.
parentPort?.on("message", (asked: Asked) => parentPort?.postMessage(answer(asked)));
