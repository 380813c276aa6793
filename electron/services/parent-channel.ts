import { AppError, messageOf } from "../../shared/basics/errors.ts";
import { systemClock } from "../../shared/basics/system-clock.ts";
import { type ServiceMessage, stop } from "./service-messages.ts";

/** A service's connection to the program that started it: Electron's port, or the channel of a forked Node process. */
type ParentChannel = {
  readonly say: (message: ServiceMessage) => void;
  readonly onMessage: (listener: (message: unknown) => void) => void;
  readonly onClosed: (listener: () => void) => void;
};

const openParentChannel = (): ParentChannel => {
  const port = process.parentPort;
  if (port) {
    return {
      say: (message) => port.postMessage(message),
      onMessage: (listener) => port.on("message", ({ data }) => listener(data)),
      onClosed: () => {}, // Electron ends its utility processes with itself
    };
  }
  return {
    say: (message) => process.send?.(message),
    onMessage: (listener) => process.on("message", listener),
    onClosed: (listener) => process.once("disconnect", listener),
  };
};

/**
 * Runs a service as a whole process: begins with the first message, ends cleanly at `stop` or when the parent is gone.
 * `begin` returns how to end it; an error is reported as a message, and the process exits with 1.
 */
export const runService = (begin: (message: unknown, say: ParentChannel["say"]) => Promise<Running>): void => {
  const door = openParentChannel();
  let running: Promise<Running> | undefined;

  const fail = (problem: unknown): void => {
    const words = problem instanceof AppError ? problem.message : `Internal error: ${messageOf(problem)}`;
    if (!(problem instanceof AppError)) console.error(problem);
    door.say({ type: "failed", words });
    // The channel is flushed in a later turn of the loop; exiting now would lose the message.
    systemClock.after(50, () => process.exit(1));
  };
  const end = (): void => {
    if (!running) process.exit(0);
    running
      .then(({ close }) => close())
      .then(
        () => process.exit(0),
        () => process.exit(1),
      );
  };

  door.onMessage((message) => {
    if (stop.safeParse(message).success) return end();
    if (running) {
      running.then(({ hear }) => hear?.(message)).catch(() => undefined); // a service that failed hears nothing
      return;
    }
    running = begin(message, door.say);
    running.then(({ ended }) => ended).catch(fail);
  });
  door.onClosed(end);
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, end);
};

type Running = {
  readonly close: () => Promise<void>;
  /** Messages after the first one. */
  readonly hear?: (message: unknown) => void;
  /** Rejects when the service cannot go on. */
  readonly ended?: Promise<void>;
};
