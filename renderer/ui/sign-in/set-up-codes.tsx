import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useState } from "react";
import { codesAddress } from "../../../shared/people/codes-address.ts";
import type { NewCodes } from "../../../shared/people/second-steps.ts";
import { refusalText } from "../../language/words.ts";
import { Button } from "../controls/button.tsx";
import { Form } from "../controls/form.tsx";
import { Secrets } from "../overlays/secrets.tsx";
import { Notice } from "../text/notice.tsx";
import { CodeField } from "./code-field.tsx";
import { Qr } from "./qr.tsx";

/** A secret for an app, which counts once a code of it was entered. */
export const SetUpCodes = ({
  codes,
  isPending,
  error,
  onCode,
}: {
  readonly codes: NewCodes;
  readonly isPending: boolean;
  readonly error: Error | null;
  readonly onCode: (code: string) => void;
}) => {
  const [code, setCode] = useState("");
  return (
    <Form onSend={() => onCode(code)}>
      <p>
        <Trans>
          Scan this with an app for one-time codes, or enter the secret there. Then enter the code that it shows.
        </Trans>
      </p>
      <Qr text={codesAddress(codes)} label={t`The secret as a picture, for the camera of your app`} />
      <Secrets values={[[t`Secret`, codes.secret]]} />
      <CodeField value={code} onChange={setCode} />
      {error && <Notice tone="failed">{refusalText(error)}</Notice>}
      <Button look="primary" type="submit" disabled={isPending}>
        <Trans>Use codes from now on</Trans>
      </Button>
    </Form>
  );
};
