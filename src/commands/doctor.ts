import { OPERATIONS, PERMISSIONS, rowOf, type Permission } from '../api/catalogue.ts';
import type { Client } from '../api/client.ts';
import { ServiceError } from '../api/errors.ts';
import type { Exchange } from '../api/answer.ts';
import { listAccounts } from '../api/pages.ts';
import { withoutSignatures } from '../api/key.ts';
import type { AccountReply } from '../api/rows/accounts.ts';
import type { Context } from '../cli/context.ts';
import { defineCommand } from '../cli/define-command.ts';
import { workspacePorts } from '../cli/engine-ports.ts';
import { toHeraldError } from '../cli/failure-of.ts';
import type { DoctorReport } from '../cli/schemas.ts';
import { formatCommand } from '../domain/command-line.ts';
import { formatDiagnostic, type PrintedDiagnostic } from '../domain/diagnostic.ts';
import { EXIT } from '../domain/exit-codes.ts';
import type { Declared } from '../domain/resource.ts';
import { page, shown, type Visible, visible, visibleProse } from '../domain/visible.ts';
import type { ServiceSettings, WorkspaceAccount, WorkspaceSettings } from '../domain/workspace.ts';
import { connect } from '../library/connect.ts';
import { loadFiles } from '../library/media.ts';
import { findAccount, findPlatformId, isProblem } from '../live/accounts.ts';
import { drawLine, span, type TextStyle, type Tone } from '../render/spans.ts';
import { count } from '../render/wording.ts';
import { loadSettings } from '../workspace/load.ts';
import { checkState, readLease } from '../cli/state.ts';

type Check = DoctorReport['checks'][number];

/** Checks everything that Herald depends on, and prints how to fix each problem. Sends only reads, and changes no file. */
export const doctor = defineCommand({
  path: 'doctor',
  about: 'check key, permissions, accounts, clock, proxy and state; sends only reads',
  examples: ['herald doctor', 'herald doctor --format json'],
  needs: 'nothing',
  run: async (context) => {
    const workspace = await readWorkspace(context);
    const checks = [
      checkNode(context.nodeVersion),
      workspace.check,
      ...(await guard('state', async () => [await checkRecord(context), await checkLease(context)])),
      ...(await guard('service', () => checkService(context, workspace))),
    ];
    context.output.progress('');
    const number = (status: Check['status']) => checks.filter((one) => one.status === status).length;
    const summary = { ok: number('ok'), warn: number('warn'), fail: number('fail'), skip: number('skip') };
    return {
      exit: summary.fail > 0 ? EXIT.failed : EXIT.done,
      json: () => ({ schema: 'herald/doctor/1', checks, summary }),
      text: () => renderChecks(checks, summary, context.output),
    };
  },
});

function makeCheck(status: Check['status']) {
  return (name: string, message: string, hint: string | null = null): Check => ({
    name,
    status,
    message,
    hint,
  });
}
const ok = makeCheck('ok');
/** A problem that leaves some commands working. */
const warn = makeCheck('warn');
const fail = makeCheck('fail');
/** A check that was not made, with the reason. */
const skip = makeCheck('skip');

/** Runs checks. If they throw, returns a failed check, so that the others still run. */
async function guard(name: string, look: () => Promise<readonly Check[]>): Promise<readonly Check[]> {
  try {
    return await look();
  } catch (error) {
    const failure = toHeraldError(error);
    if (failure === null) return [fail(name, `cannot be checked: ${String(error)}`)];
    const isKey =
      failure.code.endsWith('-api-key') ||
      (failure instanceof ServiceError && failure.problem.status === 401);
    return [fail(isKey ? 'key' : name, failure.message, failure.hint)];
  }
}

/** The oldest supported Node: `engines` of package.json. */
export const NODE_LEAST = [20, 19] as const;

