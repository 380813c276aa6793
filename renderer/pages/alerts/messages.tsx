import { plural, t } from "@lingui/core/macro";
import type { AlertMessage } from "../../../shared/api/alerts.ts";
import { useNow } from "../../data/link.ts";
import { alertNames, alertStateWords, alertTitle } from "../../language/alerts.ts";
import { Item, ListPanel } from "../../ui/table/list.tsx";
import { shortTime } from "../../ui/text/format.ts";
import { Empty } from "../../ui/text/notice.tsx";
import { Words } from "../../ui/text/words.tsx";

/** What was told, when, and what the receiver said. */
export const Messages = ({ messages }: { readonly messages: readonly AlertMessage[] }) => (
  <ListPanel
    title={t`Last messages`}
    entries={messages}
    error={null}
    empty={<Empty title={t`Nothing was told yet.`} />}
    item={(message) => <Message key={message.id} message={message} />}
  />
);

const Message = ({ message }: { readonly message: AlertMessage }) => {
  const { content, channel, made, state, tries, answer, next_try } = message;
  const now = useNow();
  const names = alertNames(content);
  const count = plural(tries, { one: "# try", other: "# tries" });
  const outcome = [
    ...[shortTime(made, now), channel, alertStateWords[state]],
    ...(tries > 1 ? [count] : []),
    ...(next_try === null ? [] : [t`next try ${shortTime(next_try, now)}`]),
  ].join(", ");
  return (
    <Item
      name={<Words text={alertTitle(content)} isOurs wraps />}
      below={outcome}
      note={names === "" ? undefined : <Words text={names} />}
    >
      {state !== "told" && answer !== null && <Words text={answer} wraps />}
    </Item>
  );
};
