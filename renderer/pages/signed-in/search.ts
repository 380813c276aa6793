/** What an identity provider sent back. */
export type SignedInSearch = {
  readonly provider: string;
  readonly state: string;
  readonly code?: string;
  readonly iss?: string;
  readonly error?: string;
};

export const signedInSearch = (search: Record<string, unknown>): SignedInSearch => ({
  provider: textOf(search.provider) ?? "",
  state: textOf(search.state) ?? "",
  ...optional("code", search.code),
  ...optional("iss", search.iss),
  ...optional("error", search.error),
});

/** Words that have only digits arrive as numbers. */
const textOf = (value: unknown): string | undefined =>
  typeof value === "string" || typeof value === "number" ? String(value) : undefined;

const optional = <Name extends string>(name: Name, value: unknown): { readonly [K in Name]?: string } => {
  const text = textOf(value);
  return (text === undefined ? {} : { [name]: text }) as { readonly [K in Name]?: string }; // the one name
};
