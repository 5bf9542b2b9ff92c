import { KIND_ROWS } from '../domain/kind.ts';
import type { Client } from '../api/client.ts';
import { ServiceError } from '../api/errors.ts';
import { IncompleteScanError } from '../api/pages/incomplete.ts';
import { SCAN_PAGE_LIMIT, scanCompletely } from '../api/pages/scan-completely.ts';
import { otherPlatformBehind } from './platform-of.ts';
import { compareIds } from '../domain/ids.ts';
import { nameForm } from '../domain/name-form.ts';
import type { Kind, Observed, ResolvedAccount } from '../domain/resource.ts';

/** One list to read: an account and a kind. */
export interface Scope {
  readonly account: ResolvedAccount;
  readonly kind: Kind;
}

/**
 * Reads every list to its end, all at once within the rates. If one list cannot be read completely, the whole read
 * fails and no further page is requested: nothing may be decided on a part. Throws `OtherPlatformError` where the service
 * refuses the platform of an account. With `onUnseen`, lists of accounts that the key does not see are left out and told
 * there, unless it sees none of those that \`onUnseen\` needs.
 */
export async function readObserved(
  client: Client,
  scopes: readonly Scope[],
  primaryPlatform: string,
  onProgress: (done: number, total: number) => void = () => undefined,
  onUnseen?: (scope: Scope, why: string) => boolean,
): Promise<readonly Observed[]> {
  let done = 0;
  const unseen: unknown[] = [];
  let optional = 0;
  let failed = false;
  const beforeSend = () => (failed ? 'another list could not be read' : null);
  const lists = await Promise.all(
    scopes.map(async (scope) => {
      try {
        const list = await scanScope(client, scope, beforeSend);
        done += 1;
        onProgress(done, scopes.length);
        return list;
      } catch (error) {
        const elsewhere = await otherPlatformBehind(client, error, scope.account, primaryPlatform);
        if (elsewhere === null && onUnseen !== undefined && isOutOfSight(error)) {
          if (onUnseen(scope, error.problem.what)) unseen.push(error);
          else optional += 1;
          return [];
        }
        failed = true;
        throw elsewhere ?? error;
      }
    }),
  );
  if (unseen.length > 0 && unseen.length + optional === scopes.length) throw unseen[0];
  return lists.flat();
}

/** The document does not say how an account outside of the key's scope is refused (ACCOUNT-9): 403 or 404. */
function isOutOfSight(error: unknown): error is ServiceError {
  if (!(error instanceof ServiceError)) return false;
  const { status, code } = error.problem;
  return status === 404 || (status === 403 && code !== 'API_KEY_PERMISSION_DENIED');
}

/**
 * One account's campaigns or broadcasts, archived ones included, in the order of their ids. Names are in the form in which
 * Herald compares them.
 * Throws `ServiceError` or `IncompleteScanError`, which say which list it was. `beforeSend` is asked before each page.
 */
export async function scanScope(
  client: Client,
  scope: Scope,
  beforeSend?: () => string | null,
): Promise<readonly Observed[]> {
  const what = `the ${KIND_ROWS[scope.kind].plural} of account ${scope.account.alias}`;
  try {
    const observed = await scanKind(client, scope, what, beforeSend);
    for (const { live } of observed) requireSameAccount(what, scope.account, live);
    return observed.toSorted((left, right) => compareIds(left.live.id, right.live.id));
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    const { problem } = error;
    throw new ServiceError({ ...problem, what: `${what} cannot be read: ${problem.what}` }, { cause: error });
  }
}

function scanKind(
  client: Client,
  { account, kind }: Scope,
  what: string,
  beforeSend: (() => string | null) | undefined,
): Promise<readonly Observed[]> {
  const base = { account: account.alias, accountId: account.accountId };
  // Nothing is ever deleted: with archived items the list only grows, so none can slip between pages.
  const input = (offset: number) => ({
    params: { account_id: account.accountId },
    query: { limit: SCAN_PAGE_LIMIT, offset, include_archived: true },
  });
  const scans: Readonly<Record<Kind, () => Promise<readonly Observed[]>>> = {
    campaign: async () => {
      const list = await scanCompletely(what, client.warnOnce, (offset) =>
        client.read('campaigns.list', input(offset), beforeSend),
      );
      return list.map((live) => ({ kind: 'campaign', ...base, live: inNameForm(live) }));
    },
    broadcast: async () => {
      const list = await scanCompletely(what, client.warnOnce, (offset) =>
        client.read('broadcasts.list', input(offset), beforeSend),
      );
      return list.map((live) => ({ kind: 'broadcast', ...base, live: inNameForm(live) }));
    },
  };
  return scans[kind]();
}

function inNameForm<Live extends Observed['live']>(live: Live): Live {
  if (live.name === null || live.name === undefined) return live;
  const name = nameForm(live.name);
  return name === live.name ? live : { ...live, name };
}

function requireSameAccount(what: string, account: ResolvedAccount, live: Observed['live']): void {
  const owner = live.account_id ?? account.accountId;
  if (owner === account.accountId) return;
  throw new IncompleteScanError(
    `${what}: the list holds ${live.id}, which belongs to account ${owner} and not to ${account.accountId}`,
  );
}
