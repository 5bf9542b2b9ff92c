import { isOperation, rowOf, type CallName } from '../../api/catalogue.ts';
import { catalogued, parseRawPath, rawRow } from '../../api/raw-row.ts';
import type { Row } from '../../api/row.ts';
import { formatCommand } from '../../domain/command-line.ts';
import type { AccountId } from '../../domain/ids.ts';
import { chooseAccount, choosePlatformAccount, choosePlatformAccounts, type Service } from '../accounts.ts';
import { HeraldError } from '../../domain/herald-error.ts';

/** The call that was typed: its name, its row, and the parameters in its path. */
export interface ApiTarget {
  readonly name: CallName;
  readonly row: Row;
  readonly params: Readonly<Record<string, string>>;
}

/** `campaigns.list`, or `GET /api/v0/accounts/101/fans`: a path of the catalogue is the same call as its name. */
export function apiTarget(typed: string, path: string | undefined, hasBody: boolean): ApiTarget {
  if (path === undefined) {
    if (isOperation(typed)) return { name: typed, row: rowOf(typed), params: {} };
    throw new HeraldError(
      'unknown-operation',
      `Unknown operation "${typed}".`,
      `To list all operations: ${formatCommand('api', '--list')}. To call another path: ${formatCommand('api', 'GET', '/api/v0/PATH')}`,
    );
  }
  const raw = parseRawPath(typed, path);
  if (typeof raw === 'string') throw new HeraldError('bad-flag', raw);
  const known = catalogued(raw);
  if (known !== null) return { name: known.operation, row: rowOf(known.operation), params: known.params };
  // The state keeps the account of a write.
  const account = /\/accounts\/([^/]+)/.exec(raw.path)?.[1];
  const params = account === undefined ? {} : { account_id: decodeURIComponent(account) };
  return { name: `${raw.method} ${raw.path as `/${string}`}`, row: rawRow(raw, hasBody), params };
}

/** The account that `--account` stands for, with the ids that the path needs. */
export interface ApiAccount {
  readonly alias: string;
  /** Null if only the platform's id is known. */
  readonly accountId: AccountId | null;
  readonly params: Readonly<Record<string, string>>;
}

/** Null without `--account`: the ids of the call were typed. */
export async function apiAccount(
  service: Service,
  { name, row, params }: ApiTarget,
  given: string | undefined,
): Promise<ApiAccount | null> {
  if (given === undefined) return null;
  const needs = (param: string) => row.path.includes(`{${param}}`) && params[param] === undefined;
  if (needs('account_id')) {
    const { alias, accountId } = await chooseAccount(
      service,
      given,
      // What a call beyond the catalogue works on is not known.
      name === 'accounts.get' || name.includes(' ') ? { anyPlatform: true } : {},
    );
    return { alias, accountId, params: { account_id: accountId } };
  }
  if (!needs('platform_account_id'))
    throw new HeraldError('bad-flag', `${name} takes no account.`, 'Leave out --account.');
  const { primary, secondary } = service.settings.service.platforms;
  const [account] =
    name === BOTH_PLATFORMS
      ? await choosePlatformAccounts(service, [given], [primary, secondary])
      : [await choosePlatformAccount(service, given)];
  if (account === undefined) return null;
  const { alias, accountId, platform, platformAccountId } = account;
  return { alias, accountId, params: { platform, platform_account_id: platformAccountId } };
}

/** The one call that takes accounts of both platforms (ACCOUNT-5). */
const BOTH_PLATFORMS = 'revenue.transactions';

/** Only the transactions take the second platform. Throws before anything is sent. */
export function refuseOtherPlatform(
  { settings }: Service,
  name: CallName,
  params: Readonly<Record<string, string>>,
): void {
  const { primary, secondary } = settings.service.platforms;
  const platform = params['platform'];
  if (platform === undefined || platform === primary) return;
  if (platform === secondary && name === BOTH_PLATFORMS) return;
  const served = name === BOTH_PLATFORMS ? `${primary} and ${secondary}` : primary;
  throw new HeraldError(
    'invalid-call',
    `${name} was not sent: platform is "${platform}", and it works on ${served} only.`,
    'The words of the platforms are service.platforms in herald.yaml.',
  );
}
