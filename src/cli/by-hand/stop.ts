import { IncompleteScanError, ServiceError } from '../../api/errors.ts';
import { summarise } from '../../plan/plan.ts';
import type { Plan } from '../../domain/change.ts';
import { globOf, literalOf } from '../../domain/glob.ts';
import { groupBy } from '../../domain/group-by.ts';
import type { Kind, Observed, ResolvedAccount } from '../../domain/resource.ts';
import { isArchived, isStopped } from '../../domain/status.ts';
import { shown } from '../../domain/visible.ts';
import {
  describeStop,
  planStop,
  stopByHand,
  unreachableState,
  type PlannedStop,
  type StopRequest,
} from '../../engine/by-hand.ts';
import type { Result, Run, RunState } from '../../engine/run.ts';
import { createRun } from '../../library/runs.ts';
import { nameService } from '../../library/state-access.ts';
import { scanScope } from '../../live/scan.ts';
import { namedAccounts } from '../../live/accounts.ts';
import { chooseAccount, chooseAccounts, openService, type Service } from '../accounts.ts';
import { noList, noMatch, typedTarget, type TypedObject, type TypedTarget } from '../addresses.ts';
import type { Context } from '../context.ts';
import { warningLine } from '../notice.ts';
import { runPorts } from '../reporter.ts';
import { drawPlanText } from '../plan-output.ts';
import { askForChanges, describeService, refuseBlocked } from './words.ts';
import { HeraldError, hasCode } from '../../domain/herald-error.ts';

/** What a person stops: an id, an address, or a pattern over addresses. */
export interface TypedStop {
  readonly kind: Kind;
  readonly action: StopRequest['action'];
  readonly typed: string;
  readonly account: string | undefined;
  readonly yes: boolean;
}

/**
 * Stops at once: without the lease of another run, without a complete list where an id is given, and without a state if that
 * cannot be reached. An address means everything of its name that runs or waits, on every account that it names.
 */
export async function stopCommand(context: Context, stop: TypedStop): Promise<readonly Result[]> {
  const { kind, action, typed } = stop;
  const command = `${KIND_VERBS[kind]} ${action}`;
  const { object, account } = typedTarget(kind, typed, stop.account, command);
  const service = await openService(context);
  const { state, close } = await openState(context, service);
  try {
    const ports = runPorts(context);
    const run = createRun(ports, { client: service.client, workspace: service.settings }, { state, command });
    const accounts = await resolveAccounts(run, service, { object, account }, context);
    const found = await Promise.all(
      accounts.map((one) => findObjects(run, { account: one, kind, action }, object, command)),
    );
    const { requests, unread } = chooseFound(found);
    const planned = await Promise.all(requests.map((request) => planStop(run, request)));
    await agree(context, service, planned, stop);
    const results = await context.protect(() => Promise.all(planned.map((one) => stopByHand(run, one))));
    return [...results.flat(), ...unread];
  } finally {
    await close();
  }
}

/** What was found on one account: objects to stop, or why there is nothing that can be stopped. */
type Found =
  StopRequest | { readonly about: Omit<StopRequest, 'liveIds' | 'names'>; readonly error: HeraldError };

/** Throws if nothing was found at all. An account with a list that cannot be read does not hold up the stops of the others. */
function chooseFound(found: readonly Found[]): {
  readonly requests: readonly StopRequest[];
  readonly unread: readonly Result[];
} {
  const requests = found.filter((one): one is StopRequest => !('error' in one));
  const problems = found.flatMap((one) => ('error' in one ? [one] : []));
  const unread = problems.filter(({ error }) => error.code === 'incomplete-list');
  const [worst] = [...unread, ...problems];
  if (requests.length === 0 && worst !== undefined) throw worst.error;
  return {
    requests,
    unread: unread.map(({ about, error }) => ({
      change: describeStop(about, '', null),
      outcome: 'failed',
      liveId: null,
      reasons: [{ kind: 'planned', reasons: [error.message, error.hint ?? ''] }],
    })),
  };
}

const KIND_VERBS = { campaign: 'campaigns', broadcast: 'broadcasts' } as const;

/** A state that cannot be opened does not hold up a stop: the result says that it is not on record. */
async function openState(
  { state }: Context,
  { client }: Service,
): Promise<{ readonly state: RunState; readonly close: () => Promise<void> }> {
  try {
    const joined = await state.join(() => nameService(client));
    return { state: joined, close: () => joined.close() };
  } catch (error) {
    if (!hasCode(error, 'state-')) throw error;
    return { state: unreachableState(error), close: () => Promise.resolve() };
  }
}

/**
 * The account of an id, or every account that an address names: by an alias, a group, or a pattern. A stop also works without
 * the list of accounts. If that cannot be read, the state has the account of an alias.
 */
