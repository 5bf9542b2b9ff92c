import { formatCommand } from '../domain/command-line.ts';
import type { AccountReply } from '../api/shapes.ts';
import type { WorkspaceSettings } from '../domain/workspace.ts';
import type { Named } from './named-accounts.ts';

/** An account on a platform that is not served. */
export class OtherPlatform {
  readonly sentence: string;
  constructor(account: string, platform: string, served: readonly string[]) {
    this.sentence = `Account ${account} is on ${platform}; this works on ${served.join(' and ')} only. Works on both platforms: ${formatCommand('revenue', 'transactions')}`;
  }
}

/** An account that the list of accounts does not show. */
export class UnseenAccount {
  readonly alias: string;
  readonly sentence: string;
  constructor(alias: string, wanted: string) {
    this.alias = alias;
    this.sentence = `The key sees no account with ${wanted} ("${alias}"). Give the key access to it, or correct herald.yaml. To see the accounts of the key: ${formatCommand('accounts', 'list')}`;
  }
}

/** An account of which `herald.yaml` says that its platform is not served. No request is needed for it. */
export function statedElsewhere(
  { alias, platform }: Named,
  { service }: WorkspaceSettings,
  platforms: readonly string[] | null,
): OtherPlatform | null {
  if (platform === undefined || platforms === null) return null;
  const word = service.platforms[platform];
  return platforms.includes(word) ? null : new OtherPlatform(`"${alias}"`, word, platforms);
}

/** The one account that is meant, or what is wrong; `platforms` are those that are served, null for all. */
export function findOne(
  listed: readonly AccountReply[],
  { alias, selector, platformAccountId: stated }: Named,
  platforms: readonly string[] | null,
): AccountReply | OtherPlatform | UnseenAccount | string {
  const matches = listed.filter((account) => isMeant(account, selector));
  // The same name on a platform that is not served makes nothing ambiguous.
  const served = matches.filter(
    ({ platform }) => platforms === null || platform == null || platforms.includes(platform),
  );
  const [first, ...others] = served.length > 0 ? served : matches;
  const wanted = `${selector.by === 'any_id' ? 'the id' : selector.by} "${selector.value}"`;
  if (first === undefined) return new UnseenAccount(alias, wanted);
  if (others.length > 0) {
    const ids = [first, ...others].map(({ id, username }) => `${id} (${username ?? 'unnamed'})`).join(', ');
    return `${others.length + 1} accounts have ${wanted} ("${alias}"): ${ids}. Use an alias of the workspace.`;
  }
  if (platforms !== null && served.length === 0)
    return new OtherPlatform(`${first.id} ("${alias}")`, first.platform ?? 'an unnamed platform', platforms);
  return contradiction(first, alias, stated) ?? first;
}

/** Both ids in `herald.yaml` must be those of one account. */
export function contradiction(
  { id, platform_account_id: live }: AccountReply,
  alias: string,
  stated: string | undefined,
): string | null {
  if (stated === undefined || live == null || live === stated) return null;
  return `Account ${id} ("${alias}") has the id ${live} on its platform, and herald.yaml says ${stated}. Correct platform_account_id or id.`;
}

function isMeant(account: AccountReply, { by, value }: Named['selector']): boolean {
  if (by === 'any_id') return account.id === value || account.platform_account_id === value;
  return account[by] === value;
}
