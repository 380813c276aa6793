import { plural, t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { ProviderView } from "../../../shared/people/identity.ts";
import { request } from "../../data/client.ts";
import { identityQuery } from "../../data/identity-queries.ts";
import { refusalText } from "../../language/words.ts";
import { Button } from "../../ui/controls/button.tsx";
import { Confirm, Dialog } from "../../ui/overlays/dialog.tsx";
import { useSay } from "../../ui/overlays/toast.tsx";
import { Item, ListPanel } from "../../ui/table/list.tsx";
import { Empty } from "../../ui/text/notice.tsx";
import { Words } from "../../ui/text/words.tsx";
import { ProviderForm } from "./provider-form.tsx";

/** Identity providers that let people in, and which of their groups may what. */
export const Providers = () => {
  const { data, error } = useQuery(identityQuery);
  const [open, setOpen] = useState<ProviderView | "new">();
  const [leaving, setLeaving] = useState<string>();
  const queries = useQueryClient();
  const say = useSay();
  const remove = useMutation({
    mutationFn: (name: string) => request("deleteProvider", { name }),
    onSuccess: (view) => queries.setQueryData(identityQuery.queryKey, view),
    onError: (problem) => say(refusalText(problem)),
    onSettled: () => queries.invalidateQueries({ queryKey: ["people"] }),
  });
  return (
    <ListPanel
      title={t`Identity providers`}
      entries={data?.providers}
      error={error}
      aid={
        <Button onClick={() => setOpen("new")}>
          <Trans>New provider…</Trans>
        </Button>
      }
      empty={
        <Empty title={t`People sign in here, and at no provider.`}>
          <p>
            <Trans>
              An identity provider that speaks OpenID Connect lets people in by their groups: Keycloak, Entra ID, Okta,
              Google and others.
            </Trans>
          </p>
        </Empty>
      }
      item={(provider) => (
        <Provider
          key={provider.name}
          provider={provider}
          onChange={() => setOpen(provider)}
          onRemove={() => setLeaving(provider.name)}
        />
      )}
    >
      <Dialog
        title={open === "new" || open === undefined ? t`New provider` : t`Change ${open.name}`}
        isOpen={open !== undefined}
        onClose={() => setOpen(undefined)}
      >
        {open !== undefined && (
          <ProviderForm old={open === "new" ? undefined : open} onDone={() => setOpen(undefined)} />
        )}
      </Dialog>
      <Confirm
        title={t`Remove the provider ${leaving ?? ""}?`}
        text={t`Everybody who signs in with it is removed from this farm and signed out. Their jobs continue.`}
        keep={t`Keep it`}
        go={t`Remove`}
        isOpen={leaving !== undefined}
        onClose={() => setLeaving(undefined)}
        onGo={() => remove.mutate(leaving ?? "")}
      />
    </ListPanel>
  );
};

type ProviderProps = {
  readonly provider: ProviderView;
  readonly onChange: () => void;
  readonly onRemove: () => void;
};

const Provider = ({ provider: { name, issuer, roles }, onChange, onRemove }: ProviderProps) => {
  const say = useSay();
  const tryIt = useMutation({
    mutationFn: () => request("testProvider", { name }),
    onSuccess: ({ ends_sessions }) =>
      say(
        ends_sessions
          ? t`${name} answers. Signing out here signs people out there.`
          : t`${name} answers. It offers no sign-out: signing out here leaves people signed in there.`,
      ),
    onError: (problem) => say(refusalText(problem)),
  });
  const groups = Object.values(roles).reduce((sum, each) => sum + each.length, 0);
  return (
    <Item
      name={<Words text={name} />}
      below={<Words text={issuer} />}
      note={plural(groups, { one: "# group", other: "# groups" })}
      actions={
        <>
          <Button aria-label={t`Test ${name}`} disabled={tryIt.isPending} onClick={() => tryIt.mutate()}>
            <Trans>Test</Trans>
          </Button>
          <Button aria-label={t`Change ${name}…`} onClick={onChange}>
            <Trans>Change…</Trans>
          </Button>
          <Button aria-label={t`Remove ${name}…`} onClick={onRemove}>
            <Trans>Remove…</Trans>
          </Button>
        </>
      }
    />
  );
};
