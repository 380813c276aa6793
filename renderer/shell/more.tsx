import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { request } from "../data/client.ts";
import { desktopApp } from "../data/computer.ts";
import { useMay, useSession } from "../data/session.tsx";
import { forgetPerson } from "../data/sign-out.ts";
import { translated } from "../language/words.ts";
import { applyTheme, readTheme } from "../ui/browser/theme.ts";
import { Button } from "../ui/controls/button.tsx";
import { Choice } from "../ui/controls/field.tsx";
import { useKeyList } from "../ui/controls/keys.tsx";
import { Dialog } from "../ui/overlays/dialog.tsx";
import { Words } from "../ui/text/words.tsx";
import { placesFor } from "./places.ts";
import css from "./shell.module.css";

type MoreProps = { readonly isOpen: boolean; readonly onClose: () => void };

/** Who is signed in, the pages that have no place in the navigation, the theme, and all keys. */
export const More = ({ isOpen, onClose }: MoreProps) => {
  const session = useSession();
  const queries = useQueryClient();
  const signOut = async () => {
    onClose();
    // Who cannot be reached keeps the session; this page forgets it.
    const answer = await request("signOut", {}).catch(() => undefined);
    forgetPerson(queries);
    // Out of the identity provider as well: otherwise its button would let anybody back in.
    if (answer?.go_to && !desktopApp()) location.assign(answer.go_to);
  };
  return (
    <Dialog title={t`You, theme and keys`} isOpen={isOpen} onClose={onClose} hasOwnClose>
      <div className={css.more}>
        <p>
          <Words text={session.name} wraps /> · {translated(session.role)}
        </p>
        <Places onLeave={onClose} />
        <Theme />
        {isOpen && <Keys />}
        <div className={css.answers}>
          <Button onClick={() => void signOut()}>
            <Trans>Sign out</Trans>
          </Button>
          <Button look="primary" hint="Esc" onClick={onClose}>
            <Trans>Close</Trans>
          </Button>
        </div>
      </div>
    </Dialog>
  );
};

const Places = ({ onLeave }: { readonly onLeave: () => void }) => (
  <p className={css.places}>
    {placesFor(useMay("owner")).map(
      ({ to, about }) =>
        about !== undefined && (
          <Link key={to} to={to} onClick={onLeave}>
            {about}
          </Link>
        ),
    )}
    <a href="docs/" target="_blank" rel="noreferrer" onClick={onLeave}>
      <Trans>Docs: how to do all of this (opens in a new tab)</Trans>
    </a>
  </p>
);

const Theme = () => {
  const [theme, setTheme] = useState(readTheme);
  return (
    <Choice
      label={t`Theme`}
      value={theme}
      choices={[
        ["system", t`As the system`],
        ["light", t`Light`],
        ["dark", t`Dark`],
      ]}
      onChoose={(chosen) => {
        setTheme(chosen);
        applyTheme(chosen);
      }}
    />
  );
};

const Keys = () => {
  const list = useKeyList();
  return (
    <dl className={css.keys}>
      {list().map(({ keys, word }) => (
        <div key={`${keys} ${word}`}>
          <dt>
            <kbd>{keys === "Escape" ? "Esc" : keys}</kbd>
          </dt>
          <dd>{word}</dd>
        </div>
      ))}
    </dl>
  );
};
