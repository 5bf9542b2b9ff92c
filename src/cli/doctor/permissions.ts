import { rowOf, type Operation } from '../../api/catalogue.ts';
import type { Client } from '../../api/client.ts';
import type { Exchange } from '../../api/exchange.ts';
import { PERMISSIONS, type Permission } from '../../api/row.ts';
import type { LooseInput } from '../../api/url.ts';
import type { PlatformAccount } from '../../live/accounts.ts';
import { LIST_NAMES, listOf } from '../../api/lists.ts';
import { fail, ok, skip, someOf, warn, type Check } from './checks.ts';
import { formatCommand } from '../../domain/command-line.ts';
import type { AccountId, PlatformAccountId } from '../../domain/ids.ts';

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

/** The smallest read for each permission. Null if only a write could show it. */
export const PROBES = {
  'accounts.view': { operation: 'accounts.list', input: ofOrganisation({ limit: 1 }) },
  'dashboard.view': {
    operation: 'revenue.chargebacks',
    input: ofPlatform((nowMs) => ({
      start: new Date(nowMs - HOUR_MS).toISOString(),
      end: new Date(nowMs).toISOString(),
      limit: 10,
    })),
  },
  'team_metrics.view': { operation: 'team.members', input: ofOrganisation({ limit: 1, offset: 0 }) },
  'traffic_metrics.view': {
    operation: 'traffic.tracking-link-users',
    input: ofPlatform(() => ({ limit: 1 })),
  },
  'onlyfans.messages': { operation: 'fans.list', input: ofAccount({ limit: 1 }) },
  'onlyfans.collections': null,
  'onlyfans.statements': { operation: 'payouts.balances', input: ofPlatform(() => ({})) },
  'auto_messages.view': { operation: 'campaigns.list', input: ofAccount({ limit: 1 }) },
  'auto_messages.edit': null,
  'priority_mass_messages.view': { operation: 'broadcasts.list', input: ofAccount({ limit: 1 }) },
  'priority_mass_messages.edit': null,
  'media_uploader.manage': { operation: 'vault.uploads', input: ofAccount({ limit: 1 }) },
} as const satisfies Record<Permission, Probe | null>;

/** Other commands that need the permission, in addition to its lists. */
export const MORE_COMMANDS = {
  'accounts.view': ['accounts get'],
  'dashboard.view': [],
  'team_metrics.view': [],
  'traffic_metrics.view': [],
  'onlyfans.messages': ['chat send', 'fans label'],
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
  'priority_mass_messages.edit': ['apply', 'broadcasts pause', 'broadcasts resume', 'broadcasts recall'],
  'media_uploader.manage': ['vault upload', 'vault retry', 'vault thumbnail', 'vault verify-fan'],
} as const satisfies Record<Permission, readonly string[]>;

/** The commands that need a permission. */
export function commandsOf(permission: Permission): readonly string[] {
  const lists = LIST_NAMES.filter((name) => rowOf(listOf(name).operation).permission === permission);
  return [...MORE_COMMANDS[permission], ...lists];
}

export interface ProbeOptions {
  readonly account: ProbeAccount;
  readonly nowMs: number;
  /** Permissions that the files of this workspace need for a plan. */
  readonly needed: ReadonlySet<Permission>;
}

/** Sends the smallest read for every permission, all at once within the rates. */
export async function permissionChecks(client: Client, options: ProbeOptions): Promise<readonly Check[]> {
  const unused = UNUSED_PERMISSIONS.map((name) =>
    skip(nameOf(name), 'not tested. No command of Herald uses it.'),
  );
  return [...(await probeAll(client, options)), ...unused];
}

/** Permissions of the service without a call that the document shows. */
const UNUSED_PERMISSIONS = ['settings.view'] as const;

function probeAll(client: Client, options: ProbeOptions): Promise<readonly Check[]> {
  return Promise.all(
    PERMISSIONS.map(async (permission) => {
      const probe: Probe | null = PROBES[permission];
      if (probe === null) return skip(nameOf(permission), `not tested (needs a write). ${opens(permission)}`);
      const input = probe.input(options.account, options.nowMs);
      if (input === null)
        return skip(
          nameOf(permission),
          `not tested (no account to read). ${opens(permission)}`,
          'To name one without the list of accounts, write in herald.yaml: alias: { id: "…", platform_account_id: "…" }',
        );
      const exchange = await client.callLoosely(probe.operation, input);
      return judge(permission, exchange, options.needed.has(permission));
    }),
  );
}

/**
 * | the answer                                        | the permission |
 * |---------------------------------------------------|----------------|
 * | a success                                         | granted        |
 * | refused with the permission's own code            | not granted    |
 * | a plain 403 or 404                                | not known: the order of permission and account is not documented |
 * | refused for the request itself, such as a 400     | granted: Assumed that the permission is checked first (ACCOUNT-8) |
 */
function judge(permission: Permission, exchange: Exchange<unknown>, isNeeded: boolean): Check {
  const name = nameOf(permission);
  if (exchange.kind === 'done') return ok(name, `granted. ${opens(permission)}`);
  const { status, code, what, hint } = exchange.problem;
  if (exchange.kind === 'refused' && status !== 401) {
    if (code !== 'API_KEY_PERMISSION_DENIED' && (status === 403 || status === 404))
      return warn(
        name,
        `not known: the test read of one account ${what}`,
        'The key may not see that account, or it lacks the permission. Check both.',
      );
    if (code !== 'API_KEY_PERMISSION_DENIED')
      return warn(
        name,
        `granted, but the test read of one account ${what}`,
        hint ?? 'Check which accounts the key may see.',
      );
    const words = `not granted. ${opens(permission)}`;
    return isNeeded
      ? fail(name, words, 'Your files need it. Give it to the key, or use another key.')
      : warn(name, words, 'To use these commands, give it to the key.');
  }
  return warn(name, `not known: ${what}`, hint ?? `Run ${formatCommand('doctor')} again.`);
}

function nameOf(permission: Permission | (typeof UNUSED_PERMISSIONS)[number]): string {
  return `permission ${permission}`;
}

const COMMANDS_SHOWN = 8;

function opens(permission: Permission): string {
  return `Used by ${someOf(commandsOf(permission), COMMANDS_SHOWN)}.`;
}
