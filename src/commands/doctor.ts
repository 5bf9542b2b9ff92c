import { toHeraldError } from '../domain/herald-error.ts';
import { OPERATIONS, PERMISSIONS, rowOf, type Permission } from '../api/catalogue.ts';
import type { Client } from '../api/client.ts';
import { IncompleteScanError, ServiceError } from '../api/errors.ts';
import { LIST_COMMANDS } from '../api/lists.ts';
import { listAccounts } from '../api/pages.ts';
import { withoutSignatures } from '../api/key.ts';
import type { AccountReply } from '../api/rows/accounts.ts';
import type { Context } from '../cli/context.ts';
import { defineCommand } from '../cli/define-command.ts';
import { readRange } from '../library/instant-range.ts';
import { readOwner } from '../cli/read-list.ts';
import type { DoctorReport, StateCheck } from '../cli/schemas.ts';
import { formatCommand } from '../domain/command-line.ts';
import { formatDiagnostic, type PrintedDiagnostic } from '../domain/diagnostic.ts';
import { EXIT } from '../domain/exit-codes.ts';
import type { Declared } from '../domain/resource.ts';
import { page, shown, type Visible, visible, visibleProse } from '../domain/visible.ts';
import type { ServiceSettings, WorkspaceAccount, WorkspaceSettings } from '../domain/workspace.ts';
import { connect } from '../library/connect.ts';
import { loadFiles } from '../library/media.ts';
import { LIVE_PLACE, withState } from '../library/state-access.ts';
import { findAccount } from '../live/accounts.ts';
import { drawLine, span, type TextStyle, type Tone } from '../render/spans.ts';
import { count } from '../render/wording.ts';
import type { State } from '../state/state.ts';
import { loadSettings } from '../workspace/load.ts';
import { checkState } from './state/check.ts';

type Check = DoctorReport['checks'][number];

/** Checks everything that Herald depends on, and prints how to fix each problem. Sends only reads, and changes no file. */
export const doctor = defineCommand({
  path: 'doctor',
  about: 'check key, permissions, accounts, clock, proxy and state; sends only reads',
  examples: ['herald doctor', 'herald doctor --format json'],
  needs: 'nothing',
  run: async (context) => {
    const { check, ...workspace } = await readWorkspace(context);
    const checks = [
      checkNode(context.nodeVersion),
      check,
      ...(await guard('state', () => checkRecord(context))),
      ...(await guard('service', () => checkService(context, workspace))),
    ];
    context.output.progress('');
    const summary = { ok: 0, warn: 0, fail: 0, skip: 0 };
    for (const { status } of checks) summary[status] += 1;
    return {
      exit: summary.fail > 0 ? EXIT.failed : EXIT.done,
      json: () => ({ schema: 'herald/doctor/1', checks, summary }),
      text: () => renderChecks(checks, summary, context.output),
    };
  },
});

/** `warn`: a problem that leaves some commands working. `skip`: a check that was not made, with the reason. */
function report(status: Check['status'], name: string, message: string, hint: string | null = null): Check {
  return { name, status, message, hint };
}

/** Runs checks. If they throw, returns a failed check, so that the others still run. */
async function guard(name: string, look: () => Promise<readonly Check[]>): Promise<readonly Check[]> {
  try {
    return await look();
  } catch (error) {
    const failure = toHeraldError(error);
    if (failure === null) return [report('fail', name, `cannot be checked: ${String(error)}`)];
    const isKey =
      failure.code.endsWith('-api-key') ||
      (failure instanceof ServiceError && failure.problem.status === 401);
    return [report('fail', isKey ? 'key' : name, failure.message, failure.hint)];
  }
}

/** The oldest supported Node: `engines` of package.json. */
export const NODE_LEAST = [20, 19] as const;

function checkNode(version: string): Check {
  const [major = 0, minor = 0] = version.replace(/^v/, '').split('.').map(Number);
  const [leastMajor, leastMinor] = NODE_LEAST;
  if (major > leastMajor || (major === leastMajor && minor >= leastMinor))
    return report('ok', 'node', `Node ${version}`);
  const least = NODE_LEAST.join('.');
  const hint = `Install Node ${least} or newer. Other problems may come from that.`;
  return report('fail', 'node', `Node ${version} is older than ${least}`, hint);
}

