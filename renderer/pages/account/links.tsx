import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { AccountLink } from "../../../shared/people/identity.ts";
import { desktopApp } from "../../data/computer.ts";
import { linksQuery } from "../../data/identity-queries.ts";
import { useNow } from "../../data/link.ts";
import { Button } from "../../ui/controls/button.tsx";
import { Fields } from "../../ui/controls/form.tsx";
import { Item, ListPanel } from "../../ui/table/list.tsx";
import { shortTime } from "../../ui/text/format.ts";
import { Words } from "../../ui/text/words.tsx";
import css from "./account.module.css";
import { LinkDialog, type LinkWish } from "./link-dialog.tsx";

/** One's accounts at identity providers, which sign one in as well; nothing on a farm that has no providers. */
export const Links = () => {
  const { data, error } = useQuery(linksQuery);
  const [wish, setWish] = useState<LinkWish>();
  if (data && data.items.length + data.others.length === 0) return null;
  return (
    <ListPanel
      title={t`Linked accounts`}
      entries={data?.items}
      error={error}
      item={(link) => (
        <LinkItem key={link.provider} link={link} onEnd={() => setWish({ do: "endLink", provider: link.provider })} />
      )}
    >
      {data && data.others.length > 0 && (
        <Offers providers={data.others} onLink={(provider) => setWish({ do: "beginLink", provider })} />
      )}
      {data && wish && <LinkDialog wish={wish} asks={data.asks} onClose={() => setWish(undefined)} />}
    </ListPanel>
  );
};

const LinkItem = ({ link, onEnd }: { readonly link: AccountLink; readonly onEnd: () => void }) => {
  const now = useNow();
  const { provider, name, created, last_used: last } = link;
  const made = shortTime(created, now);
  return (
    <Item
      name={<Words text={provider} />}
      below={last === null ? t`linked ${made}, never used` : t`linked ${made}, last used ${shortTime(last, now)}`}
      note={<Words text={name} />}
      actions={
        <Button aria-label={t`End the link to ${provider}…`} onClick={onEnd}>
          <Trans>End the link…</Trans>
        </Button>
      }
    />
  );
};

type OffersProps = { readonly providers: readonly string[]; readonly onLink: (provider: string) => void };

const Offers = ({ providers, onLink }: OffersProps) => (
  <Fields>
    <p className={css.note}>
      <Trans>
        Link your account at an identity provider to sign in by it as well. Your name stays; your role is then the
        weaker one of yours here and of your groups there.
      </Trans>
    </p>
    {desktopApp() ? (
      // Its windows open no foreign pages.
      <p>
        <a href={document.baseURI} target="_blank" rel="noreferrer">
          <Trans>Open your account in your browser to link {providers.join(", ")}</Trans>
        </a>
      </p>
    ) : (
      <p className={css.buttons}>
        {providers.map((provider) => (
          <Button key={provider} onClick={() => onLink(provider)}>
            <Trans>Link {provider}…</Trans>
          </Button>
        ))}
      </p>
    )}
  </Fields>
);
