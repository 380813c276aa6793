import { useState } from "react";
import { type JobGroup, jobGroups } from "../../../shared/api/job-view.ts";

const key = "mediafarm.closed-groups";

const stored = (): ReadonlySet<JobGroup> => {
  const named = (localStorage.getItem(key) ?? "").split(",");
  return new Set(jobGroups.filter((group) => named.includes(group)));
};

/** The groups of the list that are closed; stored in this browser. */
export const useClosed = () => {
  const [closed, setClosed] = useState(stored);
  const toggle = (group: JobGroup) =>
    setClosed((old) => {
      const next = new Set(old);
      if (!next.delete(group)) next.add(group);
      localStorage.setItem(key, [...next].join(","));
      return next;
    });
  return { closed, toggle };
};
