import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { messageOf } from "../../../shared/basics/errors.ts";
import { copyText } from "../browser/clipboard.ts";
import { Button } from "../controls/button.tsx";
import css from "./secrets.module.css";
import { useSay } from "./toast.tsx";

type Secret = readonly [name: string, value: string];

/** Keys and secrets by their names, each with a button that copies it. */
export const Secrets = ({ values }: { readonly values: readonly Secret[] }) => {
  const say = useSay();
  const copy = (name: string, value: string) =>
    copyText(value).then(
      () => say(t`${name} is copied.`),
      (problem) => say(t`${name} was not copied: ${messageOf(problem)}`),
    );
  return (
    <dl className={css.secrets}>
      {values.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            <code>{value}</code>
            <Button aria-label={t`Copy ${name}`} onClick={() => void copy(name, value)}>
              <Trans>Copy</Trans>
            </Button>
          </dd>
        </div>
      ))}
    </dl>
  );
};
