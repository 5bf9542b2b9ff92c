import { canonical } from '../domain/digest.ts';
import { compareAddresses, formatAddress, type Address, type Declared } from '../domain/resource.ts';
import { digestResource } from '../plan/fingerprint.ts';
import type { WorkspaceAccount, WorkspaceSettings } from '../domain/workspace.ts';

/** What the files of one commit declare. */
export interface DeclaredFiles {
  readonly workspace: WorkspaceSettings;
  readonly declared: readonly Declared[];
}

/** What two commits declare differently. */
export type Changed =
  | { readonly kind: 'addresses'; readonly addresses: readonly Address[] }
  /** A setting that concerns every resource. */
  | { readonly kind: 'all'; readonly because: string };

/**
 * The addresses that two commits declare differently: new, removed, or with another content. Where in the files they
 * are makes no difference. Addresses of an account that `head` does not have any more are left out, because nothing
 * of it can be planned.
 */
export function changedAddresses(base: DeclaredFiles, head: DeclaredFiles): Changed {
  const setting = otherSetting(base.workspace, head.workspace);
  if (setting !== null) return { kind: 'all', because: `\`${setting}\` of herald.yaml differs` };
  const [was, is] = [fingerprintDeclared(base), fingerprintDeclared(head)];
  const aliases = new Set(head.workspace.accounts.map(({ alias }) => alias));
  const addresses = new Map(
    [...base.declared, ...head.declared].map(({ address }) => [formatAddress(address), address]),
  );
  const changed = [...addresses].filter(
    ([text, { account }]) => aliases.has(account) && was.get(text) !== is.get(text),
  );
  return {
    kind: 'addresses',
    addresses: changed.map(([, address]) => address).toSorted(compareAddresses),
  };
}

/** Settings that decide about every resource, with their keys in `herald.yaml`. */
const SETTINGS = {
  service: ({ service }) => service,
  policy: ({ policy }) => policy,
  allow: ({ allow }) => allow,
  ownership: ({ ownershipPrefix }) => ownershipPrefix,
} as const satisfies Record<string, (settings: WorkspaceSettings) => unknown>;

function otherSetting(base: WorkspaceSettings, head: WorkspaceSettings): string | null {
  const found = Object.entries(SETTINGS).find(([, of]) => canonical(of(base)) !== canonical(of(head)));
  return found === undefined ? null : found[0];
}

/** Everything that is declared for each address, with the account that its alias names. */
export function fingerprintDeclared({ workspace, declared }: DeclaredFiles): ReadonlyMap<string, string> {
  const accounts = new Map(workspace.accounts.map((account) => [account.alias, canonical(named(account))]));
  return new Map(
    declared.map((resource) => [
      formatAddress(resource.address),
      `${accounts.get(resource.address.account) ?? ''} ${digestResource(resource)}`,
    ]),
  );
}

/** Without its place in the file. */
function named({ source: _source, ...account }: WorkspaceAccount): unknown {
  return account;
}