interface FoundWorkspace {
  /** Null if `herald.yaml` itself is not valid. */
  readonly settings: WorkspaceSettings | null;
  readonly declared: readonly Declared[];
}

async function readWorkspace(context: Context): Promise<FoundWorkspace & { readonly check: Check }> {
  const { files, env } = context;
  const loaded = await loadFiles(context);
  const hint = `${formatCommand('validate')} shows all of it.`;
  if (loaded.kind === 'invalid') {
    const check = report('fail', 'workspace', describeFirst(loaded.diagnostics), hint);
    const settings = await loadSettings(files, { env });
    return { check, settings: settings.kind === 'loaded' ? settings.settings : null, declared: [] };
  }
  const { workspace: settings, declared, warnings } = loaded;
  const words = `${count(declared.length, 'resource')} in ${count(settings.files.length, 'file')}, ${count(settings.accounts.length, 'account')}`;
  const check =
    warnings.length === 0
      ? report('ok', 'workspace', words)
      : report('warn', 'workspace', `${words}; ${describeFirst(warnings)}`, hint);
  return { check, settings, declared };
}

function describeFirst(diagnostics: readonly PrintedDiagnostic[]): string {
  const [first, ...others] = diagnostics;
  const more = others.length === 0 ? '' : ` (and ${others.length} more)`;
  return first === undefined ? 'nothing is known' : `${formatDiagnostic(first)}${more}`;
}

function checkRecord({ state: access, clock }: Context): Promise<readonly Check[]> {
  return withState(access.read(LIVE_PLACE), async (state) => [
    ...(await guard('state', async () => [judgeState(await checkState(state, clock.now()))])),
    ...(await guard('lease', async () => [judgeLease(await state.leaseRecord())])),
  ]);
}

function judgeState({ findings, services, place }: StateCheck): Check {
  const errors = findings.filter(({ severity }) => severity === 'error');
  const warnings = findings.filter(({ severity }) => severity === 'warning');
  const hint = `For details: ${formatCommand('state', 'check')}`;
  if (errors.length > 0) return report('fail', 'state', describeFirst(errors), hint);
  if (warnings.length > 0) return report('warn', 'state', describeFirst(warnings), hint);
  const rows = services.reduce((sum, one) => sum + one.rows, 0);
  return report('ok', 'state', `${place}: ${rows === 0 ? 'nothing is recorded yet' : count(rows, 'row')}`);
}

function judgeLease(lease: Awaited<ReturnType<State['leaseRecord']>>): Check {
  if (lease === null) return report('ok', 'lease', 'no other run is active');
  const hint = `Changes wait until it ends. Reads, plans and stops by hand work. If that run is gone: ${formatCommand('state', 'unlock')}`;
  return report('warn', 'lease', `held by ${lease.holder}`, hint);
}

const TIMEOUT_MAX_SEC = 15;

/** Checks that need the service. Sends only reads. */
async function checkService(
  context: Context,
  { settings, declared }: FoundWorkspace,
): Promise<readonly Check[]> {
  if (settings === null)
    return [
      report('skip', 'service', 'not checked: herald.yaml names no service', 'Fix the workspace first.'),
    ];
  const { clock, output } = context;
  const requestTimeoutSec = Math.min(settings.service.requestTimeoutSec, TIMEOUT_MAX_SEC);
  const service = { ...settings.service, requestTimeoutSec };
  const { client } = await connect(context, { ...settings, service });
  output.progress(shown`asking the service`);
  // Null if the key may not list accounts.
  const listed = await listAccounts(client).catch((error: unknown) => {
    if (error instanceof ServiceError && error.problem.status === 403) return null;
    throw error;
  });
  output.progress(shown`asking for permissions`);
  const needed = listNeeded(settings, declared);
  const ids = chooseProbed(settings, listed ?? []);
  const nowMs = clock.now() + client.skewMs();
  const permissions = await Promise.all(
    PERMISSIONS.map((permission) =>
      checkPermission(client, permission, { ids, nowMs, isNeeded: needed.has(permission) }),
    ),
  );
  return [
    report('ok', 'service', `it answers: ${describeRoute(context, settings.service)}`),
    report('ok', 'key', 'accepted'),
    checkClock(settings, client),
    ...checkAccounts(settings, listed),
    ...permissions,
  ];
}

