import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { messageOf } from "../../../shared/basics/errors.ts";
import { copyText } from "../browser/clipboard.ts";
import { Button } from "../controls/button.tsx";
import { Fields } from "../controls/form.tsx";
import { useSay } from "../overlays/toast.tsx";
import css from "./sign-in.module.css";

/** Recovery codes, shown once. */
export const RecoveryCodes = ({
  codes,
  onDone,
}: {
  readonly codes: readonly string[];
  readonly onDone: () => void;
}) => {
  const say = useSay();
  const copy = () =>
    copyText(codes.join("\n")).then(
      () => say(t`The recovery codes are copied.`),
      (problem) => say(t`They were not copied: ${messageOf(problem)}`),
    );
  return (
    <Fields>
      <p>
        <Trans>
          Keep these recovery codes where you find them without this device. Each signs you in once, after your
          password. They are not shown again.
        </Trans>
      </p>
      <ul className={css.codes} aria-label={t`Recovery codes`}>
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <p className={css.buttons}>
        <Button onClick={() => void copy()}>
          <Trans>Copy them</Trans>
        </Button>
        <Button look="primary" onClick={onDone}>
          <Trans>I have kept them</Trans>
        </Button>
      </p>
    </Fields>
  );
};
