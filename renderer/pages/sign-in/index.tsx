import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { request } from "../../data/client.ts";
import { desktopApp } from "../../data/computer.ts";
import { signInsQuery, unfinishedQuery } from "../../data/identity-queries.ts";
import { canUsePasskeys } from "../../data/passkeys.ts";
import { refusalText } from "../../language/words.ts";
import { Button } from "../../ui/controls/button.tsx";
import { Field } from "../../ui/controls/field.tsx";
import { Sheet } from "../../ui/overlays/sheet.tsx";
import { Notice } from "../../ui/text/notice.tsx";
import { SecondStep, usePasskeySignIn } from "./second-step.tsx";

/** A button for each identity provider, and passkeys, names and passwords where the farm takes them. */
export const SignInPage = () => {
  // While nobody has said otherwise, passwords are taken: a farm without providers shows them at once.
  const { data: ways = { passwords: true, providers: [] } } = useQuery(signInsQuery);
  const { data: unfinished } = useQuery(unfinishedQuery);
  if (unfinished)
    return (
      <Sheet title={unfinished.step === "prove" ? t`Sign in` : t`Set up a second step`}>
        <SecondStep unfinished={unfinished} />
      </Sheet>
    );
  return (
    <Sheet title={t`Sign in`}>
      {ways.providers.length > 0 && <Providers names={ways.providers} />}
      {ways.passwords && <WithPassword isOnly={ways.providers.length === 0} />}
      {ways.passwords && canUsePasskeys() && <WithPasskey />}
    </Sheet>
  );
};

const Providers = ({ names }: { readonly names: readonly string[] }) => {
  const begin = useMutation({
    mutationFn: (provider: string) => request("beginSignIn", { provider, ...wantedPage() }),
    onSuccess: ({ go_to }) => location.assign(go_to),
  });
  // Its windows open no foreign pages, and a browser beside it is another one.
  if (desktopApp())
    return (
      <p>
        <a href={document.baseURI} target="_blank" rel="noreferrer">
          <Trans>Sign in with {names.join(", ")} in your browser</Trans>
        </a>
      </p>
    );
  return (
    <form onSubmit={(event) => event.preventDefault()}>
      {names.map((name) => (
        <Button
          key={name}
          look="primary"
          disabled={begin.isPending || begin.isSuccess}
          onClick={() => begin.mutate(name)}
        >
          <Trans>Sign in with {name}</Trans>
        </Button>
      ))}
      {begin.error && <Notice tone="failed">{refusalText(begin.error)}</Notice>}
    </form>
  );
};

/** The device knows who it is, and asks for finger, face or PIN. */
const WithPasskey = () => {
  const signIn = usePasskeySignIn();
  return (
    <form onSubmit={(event) => event.preventDefault()}>
      <Button disabled={signIn.isPending} onClick={() => signIn.mutate()}>
        <Trans>Sign in with a passkey</Trans>
      </Button>
      {signIn.error && <Notice tone="failed">{refusalText(signIn.error)}</Notice>}
    </form>
  );
};

/** What stands behind the #, to come back to; only what the farm takes for one of its pages. */
const wantedPage = (): { readonly page?: string } => {
  const page = location.hash.slice(1);
  return /^\/(?![/\\])[\w\-./?=&%,:+~]{0,499}$/.test(page) ? { page } : {};
};

/** Name and password; the coordinator answers with the session's cookie. */
const WithPassword = ({ isOnly }: { readonly isOnly: boolean }) => {
  const queries = useQueryClient();
  const [name, setName] = useState("");
  const [password, setPassword] = useState("");
  const signIn = useMutation({
    mutationFn: () => request("signIn", { name, password }),
    onSuccess: (entered) => queries.setQueryData("step" in entered ? unfinishedQuery.queryKey : ["session"], entered),
  });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        signIn.mutate();
      }}
    >
      <Field label={t`Name`} autoComplete="username" required value={name} onChange={(e) => setName(e.target.value)} />
      <Field
        label={t`Password`}
        type="password"
        autoComplete="current-password"
        required
        value={password}
        onChange={(e) => setPassword(e.target.value)}
      />
      {signIn.error && <Notice tone="failed">{refusalText(signIn.error)}</Notice>}
      <Button {...(isOnly && { look: "primary" as const })} type="submit" disabled={signIn.isPending}>
        <Trans>Sign in</Trans>
      </Button>
    </form>
  );
};
