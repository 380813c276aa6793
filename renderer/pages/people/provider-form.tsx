import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { GivenIdentityProvider, ProviderView } from "../../../shared/people/identity.ts";
import { type Role, roles } from "../../../shared/people/person.ts";
import { request } from "../../data/client.ts";
import { identityQuery } from "../../data/identity-queries.ts";
import { refusalText } from "../../language/words.ts";
import { Button } from "../../ui/controls/button.tsx";
import { Field, LongField, useText } from "../../ui/controls/field.tsx";
import { Form } from "../../ui/controls/form.tsx";
import { Notice } from "../../ui/text/notice.tsx";
import { Words } from "../../ui/text/words.tsx";

const groupLabels: Record<Role, string> = {
  owner: t`Groups of owners`,
  operator: t`Groups of operators`,
  viewer: t`Groups of viewers`,
};

/** A new provider, or one that takes the place of the one of the same name. */
export const ProviderForm = ({
  old,
  onDone,
}: {
  readonly old: ProviderView | undefined;
  readonly onDone: () => void;
}) => {
  const queries = useQueryClient();
  const [name, issuer, clientId] = [useText(old?.name), useText(old?.issuer ?? "https://"), useText(old?.client_id)];
  const [secret, hours] = [useText(), useText(String(old?.session_hours ?? 12))];
  const [groupsClaim, nameClaim] = [
    useText(old?.groups_claim ?? "groups"),
    useText(old?.name_claim ?? "preferred_username"),
  ];
  const scopes = useText((old?.scopes ?? ["openid", "profile", "email"]).join(" "));
  const [groups, setGroups] = useState(() => textsOf(old));
  const provider: GivenIdentityProvider = {
    ...{ name: name.text, issuer: issuer.text, client_id: clientId.text, session_hours: Number(hours.text) },
    ...{ groups_claim: groupsClaim.text, name_claim: nameClaim.text, scopes: wordsIn(scopes.text, /\s+/) },
    roles: { owner: linesIn(groups.owner), operator: linesIn(groups.operator), viewer: linesIn(groups.viewer) },
    // Narrowed by the command line alone; a change here leaves it.
    narrowed: old?.narrowed ?? [],
    ...secretOf(secret.text, old),
  };
  const write = useMutation({
    mutationFn: () => request("putProvider", provider),
    onSuccess: (view) => {
      queries.setQueryData(identityQuery.queryKey, view);
      onDone();
    },
  });
  return (
    <Form onSend={() => write.mutate()}>
      <Field
        label={t`Name`}
        hint={t`One word, such as studio: it is on the button and in the address below`}
        required
        maxLength={40}
        autoComplete="off"
        readOnly={old !== undefined}
        {...name.input}
      />
      <p>
        <Trans>Give the provider this address for the answer (redirect URI):</Trans>{" "}
        <Words text={new URL(`./signed-in/${name.text}`, document.baseURI).href} wraps />
      </p>
      <p>
        <Trans>If it tells sign-outs (back-channel logout), this one:</Trans>{" "}
        <Words text={new URL(`./signed-out/${name.text}`, document.baseURI).href} wraps />
      </p>
      <Field
        label={t`Issuer`}
        hint={t`The provider's address, as it names itself`}
        required
        maxLength={2000}
        {...issuer.input}
      />
      <Field label={t`Client ID`} required maxLength={500} autoComplete="off" {...clientId.input} />
      <Field
        label={t`Client secret`}
        hint={old?.is_confidential ? t`Empty: the one that is stored` : t`Empty for a public client`}
        type="password"
        maxLength={2000}
        autoComplete="off"
        {...secret.input}
      />
      {roles.map((role) => (
        <LongField
          key={role}
          label={groupLabels[role]}
          hint={t`One a line, exactly as the provider sends them`}
          value={groups[role]}
          onText={(text) => setGroups({ ...groups, [role]: text })}
        />
      ))}
      <Field label={t`Claim with the groups`} required maxLength={200} {...groupsClaim.input} />
      <Field label={t`Claim with the name`} required maxLength={200} {...nameClaim.input} />
      <Field label={t`Scopes`} hint={t`Words, separated by blanks`} maxLength={2000} {...scopes.input} />
      <Field
        label={t`Sessions last, in hours`}
        hint={t`Then the provider is asked again. Who left a group may stay in for so long`}
        type="number"
        required
        min={1}
        max={720}
        {...hours.input}
      />
      {write.error && <Notice tone="failed">{refusalText(write.error)}</Notice>}
      <Button look="primary" type="submit" disabled={write.isPending}>
        {old ? <Trans>Change the provider</Trans> : <Trans>Add the provider</Trans>}
      </Button>
    </Form>
  );
};

const textsOf = (old: ProviderView | undefined): Record<Role, string> => ({
  owner: old?.roles.owner.join("\n") ?? "",
  operator: old?.roles.operator.join("\n") ?? "",
  viewer: old?.roles.viewer.join("\n") ?? "",
});

const wordsIn = (text: string, between: RegExp): string[] =>
  text
    .split(between)
    .map((each) => each.trim())
    .filter(Boolean);

const linesIn = (text: string): string[] => wordsIn(text, /\n/);

/** Left out, the stored one stays; a new provider without one is a public client. */
const secretOf = (text: string, old: ProviderView | undefined): Pick<GivenIdentityProvider, "client_secret"> => {
  if (text !== "") return { client_secret: text };
  return old?.is_confidential ? {} : { client_secret: null };
};