function checkNode(version: string): Check {
  const [major = 0, minor = 0] = version.replace(/^v/, '').split('.').map(Number);
  const [leastMajor, leastMinor] = NODE_LEAST;
  if (major > leastMajor || (major === leastMajor && minor >= leastMinor))
    return ok('node', `Node ${version}`);
  const least = NODE_LEAST.join('.');
  const hint = `Install Node ${least} or newer. Other problems may come from that.`;
  return fail('node', `Node ${version} is older than ${least}`, hint);
}

/** The workspace, as far as it can be read. */
interface FoundWorkspace {
  readonly check: Check;
  /** Null if `herald.yaml` itself is not valid. */
  readonly settings: WorkspaceSettings | null;
  readonly declared: readonly Declared[];
}

async function readWorkspace(context: Context): Promise<FoundWorkspace> {
  const { files, env } = context;
  const loaded = await loadFiles(context);
  const all = `${formatCommand('validate')} shows all of it.`;
  if (loaded.kind === 'invalid') {
    const { diagnostics } = loaded;
    const check = fail('workspace', describeFirst(diagnostics), diagnostics.length === 1 ? null : all);
    const settings = await loadSettings(files, { env });
    return { check, settings: settings.kind === 'loaded' ? settings.settings : null, declared: [] };
  }
  const { workspace: settings, declared, warnings } = loaded;
  const words = `${count(declared.length, 'resource')} in ${count(settings.files.length, 'file')}, ${count(settings.accounts.length, 'account')}`;
  const check =
    warnings.length === 0
      ? ok('workspace', words)
      : warn('workspace', `${words}; ${describeFirst(warnings)}`, all);
  return { check, settings, declared };
}

function describeFirst(diagnostics: readonly PrintedDiagnostic[]): string {
  const [first, ...others] = diagnostics;
  if (first === undefined) return 'nothing is known';
  return `${formatDiagnostic(first)}${others.length === 0 ? '' : ` (and ${others.length} more)`}`;
}

async function checkRecord(context: Context): Promise<Check> {
  const { findings, healthy, services, place } = await checkState(context);
  const hint = `For details: ${formatCommand('state', 'check')}`;
  const severe = findings.filter(({ severity }) => severity === 'error');
  if (!healthy) return fail('state', describeFirst(severe), hint);
  const noted = findings.filter(({ severity }) => severity === 'warning');
  if (noted.length > 0) return warn('state', describeFirst(noted), hint);
  const rows = services.reduce((sum, one) => sum + one.rows, 0);
  return ok('state', `${place}: ${rows === 0 ? 'nothing is recorded yet' : count(rows, 'row')}`);
}

async function checkLease(context: Context): Promise<Check> {
  const lease = await readLease(context);
  if (lease === null) return ok('lease', 'no other run is active');
  const hint = `Changes wait until it ends. Reads, plans and stops by hand work. If that run is gone: ${formatCommand('state', 'unlock')}`;
  return warn('lease', `held by ${lease.holder}`, hint);
}

/** Longest wait for an answer. */
const TIMEOUT_MAX_SEC = 15;

