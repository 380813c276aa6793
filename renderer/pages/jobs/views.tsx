import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { messageOf } from "../../../shared/basics/errors.ts";
import type { SavedView } from "../../../shared/people/saved-view.ts";
import { request } from "../../data/client.ts";
import { savedViewsQuery } from "../../data/queries.ts";
import { useMay, useSession } from "../../data/session.tsx";
import { Button } from "../../ui/controls/button.tsx";
import { Field, useText } from "../../ui/controls/field.tsx";
import { Form } from "../../ui/controls/form.tsx";
import { Dialog } from "../../ui/overlays/dialog.tsx";
import { useSay } from "../../ui/overlays/toast.tsx";
import { classes } from "../../ui/text/classes.ts";
import { Notice } from "../../ui/text/notice.tsx";
import css from "./jobs.module.css";
import { isView, type JobsSearch, ownView, shippedViews } from "./search.ts";

/** Named filters: the built-in ones, and those that people saved for everybody. */
export const Views = ({ search }: { readonly search: JobsSearch }) => {
  const { data: kept = [] } = useQuery(savedViewsQuery);
  const navigate = useNavigate();
  const mayKeep = useMay("operator");
  const [isNaming, setNaming] = useState(false);
  const own = kept.filter(({ page }) => page === "jobs");
  const current = own.find((view) => isView(search, view));
  const [whole, ...others] = shippedViews;
  const shown = [...(whole ? [whole] : []), ownView(useSession().name), ...others, ...own];
  const isKnown = shown.some((view) => isView(search, view));
  const open = (view: SavedView) => void navigate({ to: "/jobs", search: view.search as JobsSearch }); // read again there
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset lays its legend and children out in its own way
    <div className={css.views} role="group" aria-label={t`Views`}>
      {shown.map((view) => (
        <button
          key={view.name}
          type="button"
          className={classes(css.view, isView(search, view) && css.shown)}
          aria-pressed={isView(search, view)}
          onClick={() => open(view)}
        >
          <bdi translate={own.includes(view) ? "no" : undefined}>{view.name}</bdi>
        </button>
      ))}
      {mayKeep && !isKnown && (
        <Button look="quiet" onClick={() => setNaming(true)}>
          <Trans>Save view…</Trans>
        </Button>
      )}
      {mayKeep && current && <Forget view={current} />}
      <Dialog title={t`Save this view`} isOpen={isNaming} onClose={() => setNaming(false)}>
        <NameView search={search} onDone={() => setNaming(false)} />
      </Dialog>
    </div>
  );
};

const NameView = ({ search, onDone }: { readonly search: JobsSearch; readonly onDone: () => void }) => {
  const queries = useQueryClient();
  const name = useText();
  const save = useMutation({
    mutationFn: () =>
      request("putView", { page: "jobs", name: name.text.trim(), search: JSON.parse(JSON.stringify(search)) }),
    onSuccess: () => {
      void queries.invalidateQueries({ queryKey: savedViewsQuery.queryKey });
      onDone();
    },
  });
  return (
    <Form onSend={() => save.mutate()}>
      <Field label={t`Name`} hint={t`Everybody on the farm sees it`} required maxLength={60} {...name.input} />
      {save.error && <Notice tone="failed">{messageOf(save.error)}</Notice>}
      <Button look="primary" type="submit" disabled={save.isPending}>
        <Trans>Save</Trans>
      </Button>
    </Form>
  );
};

const Forget = ({ view }: { readonly view: SavedView }) => {
  const queries = useQueryClient();
  const say = useSay();
  const again = () => queries.invalidateQueries({ queryKey: savedViewsQuery.queryKey });
  const remove = async () => {
    await request("deleteView", { page: view.page, name: view.name });
    await again();
    say(t`The view ${view.name} is gone.`, () => void request("putView", view).then(again));
  };
  return (
    <Button look="quiet" onClick={() => void remove().catch((problem) => say(messageOf(problem)))}>
      <Trans>Forget view</Trans>
    </Button>
  );
};
