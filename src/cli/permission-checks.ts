import { OPERATIONS, rowOf, type Operation } from '../api/catalogue.ts';
import type { Client } from '../api/client.ts';
import type { Exchange } from '../api/answer.ts';
import { PERMISSIONS, type Permission } from '../api/row.ts';
import type { LooseInput } from '../api/url.ts';
import { formatCommand } from '../domain/command-line.ts';
import type { AccountId, PlatformAccountId } from '../domain/ids.ts';
import type { PlatformAccount } from '../live/accounts.ts';
import { LIST_NAMES, findList } from '../api/lists.ts';
import type { DoctorReport } from './schemas.ts';

type Check = DoctorReport['checks'][number];

/** The account for test reads. Either id may be unknown. */
export interface ProbeAccount {
  readonly accountId: AccountId | null;
  readonly platform: PlatformAccount['platform'];
  readonly platformAccountId: PlatformAccountId | null;
}

/** The commands that need a permission, next to its lists. */
export const COMMANDS: Readonly<Record<Permission, readonly string[]>> = {
  'accounts.view': ['accounts get'],
  'dashboard.view': ['revenue summary'],
  'team_metrics.view': [],
  'traffic_metrics.view': [],
  'onlyfans.messages': ['chat send', 'chat inbox', 'fans label'],
  'onlyfans.collections': ['fans follow'],
  'onlyfans.statements': ['payouts request'],
  'auto_messages.view': ['plan', 'drift', 'import', 'campaigns get'],
  'auto_messages.edit': [
    'apply',
    'campaigns activate',
    'campaigns pause',
    'campaigns archive',
    'campaigns recall',
  ],
  'priority_mass_messages.view': ['plan', 'drift', 'import', 'broadcasts get'],
  'priority_mass_messages.edit': [
    'apply',
    'broadcasts send',
    'broadcasts pause',
    'broadcasts resume',
    'broadcasts recall',
  ],
  'media_uploader.manage': [
    'vault upload',
    'vault retry',
    'vault find',
    'vault thumbnail',
    'vault verify-fan',
  ],
};

/** The smallest read that needs a permission: a list with the smallest page. Null if only writes need it. */
export function chooseProbe(permission: Permission): Operation | null {
  const reads = OPERATIONS.filter((operation) => {
    const { permission: needed, list } = rowOf(operation);
    return needed === permission && list !== undefined && list.argument === undefined;
  });
  return reads.toSorted((one, other) => (readPageLimit(one) ?? 0) - (readPageLimit(other) ?? 0))[0] ?? null;
}

/** Undefined for a read without pages. */
function readPageLimit(operation: Operation): number | undefined {
  const { paging, query } = rowOf(operation);
  return 'pageLimit' in paging && 'limit' in query.shape ? paging.pageLimit.least : undefined;
}

const HOUR_MS = 3_600_000;

/** The smallest page of the last hour. Null if the account id that it needs is not known. */
function makeInput(
  operation: Operation,
  { accountId, platform, platformAccountId }: ProbeAccount,
  nowMs: number,
): LooseInput | null {
  const { path, list, query: known } = rowOf(operation);
  const limit = readPageLimit(operation);
  const range = list?.range;
  const query = {
    ...(limit === undefined ? {} : { limit }),
    ...('offset' in known.shape ? { offset: 0 } : {}),
    ...(range !== undefined && 'from' in range && range.required
      ? { [range.from]: new Date(nowMs - HOUR_MS).toISOString(), [range.to]: new Date(nowMs).toISOString() }
      : {}),
  };
  if (path.includes('{account_id}'))
    return accountId === null ? null : { params: { account_id: accountId }, query };
  if (!path.includes('{platform_account_id}')) return { params: {}, query };
  return platformAccountId === null
    ? null
    : { params: { platform, platform_account_id: platformAccountId }, query };
}

/** Permissions of the service without a call that the document shows. */
const UNUSED_PERMISSIONS = ['settings.view'] as const;

export interface ProbeOptions {
  readonly account: ProbeAccount;
  readonly nowMs: number;
  /** Permissions that the files of this workspace need for a plan. */
  readonly needed: ReadonlySet<Permission>;
}

/** Sends the smallest read for every permission, all at once within the rates. */
export async function checkPermissions(
  client: Client,
  { account, nowMs, needed }: ProbeOptions,
): Promise<readonly Check[]> {
  const probed = PERMISSIONS.map(async (permission): Promise<Check> => {
    const name = `permission ${permission}`;
    const probe = chooseProbe(permission);
    if (probe === null)
      return {
        name,
        status: 'skip',
        message: `not tested (needs a write). ${nameUsers(permission)}`,
        hint: null,
      };
    const input = makeInput(probe, account, nowMs);
    if (input === null)
      return {
        name,
        status: 'skip',
        message: `not tested (no account to read). ${nameUsers(permission)}`,
        hint: 'To name one without the list of accounts, write in herald.yaml: alias: { id: "…", platform_account_id: "…" }',
      };
    const exchange = await client.prepareRow(probe, rowOf(probe), input)();
    return { name, ...judge(permission, exchange, needed.has(permission)) };
  });
  const unused = UNUSED_PERMISSIONS.map((permission): Check => ({
    name: `permission ${permission}`,
    status: 'skip',
    message: 'not tested. No command of Herald uses it.',
    hint: null,
  }));
  return [...(await Promise.all(probed)), ...unused];
}

/**
 * | the answer                                        | the permission |
 * |---------------------------------------------------|----------------|
 * | a success                                         | granted        |
 * | refused with the permission's own code            | not granted    |
 * | a plain 403 or 404                                | not known: the order of permission and account is not documented |
 * | refused for the request itself, such as a 400     | granted: Assumed that the permission is checked first (ACCOUNT-8) |
 */
function judge(permission: Permission, exchange: Exchange<unknown>, isNeeded: boolean): Omit<Check, 'name'> {
  if (exchange.kind === 'done')
    return { status: 'ok', message: `granted. ${nameUsers(permission)}`, hint: null };
  const { status, code, what, hint } = exchange.problem;
  if (exchange.kind !== 'refused' || status === 401)
    return {
      status: 'warn',
      message: `not known: ${what}`,
      hint: hint ?? `Run ${formatCommand('doctor')} again.`,
    };
  if (code === 'API_KEY_PERMISSION_DENIED')
    return {
      status: isNeeded ? 'fail' : 'warn',
      message: `not granted. ${nameUsers(permission)}`,
      hint: isNeeded
        ? 'Your files need it. Give it to the key, or use another key.'
        : 'To use these commands, give it to the key.',
    };
  if (status === 403 || status === 404)
    return {
      status: 'warn',
      message: `not known: the test read of one account ${what}`,
      hint: 'The key may not see that account, or it lacks the permission. Check both.',
    };
  return {
    status: 'warn',
    message: `granted, but the test read of one account ${what}`,
    hint: hint ?? 'Check which accounts the key may see.',
  };
}

const COMMANDS_SHOWN = 8;

/** `Used by one, two and 3 more.` */
function nameUsers(permission: Permission): string {
  const commands = listUsers(permission);
  const more = commands.length - COMMANDS_SHOWN;
  const shown = commands.slice(0, COMMANDS_SHOWN);
  const last = more > 0 ? `${more} more` : (shown.pop() ?? '');
  return `Used by ${[shown.join(', '), last].filter((part) => part !== '').join(' and ')}.`;
}

/** The commands that need a permission. */
export function listUsers(permission: Permission): readonly string[] {
  const lists = LIST_NAMES.filter((name) => rowOf(findList(name).operation).permission === permission);
  return [...COMMANDS[permission], ...lists];
}
