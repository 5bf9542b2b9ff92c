import { ServiceError } from '../../api/errors.ts';
import { IncompleteScanError } from '../../api/pages/incomplete.ts';
import { summarise } from '../../plan/plan.ts';
import type { Plan } from '../../domain/change.ts';
import { globOf } from '../../domain/glob.ts';
import type { Kind, Observed, ResolvedAccount } from '../../domain/resource.ts';
import { StateError } from '../../domain/state-error.ts';
import { isStopped } from '../../domain/status.ts';
import { shown } from '../../domain/visible.ts';
import {
  planStop,
  stopByHand,
  unreachableState,
  type PlannedStop,
  type StopRequest,
} from '../../engine/by-hand.ts';
import type { Result, Run, RunState } from '../../engine/run.ts';
import { createRun } from '../../library/runs.ts';
import { nameService } from '../../library/state-access.ts';
import { scanScope } from '../../live/read.ts';
import { chooseAccount, openService, type Service } from '../accounts.ts';
import { noMatch, typedTarget, type TypedObject } from '../addresses.ts';
import type { Context } from '../context.ts';
import { warningLine } from '../notice.ts';
import { runPorts } from '../reporter.ts';
import { drawPlan } from '../resources/plan.ts';
import { askForChanges, describeService, refuseBlocked } from './words.ts';

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
 * cannot be reached. An address means everything of its name that runs or waits.
 */
export async function stopCommand(context: Context, stop: TypedStop): Promise<readonly Result[]> {
  const { kind, action, typed } = stop;
  const target = typedTarget(kind, typed, stop.account, `${KIND_VERBS[kind]} ${action}`);
  const service = await openService(context);
  const { state, close } = await openState(context, service);
  try {
    const ports = runPorts(context);
    const run = createRun(
      ports,
      { client: service.client, workspace: service.settings },
      { state, command: `${KIND_VERBS[kind]} ${action}` },
    );
    const account = await resolveAccount(run, service, target.account, context);
    const request = await findObjects(run, { account, kind, action }, target.object);
    const planned = await planStop(run, request);
    await agree(context, service, planned, stop);
    return await context.protect(() => stopByHand(run, planned));
  } finally {
    await close();
  }
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
    if (!(error instanceof StateError)) throw error;
    return { state: unreachableState(error), close: () => Promise.resolve() };
  }
}

/** A stop also works without the list of accounts. If that cannot be read, the state has the account of an alias. */
async function resolveAccount(
  { state }: Run,
  service: Service,
  given: string | undefined,
  { output }: Context,
): Promise<ResolvedAccount> {
  try {
    return useAlias(service, await chooseAccount(service, given, { unchecked: true }));
  } catch (error) {
    if (!isUnread(error)) throw error;
    const alias = given ?? service.settings.accounts[0]?.alias ?? '';
    const known = await state.known([]).catch(() => null);
    const accountId = known?.aliases.find((one) => one.alias === alias)?.account_id;
    if (accountId === undefined) throw error;
    output.fail(
      warningLine(
        'accounts-not-read',
        shown`The list of accounts cannot be read. Using account ${accountId} for ${alias}, as in earlier runs.`,
      ),
    );
    return { alias, accountId };
  }
}

/** Gives an account that was named by id its alias, because files and state use the alias. */
function useAlias({ settings }: Service, account: ResolvedAccount): ResolvedAccount {
  const known = settings.accounts.find(
    ({ alias, selector }) =>
      alias === account.alias || (selector.by === 'id' && selector.value === account.accountId),
  );
  return known === undefined ? account : { ...account, alias: known.alias };
}

function isUnread(error: unknown): boolean {
  return error instanceof ServiceError || error instanceof IncompleteScanError;
}

/** The objects that are meant, and the names of which a start may still make one. */
async function findObjects(
  run: Run,
  about: Pick<StopRequest, 'account' | 'kind' | 'action'>,
  object: TypedObject,
): Promise<StopRequest> {
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
  const running = named.filter(({ live }) => !isStopped(live));
  // A recall takes back what was sent, so it is about stopped ones as well.
  const meant =
    action === 'recall' && running.length === 0 ? named : running.length > 0 ? running : named.slice(-1);
  const shownIds = meant.map(({ live }) => live.id);
  const unshown = list.isComplete
    ? []
    : own.filter((row) => !isStopped({ status: row.status_set })).map(({ live_id: id }) => id);
  const liveIds = [...new Set([...shownIds, ...unshown])];
  if (liveIds.length === 0 && starts.length === 0) {
    if (!list.isComplete) throw list.error;
    throw noMatch(`${account.alias}/${kind}/${object.name}`, list.objects, object.name, kind);
  }
  return { ...about, liveIds, names: [...new Set(starts.map(({ name }) => name))] };
}

type List =
  | { readonly isComplete: true; readonly objects: readonly Observed[] }
  | { readonly isComplete: false; readonly objects: readonly Observed[]; readonly error: unknown };

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
  { decided: { changes } }: PlannedStop,
  { yes }: TypedStop,
): Promise<void> {
  if (changes.length === 0) return;
  const plan: Plan = {
    schema: 'herald/plan/1',
    service: describeService(service),
    changes: [...changes],
    summary: summarise(changes),
    diagnostics: [],
    eta_sec: 0,
  };
  refuseBlocked(changes);
  context.output.say(drawPlan(context, plan));
  if (!yes) await askForChanges(context, plan);
}