/** Checks that need the service. Sends only reads. */
async function checkService(
  context: Context,
  { settings, declared }: FoundWorkspace,
): Promise<readonly Check[]> {
  if (settings === null)
    return [skip('service', 'not checked: herald.yaml names no service', 'Fix the workspace first.')];
  const { clock, output } = context;
  const requestTimeoutSec = Math.min(settings.service.requestTimeoutSec, TIMEOUT_MAX_SEC);
  const { client } = await connect(workspacePorts(context), { ...settings.service, requestTimeoutSec });
  output.progress(shown`asking the service`);
  // Null if the key may not list accounts.
  const listed = await listAccounts(client).catch((error: unknown) => {
    if (error instanceof ServiceError && error.problem.status === 403) return null;
    throw error;
  });
  output.progress(shown`asking for permissions`);
  const needed = listNeeded(settings, declared);
  const ids = chooseProbed(settings, listed);
  const nowMs = clock.now() + client.skewMs();
  const permissions = await Promise.all(
    PERMISSIONS.map((permission) =>
      checkPermission(client, permission, { ids, nowMs, isNeeded: needed.has(permission) }),
    ),
  );
  return [
    ok('service', `it answers: ${describeRoute(context, settings.service)}`),
    ok('key', 'accepted'),
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
    return skip('clock', 'not compared: the simulator has its own clock');
  const skewMs = client.skewMs();
  const seconds = Math.round(Math.abs(skewMs) / 1000);
  if (Math.abs(skewMs) <= SKEW_MAX_MS) return ok('clock', `within ${seconds} s of the service's`);
  const direction = skewMs > 0 ? 'behind' : 'ahead of';
  return warn(
    'clock',
    `this machine's clock is ${seconds} s ${direction} the service's`,
    "Set this machine's clock. Schedules follow the service's clock, but the state has times of this machine.",
  );
}

/** Checks that each alias names exactly one account that the key sees. */
function checkAccounts(
  { accounts, service }: WorkspaceSettings,
  listed: readonly AccountReply[] | null,
): readonly Check[] {
  const hint = `To see the accounts of the key: ${formatCommand('accounts', 'list')}`;
  if (accounts.length === 0) return [warn('accounts', 'herald.yaml names no account', hint)];
  if (listed === null) {
    const ids =
      'Give the key accounts.view, or write id and platform_account_id of each account in herald.yaml.';
    return [skip('accounts', 'not checked: the key may not list accounts', ids)];
  }
  return accounts.map((account) => checkAccount(account, listed, service.platforms.primary));
}

function checkAccount(account: WorkspaceAccount, listed: readonly AccountReply[], primary: string): Check {
  const { alias, source } = account;
  const name = `account ${alias}`;
  const onPrimary = findAccount(listed, account, primary);
  // An account of another platform is accepted: its transactions can be read.
  const found =
    isProblem(onPrimary) && onPrimary.why === 'elsewhere' ? findAccount(listed, account, null) : onPrimary;
  if (isProblem(found)) return fail(name, found.sentence, `${source.file}:${source.line} names it.`);
  const words = `${found.id} (${found.username ?? 'unnamed'}) on ${found.platform ?? 'an unnamed platform'}`;
  if (typeof found.platform === 'string' && found.platform !== primary)
    return warn(
      name,
      words,
      `Campaigns and broadcasts exist on ${primary} only; transactions can be read. Write \`platform: secondary\` next to its id in herald.yaml, and lists leave it out.`,
    );
  return ok(name, words);
}

/** The ids in a path of a test read, as far as they are known. */
type Probed = Readonly<Record<string, string | null | undefined>>;

/** The account of test reads: the first of the workspace that the key sees, or the first one with an id in the file. */
function chooseProbed(
  { accounts, service }: WorkspaceSettings,
  listed: readonly AccountReply[] | null,
): Probed {
  const platform = service.platforms.primary;
  for (const account of accounts) {
    const live = findAccount(listed ?? [], account, platform);
    if (!isProblem(live))
      return { platform, account_id: live.id, platform_account_id: live.platform_account_id };
  }
  const own = accounts.find(({ selector, platform: on }) => selector.by === 'id' && on !== 'secondary');
  return {
    platform,
    account_id: own?.selector.value,
    platform_account_id: own === undefined ? null : findPlatformId(own),
  };
}

const HOUR_MS = 3_600_000;

/** Tries a permission with the smallest page of a list, of the last hour where it has a range. */
async function checkPermission(
  client: Client,
  permission: Permission,
  { ids, nowMs, isNeeded }: { readonly ids: Probed; readonly nowMs: number; readonly isNeeded: boolean },
): Promise<Check> {
  const name = `permission ${permission}`;
  const known = OPERATIONS.filter((operation) => rowOf(operation).permission === permission);
  const calls = `It is for ${known.join(', ')}.`;
  const operation = known.find((one) => {
    const { list } = rowOf(one);
    return list !== undefined && list.argument === undefined;
  });
  if (operation === undefined) return skip(name, `not tested (needs a write). ${calls}`);
  const row = rowOf(operation);
  const { paging, query, list } = row;
  const names = [...row.path.matchAll(/\{(\w+)\}/g)].map(([, param = '']) => param);
  if (names.some((param) => ids[param] == null)) return skip(name, `not tested (no account). ${calls}`);
  const [from, to] = [nowMs - HOUR_MS, nowMs].map((ms) => new Date(ms).toISOString());
  const input = {
    params: Object.fromEntries(names.map((param) => [param, ids[param]])),
    query: {
      ...('limit' in query.shape ? { limit: ('most' in paging ? paging.least : undefined) ?? 1 } : {}),
      ...('offset' in query.shape ? { offset: 0 } : {}),
      ...(list?.range?.required === true ? { [list.range.from]: from, [list.range.to]: to } : {}),
    },
  };
  const exchange = await client.prepareRow(operation, row, input)();
  return judgePermission(name, exchange, calls, isNeeded);
}

/**
 * | the answer                                        | the permission |
 * |---------------------------------------------------|----------------|
 * | a success                                         | granted        |
 * | refused with the permission's own code            | not granted    |
 * | a plain 403 or 404                                | not known: the order of permission and account is not documented |
 * | refused for the request itself, such as a 400     | granted: Assumed that the permission is checked first (ACCOUNT-8) |
 */
function judgePermission(name: string, exchange: Exchange<unknown>, calls: string, isNeeded: boolean): Check {
  if (exchange.kind === 'done') return ok(name, `granted. ${calls}`);
  const { status, code, what, hint } = exchange.problem;
  if (exchange.kind !== 'refused' || status === 401)
    return warn(name, `not known: ${what}`, hint ?? `Run ${formatCommand('doctor')} again.`);
  if (code === 'API_KEY_PERMISSION_DENIED')
    return isNeeded
      ? fail(name, `not granted. ${calls}`, 'Your files need it. Give it to the key, or use another key.')
      : warn(name, `not granted. ${calls}`, 'To make these calls, give it to the key.');
  if (status === 403 || status === 404)
    return warn(
      name,
      `not known: the test read of one account ${what}`,
      'The key may not see that account, or it lacks the permission. Check both.',
    );
  return warn(name, `granted, but the test read of one account ${what}`, hint);
}

const TONES = { ok: 'good', warn: 'warn', fail: 'bad', skip: 'dim' } as const satisfies Record<
  Check['status'],
  Tone
>;

/** Columns of the longest status and a space. */
const STATUS_COLUMNS = 5;

/** One line per check, with its hint below, and a count at the end. Ends with a line break. */
export function renderChecks(
  checks: readonly Check[],
  summary: DoctorReport['summary'],
  style: TextStyle,
): Visible {
  const lines = checks.flatMap(({ name, status, message, hint }) => {
    const word = span(visible(status.padEnd(STATUS_COLUMNS)), TONES[status]);
    const title = span(visibleProse(name), 'strong');
    return [
      ...drawLine([word, title, span(shown`: ${visibleProse(message)}`)], style, 0, STATUS_COLUMNS),
      ...(hint === null ? [] : drawLine([span(shown`-> ${visibleProse(hint)}`)], style, STATUS_COLUMNS, 3)),
    ];
  });
  const counts = [
    `${summary.ok} fine`,
    ...(summary.warn === 0 ? [] : [`${summary.warn} with warnings`]),
    ...(summary.fail === 0 ? [] : [`${summary.fail} wrong`]),
    ...(summary.skip === 0 ? [] : [`${summary.skip} not checked`]),
  ];
  return page([...lines, shown``, shown`${counts.join(', ')}.`]);
}
