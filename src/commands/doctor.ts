import type { Client } from '../api/client.ts';
import { ServiceError } from '../api/errors.ts';
import { listAccounts } from '../api/pages.ts';
import { proxyRoute } from '../api/proxy.ts';
import type { Permission } from '../api/row.ts';
import type { AccountReply } from '../api/rows/accounts.ts';
import { checkedBaseUrl } from '../api/url.ts';
import type { Context } from '../cli/context.ts';
import { defineCommand } from '../cli/define-command.ts';
import { workspacePorts } from '../cli/engine-ports.ts';
import { toHeraldError } from '../cli/failure-of.ts';
import { checkPermissions, type ProbeAccount } from '../cli/permission-checks.ts';
import type { DoctorReport } from '../cli/schemas.ts';
import { checkState, readLease } from '../cli/state.ts';
import { formatCommand } from '../domain/command-line.ts';
import { formatDiagnostic, type PrintedDiagnostic } from '../domain/diagnostic.ts';
import { EXIT } from '../domain/exit-codes.ts';
import { hasCode } from '../domain/herald-error.ts';
import type { Declared } from '../domain/resource.ts';
import { page, shown, type Visible, visible, visibleProse } from '../domain/visible.ts';
import type { ServiceSettings, WorkspaceAccount, WorkspaceSettings } from '../domain/workspace.ts';
import { connect } from '../library/connect.ts';
import { loadOptions } from '../library/local-media.ts';
import { nameService, withState } from '../library/state-access.ts';
import {
  describeMoved,
  explainMoved,
  findAccount,
  findMoved,
  findPlatformId,
  isProblem,
} from '../live/accounts.ts';
import { drawLine, span, type TextStyle, type Tone } from '../render/spans.ts';
import { count } from '../render/wording.ts';
import { loadDeclared, loadSettings } from '../workspace/load.ts';

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
      ...(await checkService(context, workspace)),
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

/** Runs a check. If it throws, returns a failed check, so that the others still run. */
async function guard(name: string, look: () => Promise<readonly Check[]>): Promise<readonly Check[]> {
  try {
    return await look();
  } catch (error) {
    const failure = toHeraldError(error);
    if (failure !== null) return [fail(name, failure.message, failure.hint)];
    return [fail(name, `cannot be checked: ${error instanceof Error ? error.message : String(error)}`, null)];
  }
}

/** The oldest supported Node: `engines` of package.json. */
export const NODE_LEAST = [20, 19] as const;

function checkNode(version: string): Check {
  const [major = 0, minor = 0] = version.replace(/^v/, '').split('.').map(Number);
  const [leastMajor, leastMinor] = NODE_LEAST;
  if (major > leastMajor || (major === leastMajor && minor >= leastMinor))
    return ok('node', `Node ${version}`);
  return fail(
    'node',
    `Node ${version} is older than ${NODE_LEAST.join('.')}`,
    `Install Node ${NODE_LEAST.join('.')} or newer. Other problems may come from that.`,
  );
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
  const loaded = await loadDeclared(files, loadOptions(context));
  const all = `${formatCommand('validate')} shows all of it.`;
  if (loaded.kind === 'invalid') {
    const { diagnostics } = loaded;
    const check = fail('workspace', describeFirst(diagnostics), diagnostics.length === 1 ? null : all);
    const settings = await loadSettings(files, { env });
    return { check, settings: settings.kind === 'loaded' ? settings.settings : null, declared: [] };
  }
  const { workspace, declared, warnings } = loaded;
  const words = `${count(declared.length, 'resource')} in ${count(workspace.files.length, 'file')}, ${count(workspace.accounts.length, 'account')}`;
  const check =
    warnings.length === 0
      ? ok('workspace', words)
      : warn('workspace', `${words}; ${describeFirst(warnings)}`, all);
  return { check, settings: workspace, declared };
}

function describeFirst(diagnostics: readonly PrintedDiagnostic[]): string {
  const [first, ...others] = diagnostics;
  if (first === undefined) return 'nothing is known';
  return `${formatDiagnostic(first)}${others.length === 0 ? '' : ` (and ${others.length} more)`}`;
}

async function checkRecord(context: Context): Promise<Check> {
  const { findings, services, place } = await checkState(context);
  const severe = findings.filter(({ severity }) => severity === 'error');
  const hint = `For details: ${formatCommand('state', 'check')}`;
  if (severe.length > 0) return fail('state', describeFirst(severe), hint);
  if (findings.length > 0) return warn('state', describeFirst(findings), hint);
  const rows = services.reduce((sum, one) => sum + one.rows, 0);
  return ok('state', `${place}: ${rows === 0 ? 'nothing is recorded yet' : count(rows, 'row')}`);
}

