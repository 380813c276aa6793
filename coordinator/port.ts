import { AppError, messageOf } from "../shared/basics/errors.ts";

/** Where a coordinator listens. */
type Place = { readonly host: string; readonly port: number };

/** Why it cannot listen there, in words. `cause` is what the system answered. */
export const portProblem = ({ host, port }: Place, cause: unknown): AppError => {
  const code = (cause as NodeJS.ErrnoException).code; // listen fails with the system's errors
  const why = code === "EADDRINUSE" ? "another program is using it" : messageOf(cause);
  return new AppError("CONFLICT", `Port ${port} on ${host} is not available: ${why}. Choose another with --port`, {
    cause,
  });
};