/** The address, and the variables that name a proxy, without passwords. The lower-case names go first. */
function describeRoute({ env }: Context, { target }: ServiceSettings): string {
  if (target.kind === 'simulator') return `the embedded simulator, kept in ${target.worldFile}`;
  const proxies = ['HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY'].flatMap((name) => {
    const value = env[name.toLowerCase()] ?? env[name] ?? '';
    return value === '' ? [] : [`${name}=${withoutSignatures(value)}`];
  });
  return `${target.baseUrl}, ${proxies.length === 0 ? 'without a proxy' : `with ${proxies.join(', ')}`}`;
}

/** The permissions that the files need for a plan. */
function listNeeded({ accounts }: WorkspaceSettings, declared: readonly Declared[]): ReadonlySet<Permission> {
  const kinds = new Set(declared.map(({ kind }) => kind));
  return new Set<Permission>([
    ...(accounts.some(({ selector }) => selector.by !== 'id') ? (['accounts.view'] as const) : []),
    ...(kinds.has('campaign') ? (['auto_messages.view'] as const) : []),
    ...(kinds.has('broadcast') ? (['priority_mass_messages.view'] as const) : []),
  ]);
}

/** Largest clock difference. Schedules follow the service's clock, lost answers this machine's. */
const SKEW_MAX_MS = 30_000;

function checkClock({ service }: WorkspaceSettings, client: Client): Check {
  if (service.target.kind === 'simulator')
    return report('skip', 'clock', 'not compared: the embedded simulator has its own clock');
  const skewMs = client.skewMs();
  const seconds = Math.round(Math.abs(skewMs) / 1000);
  if (Math.abs(skewMs) <= SKEW_MAX_MS) return report('ok', 'clock', `within ${seconds} s of the service's`);
  const found = `this machine's clock is ${seconds} s ${skewMs > 0 ? 'behind' : 'ahead of'} the service's`;
  const hint = `Set this machine's clock. Schedules follow the service's clock, but the state has times of this machine.`;
  return report('warn', 'clock', found, hint);
}

/** Checks that each alias names exactly one account that the key sees. */
function checkAccounts(
  { accounts, service }: WorkspaceSettings,
  listed: readonly AccountReply[] | null,
): readonly Check[] {
  if (accounts.length === 0) {
    const hint = `To see the accounts of the key: ${formatCommand('accounts', 'list')}`;
    return [report('warn', 'accounts', 'herald.yaml names no account', hint)];
  }
  if (listed === null) {
    const hint =
      'Give the key accounts.view, or write id and platform_account_id of each account in herald.yaml.';
    return [report('skip', 'accounts', 'not checked: the key may not list accounts', hint)];
  }
  return accounts.map((account) => checkAccount(account, listed, service.platforms.primary));
}

function checkAccount(account: WorkspaceAccount, listed: readonly AccountReply[], primary: string): Check {
  const { alias, source } = account;
  const name = `account ${alias}`;
  const onPrimary = findAccount(listed, account, { primary, anyPlatform: false });
  // An account of another platform is accepted: its transactions can be read.
  const isElsewhere = 'why' in onPrimary && onPrimary.why === 'elsewhere';
  const found = isElsewhere ? findAccount(listed, account, { primary, anyPlatform: true }) : onPrimary;
  if ('why' in found) return report('fail', name, found.sentence, `${source.file}:${source.line} names it.`);
  const words = `${found.accountId} (${found.username ?? 'unnamed'}) on ${found.platform}`;
  const hint = `Campaigns and broadcasts exist on ${primary} only; transactions can be read. Write \`platform: secondary\` next to its id in herald.yaml, and lists leave it out.`;
  return isElsewhere ? report('warn', name, words, hint) : report('ok', name, words);
}

/** The ids in a path of a test read, as far as they are known. */
type Probed = Readonly<Record<string, string | null | undefined>>;