async function checkLease(context: Context): Promise<Check> {
  const lease = await readLease(context);
  if (lease === null) return ok('lease', 'no other run is active');
  return warn(
    'lease',
    `held by ${lease.holder}`,
    `Changes wait until it ends. Reads, plans and stops by hand work. If that run is gone: ${formatCommand('state', 'unlock')}`,
  );
}

/** Longest wait for an answer. */
const TIMEOUT_MAX_SEC = 15;

/** Checks that need the service. Sends only reads. */
async function checkService(context: Context, found: FoundWorkspace): Promise<readonly Check[]> {
  const { settings } = found;
  if (settings === null)
    return [skip('service', 'not checked: herald.yaml names no service', 'Fix the workspace first.')];
  const { service } = settings;
  const route = checkRoute(context, service);
  const notAsked = skip('service', 'not checked: permissions, accounts and clock are unknown');
  if (route.some(({ status }) => status === 'fail')) return [...route, notAsked];
  try {
    const requestTimeoutSec = Math.min(service.requestTimeoutSec, TIMEOUT_MAX_SEC);
    const { client } = await connect(workspacePorts(context), { ...service, requestTimeoutSec });
    return [...route, ...(await guard('service', () => askService(context, found, settings, client)))];
  } catch (error) {
    const failure = toHeraldError(error);
    const name = failure !== null && failure.code.endsWith('-api-key') ? 'key' : 'service';
    const message = failure?.message ?? (error as Error).message;
    return [...route, fail(name, message, failure?.hint ?? null), notAsked];
  }
}

/** Checks the address and the proxy. */
function checkRoute({ env }: Context, { target }: ServiceSettings): readonly Check[] {
  if (target.kind === 'simulator')
    return [ok('address', `the embedded simulator, kept in ${target.worldFile}`)];
  try {
    const baseUrl = checkedBaseUrl(target.baseUrl);
    const route = proxyRoute(baseUrl, env);
    const address = ok('address', baseUrl);
    if (route.kind === 'broken')
      return [
        address,
        fail('proxy', `${route.variable} cannot be used: ${route.why}`, 'Fix its value, or unset it.'),
      ];
    const way = route.kind === 'direct' ? `none: ${route.why}` : `${route.address}, from ${route.variable}`;
    return [address, ok('proxy', way)];
  } catch (error) {
    return [fail('address', (error as Error).message, 'Correct service.base_url or HERALD_BASE_URL.')];
  }
}

async function askService(
  context: Context,
  { declared }: FoundWorkspace,
  settings: WorkspaceSettings,
  client: Client,
): Promise<readonly Check[]> {
  context.output.progress(shown`asking the service`);
  const first = await client.call('accounts.list', { params: {}, query: { limit: 1 } });
  if (first.kind === 'not_sent' || first.kind === 'unknown' || first.kind === 'throttled')
    return [
      fail('service', `no usable answer: ${first.problem.what}`, first.problem.hint),
      skip('key', 'not known'),
    ];
  if (first.kind === 'refused' && first.problem.status === 401)
    return [
      ok('service', 'it answers'),
      fail('key', first.problem.what, first.problem.hint),
      checkClock(settings, client),
    ];
  const listed = await listVisible(client);
  const onRecord = await readAliases(context, client);
  context.output.progress(shown`asking for permissions`);
  const permissions = await checkPermissions(client, {
    account: chooseProbed(settings, listed),
    nowMs: context.clock.now() + client.skewMs(),
    needed: listNeeded(settings, declared),
  });
  context.output.progress('');
  return [
    ok('service', 'it answers'),
    ok('key', 'accepted'),
    checkClock(settings, client),
    ...checkAccounts(settings, listed, onRecord),
    ...permissions,
  ];
}

/** All accounts that the key sees. Null if it may not list accounts. */
async function listVisible(client: Client): Promise<readonly AccountReply[] | null> {
  try {
    return await listAccounts(client);
  } catch (error) {
    if (error instanceof ServiceError && error.problem.status === 403) return null;
    throw error;
  }
}

/** The account of each alias in earlier runs. What is wrong with the state is a check of its own. */
async function readAliases({ state: access }: Context, client: Client): Promise<ReadonlyMap<string, string>> {
  try {
    const { aliases } = await withState(
      access.read(() => nameService(client)),
      (state) => state.known([]),
    );
    return new Map(aliases.map(({ alias, account_id: id }) => [alias, id]));
  } catch (error) {
    if (hasCode(error, 'state-')) return new Map();
    throw error;
  }
}

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

