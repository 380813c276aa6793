import { plural, t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { WebhookDelivery, WebhookView } from "../../../shared/api/webhooks.ts";
import { messageOf } from "../../../shared/basics/errors.ts";
import { type WebhookDeliveryState, webhookDeliveryStates } from "../../../shared/outbound/webhooks.ts";
import { request } from "../../data/client.ts";
import { useNow } from "../../data/link.ts";
import { Button } from "../../ui/controls/button.tsx";
import { Choice } from "../../ui/controls/field.tsx";
import { useSay } from "../../ui/overlays/toast.tsx";
import { Item, ListPanel } from "../../ui/table/list.tsx";
import { shortTime } from "../../ui/text/format.ts";
import { Empty } from "../../ui/text/notice.tsx";
import { Words } from "../../ui/text/words.tsx";
import { messageStateWords } from "./event-words.ts";
import { messagesQuery, webhooksQuery } from "./webhooks-query.ts";

type State = WebhookDeliveryState | "all";
const states: readonly (readonly [State, string])[] = [
  ["all", t`all`],
  ...webhookDeliveryStates.map((state) => [state, messageStateWords[state]] as const),
];

/** What one webhook was told last, and what its receiver said. */
export const Messages = ({ webhooks }: { readonly webhooks: readonly WebhookView[] }) => {
  const [chosen, setChosen] = useState("");
  const [state, setState] = useState<State>("all");
  // One whose receiver takes nothing is what people come for.
  const isFailing = ({ failing_since }: WebhookView) => failing_since !== null;
  const webhook = webhooks.find(({ name }) => name === chosen) ?? webhooks.find(isFailing) ?? webhooks[0];
  const name = webhook?.name ?? "";
  const { data, error } = useQuery({ ...messagesQuery(name, state), enabled: name !== "" });
  const again = useSendAgain(name);
  if (!webhook) return null;
  return (
    <ListPanel
      title={t`Messages`}
      entries={data?.items}
      error={error}
      aid={
        webhook.counts.given_up > 0 && (
          <Button disabled={again.isPending} onClick={() => again.mutate({ all_given_up: true })}>
            <Trans>Send all again that were given up</Trans>
          </Button>
        )
      }
      before={
        <>
          <Choice
            label={t`Webhook`}
            value={name}
            choices={webhooks.map((each) => [each.name, each.name] as const)}
            onChoose={setChosen}
          />
          <Choice label={t`State`} value={state} choices={states} onChoose={setState} />
        </>
      }
      empty={<NoMessage {...{ name, state }} onAll={() => setState("all")} />}
      item={(message) => (
        <Message key={message.id} message={message} onAgain={() => again.mutate({ ids: [message.id] })} />
      )}
    />
  );
};

type NoMessageProps = { readonly name: string; readonly state: State; readonly onAll: () => void };

const NoMessage = ({ name, state, onAll }: NoMessageProps) =>
  state === "all" ? (
    <Empty title={t`Nothing was sent to ${name} yet.`} />
  ) : (
    <Empty title={t`No message to ${name} has this state: ${messageStateWords[state]}.`}>
      <Button onClick={onAll}>
        <Trans>Show all messages</Trans>
      </Button>
    </Empty>
  );

const useSendAgain = (name: string) => {
  const queries = useQueryClient();
  const say = useSay();
  return useMutation({
    mutationFn: (which: { readonly ids?: string[]; readonly all_given_up?: boolean }) =>
      request("sendWebhookMessages", { name, ...which }),
    onSuccess: ({ count }) =>
      say(plural(count, { one: "# message is sent again.", other: "# messages are sent again." })),
    onError: (problem) => say(messageOf(problem)),
    onSettled: () => queries.invalidateQueries({ queryKey: webhooksQuery.queryKey }),
  });
};

type MessageProps = { readonly message: WebhookDelivery; readonly onAgain: () => void };

const Message = ({ message, onAgain }: MessageProps) => {
  const { type, about, made, state, tries, status, answer, next_try } = message;
  const now = useNow();
  const what = `${type} ${about}`.trim();
  const outcome = [
    ...[shortTime(made, now), messageStateWords[state]],
    ...(status === null ? [] : [t`status ${status}`]),
    ...(tries > 1 ? [plural(tries, { one: "# try", other: "# tries" })] : []),
    ...(next_try === null ? [] : [t`next try ${shortTime(next_try, now)}`]),
  ].join(", ");
  return (
    <Item
      name={<Words text={what} isOurs />}
      below={outcome}
      actions={
        state !== "waiting" && (
          <Button aria-label={t`Send again: ${what}`} onClick={onAgain}>
            <Trans>Send again</Trans>
          </Button>
        )
      }
    >
      {state !== "delivered" && answer !== null && <Words text={answer} wraps />}
    </Item>
  );
};