/** The account of test reads: the first of the workspace that the key sees, or the first one with an id in the file. */
function chooseProbed({ accounts, service }: WorkspaceSettings, listed: readonly AccountReply[]): Probed {
  const platform = service.platforms.primary;
  const [seen] = accounts.flatMap((account) => {
    const found = findAccount(listed, account, { primary: platform, anyPlatform: false });
    return 'why' in found
      ? []
      : [{ account_id: found.accountId, platform_account_id: found.platformAccountId }];
  });
  const [written] = accounts.flatMap((account) =>
    account.selector.by === 'id' && account.platform !== 'secondary'
      ? [{ account_id: account.selector.value, platform_account_id: account.platformAccountId }]
      : [],
  );
  return { platform, ...(seen ?? written) };
}

/** Tries a permission with the smallest page of a list, of the last hour where it has a range. */
async function checkPermission(
  client: Client,
  permission: Permission,
  { ids, nowMs, isNeeded }: { readonly ids: Probed; readonly nowMs: number; readonly isNeeded: boolean },
): Promise<Check> {
  const name = `permission ${permission}`;
  const known = OPERATIONS.filter((operation) => rowOf(operation).permission === permission);
  const calls = `It is for ${known.join(', ')}.`;
  const list = Object.values(LIST_COMMANDS).find(
    ({ operation, argument }) => argument === undefined && known.includes(operation),
  );
  if (list === undefined) return report('skip', name, `not tested (needs a write). ${calls}`);
  const { operation, range } = list;
  const params: Record<string, string> = {};
  for (const [, param = ''] of rowOf(operation).path.matchAll(/\{(\w+)\}/g)) {
    const id = ids[param];
    if (id == null) return report('skip', name, `not tested (no account). ${calls}`);
    params[param] = id;
  }
  const { from, to } = readRange({ from: '1h', to: undefined }, nowMs, { isRequired: true });
  const query = range?.required === true ? { [range.from]: from, [range.to]: to } : {};
  const page = readOwner(client, list, { alias: '', accountId: null, params }, { query, limit: 1 });
  // A list with missing rows is an answer, too.
  const error: unknown = await page.next().then(
    () => null,
    (reason: unknown) => (reason instanceof IncompleteScanError ? null : reason),
  );
  if (error === null) return report('ok', name, `granted. ${calls}`);
  if (!(error instanceof ServiceError)) throw error;
  const { code, what, hint } = error.problem;
  // The order of permission and account is not documented.
  if (code !== 'API_KEY_PERMISSION_DENIED') return report('warn', name, `not known: ${what}`, hint);
  const denied = `not granted. ${calls}`;
  return isNeeded
    ? report('fail', name, denied, 'Your files need it. Give it to the key, or use another key.')
    : report('warn', name, denied, 'To make these calls, give it to the key.');
}

/** How a status looks, and the word for its number in the last line. */
const STATUSES = {
  ok: ['good', 'fine'],
  warn: ['warn', 'with warnings'],
  fail: ['bad', 'wrong'],
  skip: ['dim', 'not checked'],
} as const satisfies Record<Check['status'], readonly [Tone, string]>;

/** Columns of the longest status and a space. */
const STATUS_COLUMNS = 5;

/** One line per check, with its hint below, and a count at the end. Ends with a line break. */
function renderChecks(checks: readonly Check[], summary: DoctorReport['summary'], style: TextStyle): Visible {
  const lines = checks.flatMap(({ name, status, message, hint }) => {
    const word = span(visible(status.padEnd(STATUS_COLUMNS)), STATUSES[status][0]);
    const title = span(visibleProse(name), 'strong');
    return [
      ...drawLine([word, title, span(shown`: ${visibleProse(message)}`)], style, 0, STATUS_COLUMNS),
      ...(hint === null ? [] : drawLine([span(shown`-> ${visibleProse(hint)}`)], style, STATUS_COLUMNS, 3)),
    ];
  });
  const counts = (['ok', 'warn', 'fail', 'skip'] as const)
    .filter((status) => status === 'ok' || summary[status] > 0)
    .map((status) => `${summary[status]} ${STATUSES[status][1]}`);
  return page([...lines, shown``, shown`${counts.join(', ')}.`]);
}
