import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { messageOf } from "../../../shared/basics/errors.ts";
import { type AlertLanguage, alertLanguages, type GivenAlertChannel } from "../../../shared/outbound/alerts.ts";
import { request } from "../../data/client.ts";
import { languages } from "../../language/languages.ts";
import { Button } from "../../ui/controls/button.tsx";
import { Choice, Field, useText } from "../../ui/controls/field.tsx";
import { Form } from "../../ui/controls/form.tsx";
import { Notice } from "../../ui/text/notice.tsx";
import { alertsQuery } from "./alerts-query.ts";

const kinds = [
  ["email", t`E-mail`],
  ["webhook", t`Webhook: a chat or a program`],
  ["desktop", t`Desktops of people with an open page`],
] as const;

const languageChoices = [
  ["", t`The farm’s`],
  ...alertLanguages.map((name) => [name, languages[name]?.name ?? name] as const),
] as const;

/** A new channel, or one that takes the place of the one of the same name. */
export const ChannelForm = ({ onDone }: { readonly onDone: () => void }) => {
  const [kind, setKind] = useState<GivenAlertChannel["kind"]>("email");
  const name = useText();
  const mail = useMail();
  const hook = useHook();
  const queries = useQueryClient();
  const [language, setLanguage] = useState<AlertLanguage | "">("");
  const spoken = language === "" ? {} : { language };
  const channel: GivenAlertChannel = {
    email: { ...mail.channel, ...spoken },
    webhook: { ...hook.channel, ...spoken },
    desktop: { kind: "desktop" as const },
  }[kind];
  const write = useMutation({
    mutationFn: () => request("putAlertChannel", { name: name.text, channel }),
    onSuccess: (view) => {
      queries.setQueryData(alertsQuery.queryKey, view);
      onDone();
    },
  });
  return (
    <Form onSend={() => write.mutate()}>
      <Choice label={t`Kind`} value={kind} choices={kinds} onChoose={setKind} />
      <Field label={t`Name`} required maxLength={60} autoComplete="off" {...name.input} />
      {kind === "email" && mail.fields}
      {kind === "webhook" && hook.fields}
      {kind !== "desktop" && (
        <Choice label={t`Language`} value={language} choices={languageChoices} onChoose={setLanguage} />
      )}
      {kind === "desktop" && (
        <p>
          <Trans>Everybody chooses on the page Account whether their desktop shows it.</Trans>
        </p>
      )}
      {write.error && <Notice tone="failed">{messageOf(write.error)}</Notice>}
      <Button look="primary" type="submit" disabled={write.isPending}>
        <Trans>Add the channel</Trans>
      </Button>
    </Form>
  );
};

const useMail = () => {
  const [recipients, server, from] = [useText(), useText("smtp://"), useText()];
  const [username, password] = [useText(), useText()];
  const channel: Extract<GivenAlertChannel, { kind: "email" }> = {
    ...{ kind: "email", server: server.text.trim(), from: from.text.trim() },
    recipients: recipients.text.split(/[,;\s]+/).filter(Boolean),
    ...(username.text !== "" && { username: username.text, password: password.text }),
  };
  const fields = (
    <>
      <Field label={t`To`} hint={t`Addresses, separated by commas`} required maxLength={4000} {...recipients.input} />
      <Field label={t`From`} type="email" required maxLength={320} {...from.input} />
      <Field
        label={t`Mail server`}
        hint={t`smtp://host:587, or smtps://host`}
        required
        maxLength={300}
        {...server.input}
      />
      <Field
        label={t`User name`}
        hint={t`Empty where the server wants none`}
        maxLength={300}
        autoComplete="off"
        {...username.input}
      />
      {username.text !== "" && (
        <Field label={t`Password`} type="password" required maxLength={1000} autoComplete="off" {...password.input} />
      )}
    </>
  );
  return { channel, fields };
};

const useHook = () => {
  const [url, authorization, secret] = [useText(), useText(), useText()];
  const channel: Extract<GivenAlertChannel, { kind: "webhook" }> = {
    ...{ kind: "webhook", url: url.text.trim() },
    ...(authorization.text !== "" && { authorization: authorization.text }),
    ...(secret.text !== "" && { secret: secret.text.trim() }),
  };
  const fields = (
    <>
      <Field
        label={t`Address`}
        hint={t`It gets a POST with JSON, which chats such as Slack, Mattermost and Discord show. An address in your own network needs a rule on the page Farm`}
        type="url"
        required
        maxLength={2000}
        autoComplete="off"
        {...url.input}
      />
      <Field
        label={t`Authorization`}
        hint={t`The value of this header, such as Bearer …; empty where the receiver wants none`}
        type="password"
        maxLength={2000}
        autoComplete="off"
        {...authorization.input}
      />
      <Field
        label={t`Signing secret`}
        hint={t`whsec_…, with which the receiver checks signatures; empty where it checks none`}
        type="password"
        maxLength={200}
        autoComplete="off"
        {...secret.input}
      />
    </>
  );
  return { channel, fields };
};
