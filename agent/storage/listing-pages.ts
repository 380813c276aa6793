import { TaskError } from "../../shared/causes.ts";

/**
 * Follows the marks with which a service continues its listing. A service that gives the same mark twice would be
 * listed for ever: TaskError `storage`.
 */
export const createMarks = (uri: string) => {
  let before: string | undefined;
  return {
    refuseRepeated: (mark: string | undefined): void => {
      if (mark !== undefined && mark === before)
        throw new TaskError("storage", `${uri}: the service lists the same files again and again; check the service`);
      before = mark;
    },
  };
};
