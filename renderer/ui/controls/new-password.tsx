import { t } from "@lingui/core/macro";
import { useState } from "react";
import { minPasswordLength } from "../../../shared/people/person.ts";
import { Field } from "./field.tsx";

type Props = {
  readonly label: string;
  /** Shown after the rule about its length. */
  readonly advice?: string;
  readonly value: string;
  readonly fault?: string | undefined;
  readonly onChange: (password: string) => void;
};

/** A new password; the browser may propose and store it. */
export const NewPassword = ({ label, advice, value, fault, onChange }: Props) => (
  <Field
    label={label}
    type="password"
    autoComplete="new-password"
    required
    minLength={minPasswordLength}
    hint={[t`At least ${minPasswordLength} characters`, ...(advice ? [advice] : [])].join("; ")}
    value={value}
    fault={fault}
    onChange={(e) => onChange(e.target.value)}
  />
);

/** A new password where a typing error would lock the person out, so it is entered twice. */
export const useTwice = () => {
  const [password, setPassword] = useState("");
  const [again, setAgain] = useState("");
  const [mistake, setMistake] = useState<string>();
  return {
    password,
    /** Whether both are equal; if not, the second field says so. */
    isSure: (): boolean => {
      setMistake(password === again ? undefined : t`The two passwords differ`);
      return password === again;
    },
    fields: (label: string, fault?: string) => (
      <>
        <NewPassword label={label} value={password} fault={fault} onChange={setPassword} />
        <Field
          label={t`Password again`}
          type="password"
          autoComplete="new-password"
          required
          fault={mistake}
          value={again}
          onChange={(e) => setAgain(e.target.value)}
        />
      </>
    ),
  };
};
