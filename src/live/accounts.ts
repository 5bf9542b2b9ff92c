import type { Client } from '../api/client.ts';
import { listAccounts } from '../api/pages/accounts.ts';
import type { AccountReply } from '../api/shapes.ts';
import type { OtherPlatformError } from './platform-of.ts';
import type { DiagnosticCode } from '../domain/codes.ts';
import type { Diagnostic } from '../domain/diagnostic.ts';
import type { AccountId } from '../domain/ids.ts';
import type { ResolvedAccount } from '../domain/resource.ts';
import type { WorkspaceAccount } from '../domain/workspace.ts';

/** Accounts that were not found, or are ambiguous: one diagnostic each. */
export class UnresolvedAccountsError extends Error {
  override readonly name = 'UnresolvedAccountsError';
  readonly diagnostics: readonly Diagnostic[];
  constructor(diagnostics: readonly Diagnostic[]) {
    super(diagnostics.map((diagnostic) => diagnostic.message).join('\n'));
    this.diagnostics = diagnostics;
  }
}

/**
 * Finds the account id behind each alias. The accounts list is asked only when some alias is not an id.
 * Throws `UnresolvedAccountsError` when one is missing, ambiguous, on another platform, or the same
 * account as another alias. `onUnseen` is asked whether the caller can go on without an alias that the list does not show, or
 * that is on another platform.
 */
export async function resolveAccounts(
  client: Client,
  accounts: readonly WorkspaceAccount[],
  primaryPlatform: string,
  onUnseen: (
    alias: string,
    unseen: { readonly why: string; readonly isElsewhere: boolean },
  ) => boolean = () => false,
): Promise<readonly ResolvedAccount[]> {
  const needsList = accounts.some((account) => account.selector.by !== 'id');
  const listed = needsList ? await listAccounts(client) : [];
  const diagnostics: Diagnostic[] = [];
  const resolved: ResolvedAccount[] = [];
  const aliasOf = new Map<string, string>();
  const unseen: Diagnostic[] = [];
  for (const account of accounts) {
    const result = resolveOne(account, listed, primaryPlatform);
    if ('problem' in result) {
      const problem = placed(account, 'unknown-account', result.problem);
      const isElsewhere = result.isElsewhere === true;
      const isUnseen = isElsewhere || result.isUnseen === true;
      if (!isUnseen || !onUnseen(account.alias, { why: result.problem, isElsewhere }))
        diagnostics.push(problem);
      else if (!isElsewhere) unseen.push(problem);
      continue;
    }
    const other = aliasOf.get(result.accountId);
    if (other !== undefined) {
      diagnostics.push(
        placed(
          account,
          'same-account',
          `"${account.alias}" and "${other}" are the same account (${result.accountId}). Keep one alias.`,
        ),
      );
    }
    aliasOf.set(result.accountId, account.alias);
    resolved.push({ alias: account.alias, accountId: result.accountId });
  }
  if (resolved.length === 0) diagnostics.push(...unseen);
  if (diagnostics.length > 0) throw new UnresolvedAccountsError(diagnostics);
  return resolved;
}

type Resolution =
  | { readonly accountId: AccountId }
  /** `isElsewhere`: it is on another platform. `isUnseen`: the list does not show it. */
  | { readonly problem: string; readonly isElsewhere?: true; readonly isUnseen?: true };

/** The error for an account that the service refused for its platform, at its place in `herald.yaml`. */
export function placedElsewhere(
  error: OtherPlatformError,
  accounts: readonly WorkspaceAccount[],
): UnresolvedAccountsError | OtherPlatformError {
  const account = accounts.find(({ alias }) => alias === error.alias);
  return account === undefined
    ? error
    : new UnresolvedAccountsError([placed(account, 'unknown-account', error.message)]);
}

/** The listed account of an alias that is not an id, or the problem in words. */
export function resolveOne(
  account: WorkspaceAccount,
  listed: readonly AccountReply[],
  primaryPlatform: string,
): Resolution {
  const { alias, selector } = account;
  if (account.platform === 'secondary')
    return {
      problem: `herald.yaml says that "${alias}" is on the secondary platform; campaigns and broadcasts exist on ${primaryPlatform} only. Choose another account, or correct its platform.`,
      isElsewhere: true,
    };
  if (selector.by === 'id') return { accountId: selector.value };
  const named = listed.filter((candidate) => candidate[selector.by] === selector.value);
  const onPrimary = named.filter((candidate) => mayBeOn(candidate, primaryPlatform));
  // The same name on the other platform makes nothing ambiguous: nothing can be done there.
  const matches = onPrimary.length > 0 ? onPrimary : named;
  const [first, ...others] = matches;
  const wanted = `${selector.by} "${selector.value}"`;
  if (first === undefined) {
    return {
      problem: `The key sees no account with ${wanted} (alias "${alias}"). Give the key access to it, or correct herald.yaml.`,
      isUnseen: true,
    };
  }
  if (others.length > 0) {
    const ids = matches.map((match) => match.id).join(', ');
    return {
      problem: `${matches.length} accounts have ${wanted} (alias "${alias}"): ${ids}. Write the id instead.`,
    };
  }
  if (!mayBeOn(first, primaryPlatform)) {
    return {
      problem: `account ${first.id} (alias "${alias}") is on ${first.platform}; campaigns and broadcasts exist on ${primaryPlatform} only. Choose another account, or correct service.platforms.`,
      isElsewhere: true,
    };
  }
  return { accountId: first.id };
}

/** Assumed: `platform` has the configured words (ACCOUNT-6). An account without the field is accepted. */
function mayBeOn({ platform }: AccountReply, primaryPlatform: string): boolean {
  return typeof platform !== 'string' || platform === primaryPlatform;
}

function placed(account: WorkspaceAccount, code: DiagnosticCode, message: string): Diagnostic {
  return { severity: 'error', code, message, ...account.source };
}
