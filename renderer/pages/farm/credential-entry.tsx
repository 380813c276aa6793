import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { messageOf } from "../../../shared/basics/errors.ts";
import type { CredentialKind } from "../../../shared/credentials/credentials.ts";
import type { VaultHead } from "../../../shared/credentials/vault.ts";
import { request } from "../../data/client.ts";
import { credentialsQuery, nodesQuery } from "../../data/queries.ts";
import { Button } from "../../ui/controls/button.tsx";
import { Choice, Field, LongField, useText } from "../../ui/controls/field.tsx";
import { Form } from "../../ui/controls/form.tsx";
import { useSay } from "../../ui/overlays/toast.tsx";
import { Notice } from "../../ui/text/notice.tsx";
import { type CredentialField, credentialForms, credentialOf } from "./credential-kinds.ts";
import { Trial } from "./credential-trial.tsx";

const kinds = Object.entries(credentialForms).map(([kind, { word }]) => [kind as CredentialKind, word] as const); // its keys

const wordsIn = (text: string): string[] =>
  text
    .split(",")
    .map((each) => each.trim())
    .filter((each) => each !== "");

type EntryProps = {
  readonly earlier: VaultHead | undefined;
  readonly onDone: () => void;
};

/** The form for a new credential, or for changing one: its values are not shown, and stay where nothing is given. */
export const CredentialEntry = ({ earlier, onDone }: EntryProps) => {
  const entry = useEntry(earlier);
  const { kind, name, prefix, groups, nodes } = entry;
  const put = useStore(entry, onDone);
  const form = credentialForms[kind];
  return (
    <Form onSend={() => put.mutate()}>
      <Field
        label={t`Name`}
        required
        readOnly={earlier !== undefined}
        hint={t`Jobs name it as access.credentials_key`}
        {...name.input}
      />
      <Choice label={t`Kind of storage`} value={kind} choices={kinds} onChoose={entry.setKind} />
      <Field
        label={t`Prefix`}
        placeholder={form.example}
        hint={t`Opens every address below it, and no other. Another prefix needs the secret again`}
        {...prefix.input}
      />
      <Field
        label={t`Only for compute groups`}
        placeholder={t`studio-a, studio-b`}
        hint={t`Tasks that need it run only on their nodes. Empty here and below: every node may use it`}
        {...groups.input}
      />
      <Field
        label={t`Only for nodes`}
        placeholder={t`edit-01, rack-05`}
        hint={t`Their names or ids`}
        {...nodes.input}
      />
      <Secrets entry={entry} />
      {put.error && <Notice tone="failed">{messageOf(put.error)}</Notice>}
      <Button look="primary" type="submit" disabled={put.isPending}>
        {earlier ? t`Change` : t`Store`}
      </Button>
    </Form>
  );
};

/** What has been typed, beginning with the earlier credential. */
const useEntry = (earlier: VaultHead | undefined) => {
  const [kind, setKind] = useState<CredentialKind>(kinds.find(([each]) => each === earlier?.kind)?.[0] ?? "s3");
  const [values, setValues] = useState<Readonly<Record<string, string>>>({});
  const { data: known = [] } = useQuery(nodesQuery);
  return {
    kind,
    setKind,
    values,
    setValues,
    isChange: earlier?.kind === kind,
    name: useText(earlier?.name),
    prefix: useText(earlier?.prefix),
    groups: useText(earlier?.groups?.join(", ")),
    nodes: useText(earlier?.nodes?.map((id) => known.find((node) => node.id === id)?.name ?? id).join(", ")),
    idOf: (word: string) => known.find((node) => node.name === word)?.id ?? word,
  };
};

type Entry = ReturnType<typeof useEntry>;

const useStore = ({ kind, values, isChange, name, prefix, groups, nodes, idOf }: Entry, onDone: () => void) => {
  const say = useSay();
  const queries = useQueryClient();
  const send = () => {
    const written = { name: name.text.trim(), groups: wordsIn(groups.text), nodes: wordsIn(nodes.text).map(idOf) };
    const address = prefix.text.trim();
    // The routes check the fields of each kind, and say what is missing.
    const credential = credentialOf(kind, values) as Parameters<typeof request<"putCredential">>[1]["credential"];
    if (isChange) return request("changeCredential", { ...written, ...(address && { prefix: address }), credential });
    return request("putCredential", { ...written, prefix: address, credential });
  };
  return useMutation({
    mutationFn: send,
    onSuccess: ({ name: stored }) => {
      say(t`${stored} is stored.`);
      onDone();
      return queries.invalidateQueries({ queryKey: credentialsQuery.queryKey });
    },
  });
};

/** The fields of the credential's kind, and a trial of what is typed. */
const Secrets = ({ entry: { kind, values, setValues, isChange, prefix } }: { readonly entry: Entry }) => (
  <>
    {isChange && (
      <p>
        <Trans>Leave a field empty to keep its stored value, which is not shown.</Trans>
      </p>
    )}
    {credentialForms[kind].fields.map((field) => (
      <One
        key={`${kind} ${field.key}`}
        field={isChange ? { ...field, isNeeded: false } : field}
        value={values[field.key] ?? ""}
        onValue={(value) => setValues({ ...values, [field.key]: value })}
      />
    ))}
    {prefix.text.trim() !== "" && !isChange && (
      <Trial
        label={t`Test these credentials`}
        what={() =>
          // The route checks the fields of each kind.
          ({ prefix: prefix.text.trim(), credential: credentialOf(kind, values) }) as Parameters<
            typeof request<"tryCredential">
          >[1]
        }
      />
    )}
  </>
);

type Props = {
  readonly field: CredentialField;
  readonly value: string;
  readonly onValue: (value: string) => void;
};

const One = ({ field: { label, hint, look, choices, isNeeded }, value, onValue }: Props) => {
  if (choices) return <Choice label={label} value={value} choices={choices} onChoose={onValue} />;
  if (look === "long") return <LongField label={label} hint={hint} value={value} onText={onValue} />;
  return (
    <Field
      label={label}
      hint={hint}
      required={isNeeded}
      type={look === "secret" ? "password" : look === "number" ? "number" : "text"}
      autoComplete={look === "secret" ? "new-password" : "off"}
      value={value}
      onChange={(event) => onValue(event.target.value)}
    />
  );
};