async function resolveAccounts(
  { state }: Run,
  service: Service,
  { object, account: given }: TypedTarget,
  { output }: Context,
): Promise<readonly ResolvedAccount[]> {
  const { settings } = service;
  const names = given === undefined ? [] : object.by === 'id' ? [given] : fitAliases(settings, given);
  try {
    const accounts =
      given === undefined || object.by === 'id'
        ? [await chooseAccount(service, given, { unchecked: true })]
        : await chooseAccounts(service, names);
    return accounts.map((account) => useAlias(service, account));
  } catch (error) {
    if (!isUnread(error)) throw error;
    const known = await state.known([]).catch(() => null);
    return namedAccounts(settings, names).map(({ alias, selector }) => {
      if (selector.by === 'id' || selector.by === 'any_id') return { alias, accountId: selector.value };
      const accountId = known?.aliases.find((one) => one.alias === alias)?.account_id;
      if (accountId === undefined) throw error;
      output.fail(
        warningLine(
          'accounts-not-read',
          shown`The list of accounts cannot be read. Using account ${accountId} for ${alias}, as in earlier runs.`,
        ),
      );
      return { alias, accountId };
    });
  }
}

/** The aliases that a pattern fits. A name that fits none stays as it is: it is a group, an id, or a mistake. */
function fitAliases({ accounts }: Service['settings'], given: string): readonly string[] {
  const fitting = accounts.map(({ alias }) => alias).filter(globOf(given));
  return fitting.length === 0 ? [given] : fitting;
}

/** Gives an account that was named by id its alias, because files and state use the alias. */
function useAlias({ settings }: Service, account: ResolvedAccount): ResolvedAccount {
  const known = settings.accounts.find(
    ({ alias, selector }) =>
      alias === account.alias || (selector.by === 'id' && selector.value === account.accountId),
  );
  return known === undefined ? account : { ...account, alias: known.alias };
}

function isUnread(error: unknown): error is Unread {
  return error instanceof ServiceError || error instanceof IncompleteScanError;
}

/** The objects that are meant, and the names of which a start may still make one. */
async function findObjects(
  run: Run,
  about: Pick<StopRequest, 'account' | 'kind' | 'action'>,
  object: TypedObject,
  command: string,
): Promise<Found> {
  if (object.by === 'id') return { ...about, liveIds: [object.id], names: [] };
  const { account, kind, action } = about;
  const fits = globOf(object.name);
  const list = await readList(run, account, kind);
  const { objects } = await run.state.known([account.accountId]).catch(() => ({ objects: [] }));
  const own = objects.filter((row) => row.kind === kind && fits(row.name));
  const starts = (await run.state.open().catch(() => [])).filter(
    (request) => request.account_id === account.accountId && request.kind === kind && fits(request.name),
  );
  const recorded = new Set(own.map(({ live_id: id }) => id));
  const named = list.objects.filter(({ live }) => fits(live.name ?? '') || recorded.has(live.id));
  const isPattern = literalOf(object.name) === null;
  const byName = groupBy(named, ({ live }) => live.name ?? '');
  const meant = [...byName.values()].flatMap((versions) => chooseVersions(versions, action, isPattern));
  const shownIds = meant.map(({ live }) => live.id);
  const unshown = list.isComplete
    ? []
    : own.filter((row) => !isStopped({ status: row.status_set })).map(({ live_id: id }) => id);
  const liveIds = [...new Set([...shownIds, ...unshown])];
  if (liveIds.length === 0 && starts.length === 0) {
    const address = `${account.alias}/${kind}/${object.name}`;
    const error = list.isComplete
      ? noMatch(address, list.objects, object.name, kind)
      : noList(list.error, account, command);
    return { about, error };
  }
  return { ...about, liveIds, names: [...new Set(starts.map(({ name }) => name))] };
}

/**
 * What runs or waits. A recall is also about versions that were stopped, because it takes back what they sent. If nothing runs,
 * the last version is stopped once more, so that it is on record; a pattern does not mean what is archived.
 */
function chooseVersions(
  versions: readonly Observed[],
  action: StopRequest['action'],
  isPattern: boolean,
): readonly Observed[] {
  const current = versions.filter(({ live }) => !isArchived(live));
  const running = versions.filter(({ live }) => !isStopped(live));
  if (action === 'recall') return current.length > 0 || isPattern ? current : versions;
  if (running.length > 0) return running;
  return (current.length > 0 || isPattern ? current : versions).slice(-1);
}

type List =
  | { readonly isComplete: true; readonly objects: readonly Observed[] }
  | { readonly isComplete: false; readonly objects: readonly Observed[]; readonly error: Unread };

type Unread = ServiceError | IncompleteScanError;

/** A list that cannot be read does not hold up the stop of what the state knows. */
async function readList({ client }: Run, account: ResolvedAccount, kind: Kind): Promise<List> {
  try {
    return { isComplete: true, objects: await scanScope(client, { account, kind }) };
  } catch (error) {
    if (!isUnread(error)) throw error;
    return { isComplete: false, objects: [], error };
  }
}

async function agree(
  context: Context,
  service: Service,
  planned: readonly PlannedStop[],
  { yes }: TypedStop,
): Promise<void> {
  const changes = planned.flatMap(({ decided }) => decided.changes);
  if (changes.length === 0) return;
  const plan: Plan = {
    schema: 'herald/plan/1',
    service: describeService(service),
    changes,
    summary: summarise(changes),
    diagnostics: [],
    eta_sec: 0,
  };
  refuseBlocked(changes);
  context.output.say(drawPlanText(context, plan));
  if (!yes) await askForChanges(context, plan);
}
