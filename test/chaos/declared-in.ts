import { parse } from 'yaml';
import * as z from 'zod';
import type { Kind } from '../../src/domain/resource.ts';

/** What a file says of one resource on one account. */
export interface InFile {
  readonly alias: string;
  readonly kind: Kind;
  readonly name: string;
  /** That of a kind that runs, where the file says nothing. */
  readonly status: string;
  readonly text: string | null;
}

const resourceShape = z.looseObject({
  name: z.string(),
  accounts: z.array(z.string()).optional(),
  status: z.string().optional(),
  messages: z.array(z.looseObject({ text: z.unknown() })),
});
const fileShape = z.looseObject({
  accounts: z.array(z.string()).default([]),
  campaigns: z.array(resourceShape).default([]),
  broadcasts: z.array(resourceShape).default([]),
});

/** Files with resources: the operator's, and those that an import makes. */
const RESOURCES = /^(?:live|campaigns)\/.*\.yaml$/;

/** Everything that these files declare, as Herald would read it. */
export function declaredIn(tree: Readonly<Record<string, string>>): readonly InFile[] {
  return Object.entries(tree).flatMap(([path, text]) => {
    if (!RESOURCES.test(path)) return [];
    const { accounts, campaigns, broadcasts } = fileShape.parse(parse(text));
    return [
      ...campaigns.flatMap((one) => onAccounts('campaign', one, accounts)),
      ...broadcasts.flatMap((one) => onAccounts('broadcast', one, accounts)),
    ];
  });
}

function onAccounts(
  kind: Kind,
  { name, accounts, status, messages: [message] }: z.infer<typeof resourceShape>,
  ofFile: readonly string[],
): readonly InFile[] {
  const text = typeof message?.text === 'string' ? message.text : null;
  return (accounts ?? ofFile).map((alias) => ({
    alias,
    kind,
    name,
    status: status ?? (kind === 'campaign' ? 'active' : 'scheduled'),
    text,
  }));
}

/** Takes all of them away: those that an import has made are not to stay. */
export function forgetImported(tree: Record<string, string>): void {
  for (const path of Object.keys(tree)) if (RESOURCES.test(path)) delete tree[path];
}
