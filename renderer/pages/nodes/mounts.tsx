import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { messageOf } from "../../../shared/errors.ts";
import { mountAt } from "../../../shared/mounts.ts";
import type { FarmMount } from "../../../shared/protocol.ts";
import { request } from "../../data/client.ts";
import { mountsQuery } from "../../data/queries.ts";
import { useMay } from "../../data/session.tsx";
import { Button } from "../../ui/button.tsx";
import { Field } from "../../ui/field.tsx";
import { Empty, Loading, Notice } from "../../ui/notice.tsx";
import { useSay } from "../../ui/toast.tsx";
import { Words } from "../../ui/words.tsx";
import css from "./nodes.module.css";

/** Which folder on every node holds what has addresses with a prefix. Tasks that run keep the mounts they began with. */
export const Mounts = () => {
  const { data: mounts, error } = useQuery(mountsQuery);
  const mayChange = useMay("owner");
  const change = useChange();
  return (
    <div className={css.mounts}>
      {error && <Notice tone="failed">{messageOf(error)}</Notice>}
      {!mounts && !error && <Loading what="mounts" />}
      {mounts?.length === 0 && <Empty title="The farm has no mounts." />}
      <ul aria-label="Mounts of the farm">
        {mounts?.map(({ prefix, folders }) => (
          <li key={prefix} className={css.mount}>
            <Words text={prefix} />
            <Words text={[folders.posix, folders.win32].filter(Boolean).join("  ·  ")} />
            {mayChange && (
              <Button aria-label={`Take away ${prefix}`} onClick={() => change.mutate({ remove: [prefix] })}>
                Take away
              </Button>
            )}
          </li>
        ))}
      </ul>
      {mayChange && <NewMount />}
    </div>
  );
};

type Change = { readonly set?: FarmMount[]; readonly remove?: string[] };

/** Only what is named changes: somebody else's change of another mount stays. */
const useChange = () => {
  const queries = useQueryClient();
  const say = useSay();
  return useMutation({
    mutationFn: (change: Change) => request("changeMounts", change),
    onSuccess: ({ items }) => queries.setQueryData(mountsQuery.queryKey, items),
    onError: (problem) => say(messageOf(problem)),
  });
};

const NewMount = () => {
  const [prefix, setPrefix] = useState("");
  const [folder, setFolder] = useState("");
  const change = useChange();
  const add = () =>
    change.mutate(
      { set: [mountAt(prefix.trim(), folder.trim())] },
      {
        onSuccess: () => {
          setPrefix("");
          setFolder("");
        },
      },
    );
  return (
    <form
      className={css.mounts}
      onSubmit={(event) => {
        event.preventDefault();
        add();
      }}
    >
      <Field
        label="Prefix"
        hint="What addresses in jobs begin with, such as s3://bucket"
        required
        value={prefix}
        onChange={(event) => setPrefix(event.target.value)}
      />
      <Field
        label="Folder"
        hint="On every node: /mnt/bucket, or Z:\bucket for those that run Windows. Jobs may read and write it"
        required
        value={folder}
        onChange={(event) => setFolder(event.target.value)}
      />
      <Button look="primary" type="submit" disabled={change.isPending}>
        Add
      </Button>
    </form>
  );
};
