import { t } from "@lingui/core/macro";
import { useQuery } from "@tanstack/react-query";
import { unknownTags } from "../../../shared/model/unknown-tags.ts";
import { computeGroupsQuery, nodesQuery } from "../../data/queries.ts";
import { Notice } from "../../ui/text/notice.tsx";
import { Words } from "../../ui/text/words.tsx";
import css from "./submit.module.css";

/** Warns of tags that no node of the farm provides, while they are typed. */
export const TagWarnings = ({ job }: { readonly job: Readonly<Record<string, unknown>> }) => {
  const { data: nodes } = useQuery(nodesQuery);
  const { data: groups } = useQuery(computeGroupsQuery);
  if (!nodes || !groups || nodes.length === 0) return null;
  const provided = new Set([
    ...nodes.flatMap(({ tags }) => tags),
    ...groups.flatMap(({ provided_tags, mandatory_tags }) => [...provided_tags, ...mandatory_tags]),
  ]);
  const wanted = Array.isArray(job.task_tags)
    ? job.task_tags.filter((tag) => typeof tag === "string" && tag !== "")
    : [];
  return (
    <>
      {unknownTags(wanted, provided).map(({ tag, like }) => (
        <div key={tag} className={css.good}>
          <Notice tone="late">
            <Words
              text={
                like === undefined
                  ? t`No node of the farm provides the tag “${tag}”: its tasks would wait.`
                  : t`No node of the farm provides the tag “${tag}”. Did you mean “${like}”?`
              }
              isOurs
              wraps
            />
          </Notice>
        </div>
      ))}
    </>
  );
};
