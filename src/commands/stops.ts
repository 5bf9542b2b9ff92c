import { isUnread } from '../api/errors.ts';
import { chooseAccounts, chooseName } from '../cli/accounts.ts';
import { identifyService, type Service } from '../library/connect.ts';
import { noList, noMatch, typedTarget, type TypedObject } from '../cli/addresses.ts';
import { noteBranch } from '../cli/plan-output.ts';
import { agreeByHand, byHandAccountFlag, reportByHand } from '../cli/run-apply.ts';
import type { Context } from '../cli/context.ts';
import { defineCommand } from '../cli/define-command.ts';
import { switchFlag, unusedLockTimeoutFlag, word, yesFlag } from '../cli/flags.ts';
import { warningLine } from '../cli/findings.ts';
import { compileGlob, readLiteral } from '../domain/glob.ts';
import { groupBy } from '../domain/group-by.ts';
import { HeraldError, hasCode } from '../domain/herald-error.ts';
import { KIND_ROWS, type Kind, type Observed, type ResolvedAccount } from '../domain/resource.ts';
import { isArchived, isRecalled, isStopped } from '../domain/status.ts';
import { shown } from '../domain/visible.ts';
import { describeStop, planStop, stopByHand, type StopRequest } from '../engine/by-hand.ts';
import type { Result, Run, RunState } from '../engine/run.ts';
import { createRun } from '../library/runs.ts';
import { nameService } from '../library/state-access.ts';
import { namedAccounts } from '../live/accounts.ts';
import { scanScope } from '../live/scan.ts';

interface Stop {
  readonly kind: Kind;
  readonly action: StopRequest['action'];
  readonly about: string;
}

const STOPS = {
  'campaigns pause': {
    kind: 'campaign',
    action: 'pause',
    about: 'pause a campaign; it keeps its queue, and the service archives it after 7 days',
  },
  'campaigns archive': {
    kind: 'campaign',
    action: 'archive',
    about: 'stop a campaign permanently and clear its queue',
  },
  'campaigns recall': {
    kind: 'campaign',
    action: 'recall',
    about: 'stop a campaign and recall its messages of the last 24 hours; cannot be undone',
  },
  'broadcasts pause': {
    kind: 'broadcast',
    action: 'pause',
    about: 'pause a broadcast; it can be resumed within 5 days',
  },
  'broadcasts recall': {
    kind: 'broadcast',
    action: 'recall',
    about: 'stop a broadcast and recall its messages, within 24 hours; cannot be undone',
  },
} as const satisfies Readonly<Record<string, Stop>>;

export type StopPath = keyof typeof STOPS;

/**
 * Stops at once: without the lease of another run, without a complete list where an id is given, and without a state if that
 * cannot be reached. An address means everything of its name that runs or waits, on every account that it names.
 */
export function defineStop(path: StopPath) {
  const stop: Stop = STOPS[path];
  const { kind, about } = stop;
  const [name, id] = kind === 'campaign' ? ['Welcome', '77'] : ['News', '5501'];
  return defineCommand({
    path,
    about,
    examples: [
      `herald ${path} alice/${kind}/${name}`,
      `herald ${path} ${id} --account alice --yes --format json`,
      `herald ${path} 'alice/**'`,
      `herald ${path} 'vip/${kind}/*'`,
      `herald ${path} --all --account alice`,
    ],
    words: { what: word('[ID|ADDRESS...]') },
    flags: {
      all: switchFlag('--all', `every ${kind} that runs or waits, on all accounts or on --account`),
      account: byHandAccountFlag,
      yes: yesFlag,
      lockTimeout: unusedLockTimeoutFlag,
    },
    needs: 'service',
    run: async (context, given, service) => {
      const results = await stopAll(context, service, { ...stop, ...given, command: path });
      if (given.format === 'text') await noteBranch(context);
      return reportByHand(context, results);
    },
  });
}

/** A stop as the command line has it. */
interface TypedStop extends Stop {
  readonly what: readonly string[];
  readonly all: boolean;
  readonly account: string | undefined;
  readonly yes: boolean;
  readonly command: string;
}

async function stopAll(
  context: Context,
  service: Service,
  { kind, action, what, all, account: given, yes, command }: TypedStop,
): Promise<readonly Result[]> {
  if (all === what.length > 0)
    throw new HeraldError(
      'bad-flag',
      `Which ${KIND_ROWS[kind].plural}? Nothing was sent.`,
      'Give ids or addresses, or --all without any.',
    );
  // `alice/**` is everything of an account, as for --target. Here, that is of one kind.
  const everything = (owner: string) => `${owner}/${kind}/*`;
  const typed = all
    ? [everything(given ?? '*')]
    : what.map((one) => one.replace(/^([^/]+)\/\*\*$/, (_, owner: string) => everything(owner)));
  const targets = typed.map((one) => typedTarget(kind, one, given, command));
  const { state, close } = await openState(context, service);
  try {
    const run = createRun(service, { state, command });
    const found: Found[] = [];
    for (const { object, account: owner } of targets) {
      const accounts = await resolveAccounts(context, run, service, owner, object.by === 'id');
      const own = await Promise.all(
        accounts.map((account) => findObjects(run, { account, kind, action }, object, command)),
      );
      // A pattern need not match on every account. If a list cannot be read, Herald prints why, and stops the rest.
      const isPartly = own.some(({ error }) => error === null);
      found.push(...own.filter(({ error }) => !isPartly || error?.code !== 'no-match'));
    }
    const errors = found.flatMap(({ error }) => error ?? []);
    const requests = mergeRequests(found.filter(({ error }) => error === null));
    const worst = errors.find(({ code }) => code === 'incomplete-list') ?? errors[0];
    if (requests.length === 0 && worst !== undefined) throw worst;
    const planned = await Promise.all(requests.map((request) => planStop(run, request)));
    const changes = planned.flatMap(({ decided }) => decided.changes);
    await agreeByHand(context, { service: identifyService(service), changes }, { yes });
    const results = await context.protect(() => Promise.all(planned.map((one) => stopByHand(run, one))));
    return [...results.flat(), ...found.flatMap(failOne)];
  } finally {
    await close();
  }
}

