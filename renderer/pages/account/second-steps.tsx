import { plural, t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { Passkey, SecondSteps as Steps } from "../../../shared/people/second-steps.ts";
import { secondStepsQuery } from "../../data/identity-queries.ts";
import { useNow } from "../../data/link.ts";
import { canUsePasskeys } from "../../data/passkeys.ts";
import { useSession } from "../../data/session.tsx";
import { refusalWords } from "../../language/words.ts";
import { Button } from "../../ui/controls/button.tsx";
import { Fields } from "../../ui/controls/form.tsx";
import { Item, ListPanel } from "../../ui/table/list.tsx";
import { shortTime } from "../../ui/text/format.ts";
import { Words } from "../../ui/text/words.tsx";
import css from "./account.module.css";
import { StepDialog, type StepWish } from "./step-dialog.tsx";

/** One's passkeys and one-time codes, for whoever has a password here. */
export const SecondSteps = () => {
  const { provider, is_local } = useSession();
  return provider === undefined || is_local ? <OwnSteps /> : null;
};

const OwnSteps = () => {
  const { data, error } = useQuery(secondStepsQuery);
  const [wish, setWish] = useState<StepWish>();
  return (
    <ListPanel
      title={t`Passkeys and codes`}
      entries={data && entriesOf(data)}
      error={error}
      item={(entry) => <Entry key={entry.id} entry={entry} onWish={setWish} />}
    >
      {data && <Offers steps={data} onWish={setWish} />}
      {wish && <StepDialog wish={wish} onClose={() => setWish(undefined)} />}
    </ListPanel>
  );
};

type OnWish = (wish: StepWish) => void;
type EntryOf = Passkey | { readonly id: "codes"; readonly since: string };

const entriesOf = ({ passkeys, codes }: Steps): EntryOf[] => [
  ...passkeys,
  ...(codes ? [{ id: "codes" as const, since: codes.since }] : []),
];

const Entry = ({ entry, onWish }: { readonly entry: EntryOf; readonly onWish: OnWish }) => {
  const now = useNow();
  if ("since" in entry) {
    const since = shortTime(entry.since, now);
    return (
      <Item
        name={t`Codes from an app`}
        below={t`since ${since}`}
        actions={
          <Button aria-label={t`Remove the codes…`} onClick={() => onWish({ do: "removeCodes" })}>
            <Trans>Remove…</Trans>
          </Button>
        }
      />
    );
  }
  const { id, name, host, created, last_used: last } = entry;
  const made = shortTime(created, now);
  return (
    <Item
      name={<Words text={name} />}
      below={last === null ? t`made ${made}, never used` : t`made ${made}, last used ${shortTime(last, now)}`}
      note={<Words text={host} />}
      actions={
        <Button aria-label={t`Remove the passkey ${name}…`} onClick={() => onWish({ do: "removePasskey", id, name })}>
          <Trans>Remove…</Trans>
        </Button>
      }
    />
  );
};

const Offers = ({ steps, onWish }: { readonly steps: Steps; readonly onWish: OnWish }) => {
  const { codes, passkeys, recovery_left: left, is_required, not_here } = steps;
  const hasStep = codes !== null || passkeys.length > 0;
  return (
    <Fields>
      <p className={css.note}>
        {hasStep
          ? t`A passkey signs you in alone. After your password, you are asked for a passkey or a code.`
          : t`Once you have a passkey or codes, your password alone no longer signs you in.`}{" "}
        {is_required && t`This farm wants you to have one.`}
      </p>
      {!canUsePasskeys() && not_here !== null && <p className={css.note}>{refusalWords(not_here)}</p>}
      <p className={css.buttons}>
        {canUsePasskeys() && (
          <Button onClick={() => onWish({ do: "addPasskey" })}>
            <Trans>Add a passkey…</Trans>
          </Button>
        )}
        <Button onClick={() => onWish({ do: "setUpCodes" })}>
          {codes ? <Trans>Use another app…</Trans> : <Trans>Set up codes…</Trans>}
        </Button>
        {hasStep && (
          <Button onClick={() => onWish({ do: "renewRecovery" })}>
            <Trans>New recovery codes…</Trans>
          </Button>
        )}
      </p>
      {hasStep && (
        <p className={css.note}>
          {plural(left, { one: "# recovery code is not used yet.", other: "# recovery codes are not used yet." })}
        </p>
      )}
    </Fields>
  );
};