/** Checks that each alias names exactly one account that the key sees, the same as in earlier runs. */
function checkAccounts(
  { accounts, service }: WorkspaceSettings,
  listed: readonly AccountReply[] | null,
  onRecord: ReadonlyMap<string, string>,
): readonly Check[] {
  if (accounts.length === 0) {
    const hint = `To see the accounts of the key: ${formatCommand('accounts', 'list')}`;
    return [warn('accounts', 'herald.yaml names no account', hint)];
  }
  const { primary } = service.platforms;
  return accounts.map((account) =>
    listed === null ? checkUnlisted(account) : checkListed(account, listed, primary, onRecord),
  );
}

/** An account of a key that may not list accounts. */
function checkUnlisted(account: WorkspaceAccount): Check {
  const { alias, selector } = account;
  const name = `account ${alias}`;
  if (selector.by !== 'id')
    return fail(
      name,
      `${selector.by} "${selector.value}" cannot be looked up: the key may not list accounts`,
      'Give the key accounts.view, or write the id in herald.yaml.',
    );
  const hint =
    findPlatformId(account) !== undefined
      ? null
      : `traffic, revenue and payouts look up the id on the platform, which needs accounts.view. Without it, write both ids: ${alias}: { id: "${selector.value}", platform_account_id: "…" }`;
  return skip(name, `id ${selector.value}, not checked: the key may not list accounts`, hint);
}

function checkListed(
  account: WorkspaceAccount,
  listed: readonly AccountReply[],
  primary: string,
  onRecord: ReadonlyMap<string, string>,
): Check {
  const { alias, source } = account;
  const name = `account ${alias}`;
  const onPrimary = findAccount(listed, account, [primary]);
  // An account of another platform is accepted: its transactions can be read.
  const found =
    isProblem(onPrimary) && onPrimary.why === 'elsewhere' ? findAccount(listed, account, null) : onPrimary;
  if (isProblem(found)) return fail(name, found.sentence, `${source.file}:${source.line} names it.`);
  const [moved] = findMoved([account], [{ alias, accountId: found.id }], onRecord);
  if (moved !== undefined) return fail(name, describeMoved(moved), explainMoved(moved));
  const words = `${found.id} (${found.username ?? 'unnamed'}) on ${found.platform ?? 'an unnamed platform'}`;
  if (typeof found.platform === 'string' && found.platform !== primary)
    return warn(
      name,
      words,
      `Campaigns and broadcasts exist on ${primary} only; transactions can be read. Write \`platform: secondary\` next to its id in herald.yaml, and lists leave it out.`,
    );
  return ok(name, words);
}

/** An account for test reads: one of the workspace, with its known ids, or any other that the key sees. */
function chooseProbed(
  { accounts, service }: WorkspaceSettings,
  listed: readonly AccountReply[] | null,
): ProbeAccount {
  const { primary } = service.platforms;
  const onPrimary = (listed ?? []).filter(({ platform }) => platform == null || platform === primary);
  const own = onPrimary.find((live) => accounts.some(({ selector: { by, value } }) => live[by] === value));
  const live = own ?? onPrimary[0];
  if (live !== undefined)
    return { accountId: live.id, platform: primary, platformAccountId: live.platform_account_id ?? null };
  const byId = accounts.find(({ selector }) => selector.by === 'id');
  const onPlatform = accounts.find(
    (account) => findPlatformId(account) !== undefined && account.platform !== 'secondary',
  );
  return {
    accountId: byId?.selector.value ?? null,
    platform: primary,
    platformAccountId: onPlatform === undefined ? null : (findPlatformId(onPlatform) ?? null),
  };
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
  const lines = checks.flatMap(({ name, status, message, hint }) => [
    ...drawLine(
      [
        span(visible(status.padEnd(STATUS_COLUMNS)), TONES[status]),
        span(visibleProse(name), 'strong'),
        span(shown`: ${visibleProse(message)}`),
      ],
      style,
      0,
      STATUS_COLUMNS,
    ),
    ...(hint === null ? [] : drawLine([span(shown`-> ${visibleProse(hint)}`)], style, STATUS_COLUMNS, 3)),
  ]);
  return page([...lines, shown``, countLine(summary)]);
}

function countLine({ ok, warn, fail, skip }: DoctorReport['summary']): Visible {
  const parts = [
    `${ok} fine`,
    ...(warn === 0 ? [] : [`${warn} with warnings`]),
    ...(fail === 0 ? [] : [`${fail} wrong`]),
    ...(skip === 0 ? [] : [`${skip} not checked`]),
  ];
  return shown`${parts.join(', ')}.`;
}