/** What one word means on one account. `error`: why there is nothing that can be stopped. */
interface Found extends StopRequest {
  /** As it was typed. */
  readonly name: string;
  readonly error: HeraldError | null;
}

/** What could not be found fails on its own. */
function failOne({ error, name, ...about }: Found): readonly Result[] {
  if (error === null) return [];
  const reasons = [{ kind: 'planned' as const, reasons: [error.message, error.hint ?? ''] }];
  return [{ change: describeStop(about, name, null), outcome: 'failed', liveId: null, reasons }];
}

/** One request for each account: an object that is named twice is stopped once. */
function mergeRequests(requests: readonly StopRequest[]): readonly StopRequest[] {
  return [...groupBy(requests, ({ account }) => account.accountId).values()].flatMap((same) =>
    same.slice(0, 1).map((first) => ({
      ...first,
      liveIds: [...new Set(same.flatMap(({ liveIds }) => liveIds))],
      names: [...new Set(same.flatMap(({ names }) => names))],
    })),
  );
}

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

/** Stands for a state that cannot be opened: a stop by hand is sent all the same, and says that it is not on record. */
function unreachableState(error: HeraldError): RunState {
  const refuse = () => Promise.reject(error);
  return {
    begin: refuse,
    repeat: refuse,
    left: () => undefined,
    end: refuse,
    learn: refuse,
    open: refuse,
    known: refuse,
    past: refuse,
    running: refuse,
    history: refuse,
    endCut: refuse,
  };
}

/**
 * The account of an id, or every account that an address names: by an alias, a group, or a pattern. A stop also works without
 * the list of accounts. If that cannot be read, the state has the account of an alias.
 */
async function resolveAccounts(
  { output }: Context,
  { state }: Run,
  service: Service,
  given: string | undefined,
  isOne: boolean,
): Promise<readonly ResolvedAccount[]> {
  const { settings } = service;
  const fitting = settings.accounts.map(({ alias }) => alias).filter(compileGlob(given ?? ''));
  // A name that fits no alias is a group, an id, or a mistake.
  const all = fitting.length === 0 ? [given ?? []].flat() : fitting;
  const names = isOne ? [chooseName(service, given)] : all;
  try {
    const accounts = await chooseAccounts(service, names);
    // Files and state know an account that was named by its id by its alias.
    return accounts.map((account) => {
      const known = settings.accounts.find(
        ({ selector }) => selector.by === 'id' && selector.value === account.accountId,
      );
      return { ...account, alias: known?.alias ?? account.alias };
    });
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

/** The objects that are meant, and the names of which a start may still make one. */
async function findObjects(
  run: Run,
  about: Pick<StopRequest, 'account' | 'kind' | 'action'>,
  object: TypedObject,
  command: string,
): Promise<Found> {
  if (object.by === 'id') return { ...about, name: '', liveIds: [object.id], names: [], error: null };
  const { account, kind, action } = about;
  const fits = compileGlob(object.name);
  // What cannot be read does not hold up the stop of what is known.
  const list = await scanScope(run.client, about).catch((error: unknown) => {
    if (isUnread(error)) return error;
    throw error;
  });
  const { objects } = await run.state.known([account.accountId]).catch(() => ({ objects: [] }));
  const open = await run.state.open().catch(() => []);
  const own = objects.filter((row) => row.kind === kind && fits(row.name));
  const starts = open.filter(
    (request) => request.account_id === account.accountId && request.kind === kind && fits(request.name),
  );
  const recorded = new Set(own.map(({ live_id: id }) => id));
  const shownNow = list instanceof Error ? [] : list;
  const named = shownNow.filter(({ live }) => fits(live.name ?? '') || recorded.has(live.id));
  const isPattern = readLiteral(object.name) === null;
  const byName = groupBy(named, ({ live }) => live.name ?? '');
  const meant = [...byName.values()].flatMap((versions) => chooseVersions(versions, action, isPattern));
  const unshown = list instanceof Error ? own.filter((row) => !isStopped({ status: row.status_set })) : [];
  const liveIds = [...new Set([...meant.map(({ live }) => live.id), ...unshown.map((row) => row.live_id)])];
  const found = { ...about, name: object.name, liveIds, names: [...new Set(starts.map(({ name }) => name))] };
  if (liveIds.length > 0 || starts.length > 0) return { ...found, error: null };
  const address = `${account.alias}/${kind}/${object.name}`;
  const error =
    list instanceof Error ? noList(list, account, command) : noMatch(address, list, object.name, kind);
  return { ...found, error };
}

/**
 * What runs or waits. A recall is also about versions that were stopped, because it takes back what they sent. If nothing runs,
 * the last version is stopped once more, so that it is on record; a pattern does not mean what is archived or recalled.
 */
function chooseVersions(
  versions: readonly Observed[],
  action: StopRequest['action'],
  isPattern: boolean,
): readonly Observed[] {
  const current = versions.filter(
    ({ live }) => !isArchived(live) && (action === 'recall' || !isRecalled(live)),
  );
  const running = versions.filter(({ live }) => !isStopped(live));
  if (action === 'recall') return current.length > 0 || isPattern ? current : versions;
  if (running.length > 0) return running;
  return (current.length > 0 || isPattern ? current : versions).slice(-1);
}
