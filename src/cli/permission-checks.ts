import { rowOf, type Operation } from '../api/catalogue.ts';
import type { Client } from '../api/client.ts';
import type { Exchange } from '../api/exchange.ts';
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

interface Probe {
  readonly operation: Operation;
  /** Null if the account id that it needs is not known. */
  readonly input: (account: ProbeAccount, nowMs: number) => LooseInput | null;
}

const HOUR_MS = 3_600_000;

const ofOrganisation = (query: LooseInput['query']) => (): LooseInput => ({ params: {}, query });
const ofAccount =
  (query: LooseInput['query']) =>
  ({ accountId }: ProbeAccount): LooseInput | null =>
    accountId === null ? null : { params: { account_id: accountId }, query };
const ofPlatform =
  (query: (nowMs: number) => LooseInput['query']) =>
  ({ platform, platformAccountId }: ProbeAccount, nowMs: number): LooseInput | null =>
    platformAccountId === null
      ? null
      : { params: { platform, platform_account_id: platformAccountId }, query: query(nowMs) };

/** For each permission, the smallest read, and the commands that need it in addition to lists. A null read needs a write. */
export const PERMISSION_ROWS = {
  'accounts.view': {
    probe: { operation: 'accounts.list', input: ofOrganisation({ limit: 1 }) },
    commands: ['accounts get'],
  },
  'dashboard.view': {
    probe: {
      operation: 'revenue.chargebacks',
      input: ofPlatform((nowMs) => ({
        start: new Date(nowMs - HOUR_MS).toISOString(),
        end: new Date(nowMs).toISOString(),
        limit: 10,
      })),
    },
    commands: [],
  },
  'team_metrics.view': {
    probe: { operation: 'team.members', input: ofOrganisation({ limit: 1, offset: 0 }) },
    commands: [],
  },
  'traffic_metrics.view': {
    probe: { operation: 'traffic.tracking-link-users', input: ofPlatform(() => ({ limit: 1 })) },
    commands: [],
  },
  'onlyfans.messages': {
    probe: { operation: 'fans.list', input: ofAccount({ limit: 1 }) },
    commands: ['chat send', 'fans label'],
  },
  'onlyfans.collections': { probe: null, commands: ['fans follow'] },
  'onlyfans.statements': {
    probe: { operation: 'payouts.balances', input: ofPlatform(() => ({})) },
    commands: ['payouts request'],
  },
  'auto_messages.view': {
    probe: { operation: 'campaigns.list', input: ofAccount({ limit: 1 }) },
    commands: ['plan', 'drift', 'import', 'campaigns get'],
  },
  'auto_messages.edit': {
    probe: null,
    commands: ['apply', 'campaigns activate', 'campaigns pause', 'campaigns archive', 'campaigns recall'],
  },
  'priority_mass_messages.view': {
    probe: { operation: 'broadcasts.list', input: ofAccount({ limit: 1 }) },
    commands: ['plan', 'drift', 'import', 'broadcasts get'],
  },
  'priority_mass_messages.edit': {
    probe: null,
    commands: ['apply', 'broadcasts pause', 'broadcasts resume', 'broadcasts recall'],
  },
  'media_uploader.manage': {
    probe: { operation: 'vault.uploads', input: ofAccount({ limit: 1 }) },
    commands: ['vault upload', 'vault retry', 'vault thumbnail', 'vault verify-fan'],
  },
} as const satisfies Record<
  Permission,
  { readonly probe: Probe | null; readonly commands: readonly string[] }
>;

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
    const probe: Probe | null = PERMISSION_ROWS[permission].probe;
    if (probe === null)
      return {
        name,
        status: 'skip',
        message: `not tested (needs a write). ${nameUsers(permission)}`,
        hint: null,
      };
    const input = probe.input(account, nowMs);
    if (input === null)
      return {
        name,
        status: 'skip',
        message: `not tested (no account to read). ${nameUsers(permission)}`,
        hint: 'To name one without the list of accounts, write in herald.yaml: alias: { id: "…", platform_account_id: "…" }',
      };
    const exchange = await client.prepareRow(probe.operation, rowOf(probe.operation), input)();
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
  return [...PERMISSION_ROWS[permission].commands, ...lists];
}
