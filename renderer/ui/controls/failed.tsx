import { Trans } from "@lingui/react/macro";
import { messageOf } from "../../../shared/basics/errors.ts";
import { Notice } from "../text/notice.tsx";
import { Button } from "./button.tsx";

/** Why something could not be read, with a way to ask for it again. */
export const Failed = ({ error, onAgain }: { readonly error: unknown; readonly onAgain: () => void }) => (
  <Notice tone="failed" action={<TryAgain onClick={onAgain} />}>
    {messageOf(error)}
  </Notice>
);

export const TryAgain = ({ onClick }: { readonly onClick: () => void }) => (
  <Button onClick={onClick}>
    <Trans>Try again</Trans>
  </Button>
);
