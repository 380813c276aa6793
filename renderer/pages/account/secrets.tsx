import { messageOf } from "../../../shared/errors.ts";
import { copyText } from "../../data/clipboard.ts";
import { Button } from "../../ui/button.tsx";
import { useSay } from "../../ui/toast.tsx";
import css from "./account.module.css";

/** Keys and secrets by their names, each with a button that copies it. */
export const Secrets = ({ values }: { readonly values: Readonly<Record<string, string>> }) => {
  const say = useSay();
  const copy = (name: string, value: string) =>
    copyText(value).then(
      () => say(`${name} is copied.`),
      (problem) => say(`${name} was not copied: ${messageOf(problem)}`),
    );
  return (
    <dl className={css.secrets}>
      {Object.entries(values).map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            <code>{value}</code>
            <Button aria-label={`Copy ${name}`} onClick={() => void copy(name, value)}>
              Copy
            </Button>
          </dd>
        </div>
      ))}
    </dl>
  );
};
