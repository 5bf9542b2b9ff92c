import type { Client } from '../../api/client.ts';
import { proxyRoute } from '../../api/proxy.ts';
import type { Permission } from '../../api/row.ts';
import { checkedBaseUrl } from '../../api/url.ts';
import type { Context } from '../context.ts';
import type { ServiceSettings, WorkspaceSettings } from '../../domain/workspace.ts';
import { shown } from '../../domain/visible.ts';
import { connect } from '../../library/connect.ts';
import { nameService, withState } from '../../library/state-access.ts';
import { connectPorts } from '../engine-ports.ts';
import { failureOf } from '../failure-of.ts';
import { accountChecks, accountToProbe, visibleAccounts } from './accounts.ts';
import { fail, guarded, ok, skip, warn, type Check } from './checks.ts';
import type { FoundWorkspace } from './local.ts';
import { permissionChecks } from './permissions.ts';
import { hasCode } from '../../domain/herald-error.ts';

/** Longest wait for an answer. */
const TIMEOUT_MAX_SEC = 15;

/** Checks that need the service. Sends only reads. */
export async function serviceChecks(context: Context, found: FoundWorkspace): Promise<readonly Check[]> {
  const { settings } = found;
  if (settings === null)
    return [skip('service', 'not checked: herald.yaml names no service', 'Fix the workspace first.')];
  const route = routeChecks(context, settings.service);
  if (route.some(({ status }) => status === 'fail')) return [...route, notAsked()];
  const connected = await connectOrSay(context, settings.service);
  if ('status' in connected) return [...route, connected, notAsked()];
  return [...route, ...(await guarded('service', () => askService(context, found, settings, connected)))];
}

function notAsked(): Check {
  return skip('service', 'not checked: permissions, accounts and clock are unknown');
}

/** Checks the address and the proxy. */
function routeChecks({ env }: Context, { target }: ServiceSettings): readonly Check[] {
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

async function connectOrSay(context: Context, service: ServiceSettings): Promise<Client | Check> {
  try {
    const requestTimeoutSec = Math.min(service.requestTimeoutSec, TIMEOUT_MAX_SEC);
    return (await connect(connectPorts(context), { ...service, requestTimeoutSec })).client;
  } catch (error) {
    const failure = failureOf(error);
    const name = failure !== null && failure.code.endsWith('-api-key') ? 'key' : 'service';
    return fail(name, failure?.message ?? (error as Error).message, failure?.hint ?? null);
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
      ...clockChecks(settings, client),
    ];
  const listed = await visibleAccounts(client);
  const onRecord = await readAliases(context, client);
  context.output.progress(shown`asking for permissions`);
  const permissions = await permissionChecks(client, {
    account: accountToProbe(settings, listed),
    nowMs: context.clock.now() + client.skewMs(),
    needed: neededBy(settings, declared),
  });
  context.output.progress('');
  return [
    ok('service', 'it answers'),
    ok('key', 'accepted'),
    ...clockChecks(settings, client),
    ...accountChecks(settings, listed, onRecord),
    ...permissions,
  ];
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

function neededBy(
  { accounts }: WorkspaceSettings,
  declared: FoundWorkspace['declared'],
): ReadonlySet<Permission> {
  const kinds = new Set(declared.map(({ kind }) => kind));
  return new Set<Permission>([
    ...(accounts.some(({ selector }) => selector.by !== 'id') ? (['accounts.view'] as const) : []),
    ...(kinds.has('campaign') ? (['auto_messages.view'] as const) : []),
    ...(kinds.has('broadcast') ? (['priority_mass_messages.view'] as const) : []),
  ]);
}

/** Largest clock difference. Schedules follow the service's clock, lost answers this machine's. */
const SKEW_MAX_MS = 30_000;

function clockChecks({ service }: WorkspaceSettings, client: Client): readonly Check[] {
  if (service.target.kind === 'simulator')
    return [skip('clock', 'not compared: the simulator has its own clock')];
  const skewMs = client.skewMs();
  const seconds = Math.round(Math.abs(skewMs) / 1000);
  if (Math.abs(skewMs) <= SKEW_MAX_MS) return [ok('clock', `within ${seconds} s of the service's`)];
  const direction = skewMs > 0 ? 'behind' : 'ahead of';
  return [
    warn(
      'clock',
      `this machine's clock is ${seconds} s ${direction} the service's`,
      "Set this machine's clock. Schedules follow the service's clock, but the state has times of this machine.",
    ),
  ];
}
