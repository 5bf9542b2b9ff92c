import { isUnread } from '../api/errors.ts';
import { chooseAccounts, chooseName, findAlias, readAliases } from '../cli/accounts.ts';
import { identifyService, type Service } from '../library/connect.ts';
import { noList, noMatch, typedTarget, type TypedObject, type TypedTarget } from '../cli/addresses.ts';
import { agreeByHand, byHandAccountFlag, reportByHand } from '../cli/run-apply.ts';
import type { Context } from '../cli/context.ts';
import { defineCommand } from '../cli/define-command.ts';
import { switchFlag, unusedLockTimeoutFlag, word, yesFlag } from '../cli/flags.ts';
import { warningLine } from '../cli/findings.ts';
import { compileGlob, readLiteral } from '../domain/glob.ts';
import { groupBy } from '../domain/group-by.ts';
import { HeraldError } from '../domain/herald-error.ts';
import { KIND_ROWS, type Observed, type ResolvedAccount } from '../domain/resource.ts';
import { isArchived, isRecalled, isStopped } from '../domain/status.ts';
import { shown, visibleProse, type Visible } from '../domain/visible.ts';
import { findStops, planStop, stopByHand, type StopFacts, type StopRequest } from '../engine/by-hand.ts';
import type { Result, Run } from '../engine/run.ts';
import { describeStop } from '../engine/task.ts';
import { withJoinedRun } from '../library/with-run.ts';
import { findMoved, namedAccounts, unknownTarget, type SkipAccount } from '../live/accounts.ts';
import { describeBranch } from '../cli/make-plan.ts';

/** What each command does. Its path names the kind and the action. */
const STOPS = {
  'campaigns pause': 'pause a campaign; it keeps its queue, and the service archives it after 7 days',
  'campaigns archive': 'stop a campaign permanently and clear its queue',
  'campaigns recall': 'stop a campaign and recall its messages of the last 24 hours; cannot be undone',
  'broadcasts pause': 'pause a broadcast; it can be resumed within 5 days',
  'broadcasts recall': 'stop a broadcast and recall its messages, within 24 hours; cannot be undone',
} as const;

export type StopPath = keyof typeof STOPS;

/**
 * Stops at once: without the lease of another run, without a complete list where an id is given, and without a state if that
 * cannot be reached. An address means everything of its name that runs or waits, on every account that it names.
 */
export function defineStop(path: StopPath) {
  const kind = path.startsWith('campaigns') ? 'campaign' : 'broadcast';
  const action = path.slice(path.indexOf(' ') + 1) as StopRequest['action'];
  const [name, id] = kind === 'campaign' ? ['Welcome', '77'] : ['News', '5501'];
  return defineCommand({
    path,
    about: STOPS[path],
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
      const { what, all, account } = given;
      if (all === what.length > 0)
        throw new HeraldError(
          'bad-flag',
          `Which ${KIND_ROWS[kind].plural}? Nothing was sent.`,
          'Give ids or addresses, or --all without any.',
        );
      const typed = all ? [`${account ?? '*'}/**`] : what;
      // `alice/**` is everything of an account, as for --target. Here, that is of one kind.
      const targets = typed.map((one) =>
        typedTarget(kind, one.replace(/^([^/]+)\/\*\*$/, `$1/${kind}/*`), account, path),
      );
      const results = await withJoinedRun(service, path, async (run) => {
        const sought = { kind, action, command: path } as const;
        const { requests, failures } = await findAll(context, service, run, { ...sought, targets });
        const planned = await Promise.all(requests.map((request) => planStop(run, request, request)));
        const changes = planned.flatMap(({ decided }) => decided.changes);
        const wasAsked = await agreeByHand(context, { service: identifyService(service), changes }, given);
        const stopped = await context.protect(() =>
          Promise.all(planned.map((one) => stopByHand(run, one, wasAsked))),
        );
        return [...stopped.flat(), ...failures.map((one) => describeFailure(sought, one))];
      });
      const note = given.format === 'text' ? await describeBranch(context) : null;
      if (note !== null) context.output.say(note);
      return reportByHand(context, results);
    },
  });
}

type Request = StopRequest & StopFacts;

/** What cannot be stopped, or not found out: it fails on its own, and does not hold up the rest. */
interface Failure {
  readonly alias: string;
  /** As it was typed. Empty for an id. */
  readonly name: string;
  readonly error: HeraldError;
}

interface Sought extends Pick<StopRequest, 'kind' | 'action'> {
  readonly command: StopPath;
}

/** What the words mean on all of their accounts. Throws if that is nothing. */
async function findAll(
  context: Context,
  service: Service,
  run: Run,
  { targets, ...sought }: Sought & { readonly targets: readonly TypedTarget[] },
) {
  const requests: Request[] = [];
  const failures: Failure[] = [];
  for (const { object, account: owner } of targets) {
    const { accounts, problems } = await resolveAccounts(context, run, service, owner, object.by === 'id');
    const name = object.by === 'id' ? '' : object.name;
    const all = await Promise.all(accounts.map((account) => findObjects(run, account, sought, object)));
    const found = all.map(({ request }) => request).filter(meansSomething);
    requests.push(...found);
    // A pattern need not match on every account. If a list cannot be read, Herald prints why, and stops the rest.
    const unread = all.flatMap(({ request: { account }, error }) =>
      error === null || (found.length > 0 && error.code === 'no-match')
        ? []
        : [{ alias: account.alias, error }],
    );
    failures.push(...[...problems, ...unread].map((one) => ({ ...one, name })));
  }
  const [first] = failures;
  const worst = failures.find(({ error }) => error.code === 'incomplete-list') ?? first;
  if (worst !== undefined && requests.length === 0) throw worst.error;
  return { requests: mergeRequests(requests), failures };
}

function meansSomething({ liveIds, starts }: Request): boolean {
  return liveIds.length > 0 || (starts ?? []).length > 0;
}

function describeFailure(sought: Sought, { alias, name, error }: Failure): Result {
  const change = describeStop({ ...sought, account: { alias, accountId: '' } }, name, null);
  const reasons = [{ kind: 'planned' as const, reasons: [error.message, error.hint ?? ''] }];
  return { change, outcome: 'failed', liveId: null, reasons };
}

/** One request for each account: an object that is named twice is stopped once. */
function mergeRequests(all: readonly Request[]): readonly Request[] {
  return [...groupBy(all, ({ account }) => account.accountId).values()].map((same) => ({
    ...same[0],
    liveIds: [...new Set(same.flatMap(({ liveIds }) => liveIds))],
    names: [...new Set(same.flatMap(({ names }) => names))],
    starts: same.flatMap(({ starts }) => starts ?? []),
    known: same.find(({ known }) => known !== null)?.known ?? null,
  }));
}

/** An account that cannot be used. */
type Problem = Omit<Failure, 'name'>;

/**
 * The account of an id, or every account that an address names: by an alias, a group, or a pattern. A stop also works without
 * the list of accounts. If that cannot be read, the state has the account of an alias. An alias that has moved means both accounts.
 */
async function resolveAccounts(
  { output }: Context,
  { state }: Run,
  service: Service,
  given: string | undefined,
  isOne: boolean,
): Promise<{ readonly accounts: readonly ResolvedAccount[]; readonly problems: readonly Problem[] }> {
  const { workspace } = service;
  const fitting = workspace.accounts.map(({ alias }) => alias).filter(compileGlob(given ?? ''));
  // A name that fits no alias is a group, an id, or a mistake.
  const all = fitting.length === 0 ? [given ?? []].flat() : fitting;
  const names = isOne ? [chooseName(service, given)] : all;
  const problems: Problem[] = [];
  const readIds = () => readAliases(state).catch(() => new Map<string, string>());
  const warn = (code: 'account-moved' | 'accounts-not-read', text: Visible) =>
    output.fail(warningLine(code, text));
  try {
    const skip: SkipAccount = ({ alias, why, sentence }) => {
      if (why !== 'elsewhere') problems.push({ alias, error: unknownTarget([sentence]) });
      return true;
    };
    const chosen = await chooseAccounts(service, names, { id: 'accountId', ...(isOne ? {} : { skip }) });
    const isMovable = workspace.accounts.some(({ selector }) => selector.by !== 'id');
    const moved = isMovable ? findMoved(workspace.accounts, chosen, await readIds()) : [];
    for (const { what } of moved) warn('account-moved', shown`${visibleProse(what)}. This stops both.`);
    const earlier = moved.map(({ alias, was }) => ({ alias, accountId: was }));
    const accounts = chosen.map(({ alias, accountId }) => {
      return { alias: findAlias(workspace, { id: accountId }) ?? alias, accountId };
    });
    return { accounts: [...accounts, ...earlier], problems };
  } catch (error) {
    if (!isUnread(error)) throw error;
    const ids = await readIds();
    const accounts = namedAccounts(workspace, names).flatMap(({ alias, selector }) => {
      if (selector.by === 'id' || selector.by === 'any_id') return [{ alias, accountId: selector.value }];
      const accountId = ids.get(alias);
      if (accountId === undefined) {
        problems.push({ alias, error: unknownTarget([error.message]) });
        return [];
      }
      warn(
        'accounts-not-read',
        shown`The list of accounts cannot be read. Using account ${accountId} for ${alias}, as in earlier runs.`,
      );
      return [{ alias, accountId }];
    });
    if (accounts.length === 0) throw error;
    return { accounts, problems };
  }
}

/** The objects that are meant, and the starts that may still make one. `error`: why that may not be all, or is nothing. */
async function findObjects(
  run: Run,
  account: ResolvedAccount,
  { command, ...what }: Sought,
  object: TypedObject,
): Promise<{ readonly request: Request; readonly error: HeraldError | null }> {
  const about = { ...what, account, liveIds: [], names: [] };
  if (object.by === 'id')
    return { request: { ...about, liveIds: [object.id], starts: [], known: null }, error: null };
  const { name } = object;
  const asked = { ...about, names: [name] };
  const { list, shown: named, running, unshown, starts, known } = await findStops(run, asked);
  const isPattern = readLiteral(name) === null;
  const meant = [...groupBy(named, ({ live }) => live.name ?? '').values()].flatMap((versions) =>
    chooseVersions(versions, running, { action: what.action, isPattern }),
  );
  const liveIds = [...new Set([...meant.map(({ live }) => live.id), ...unshown])];
  const request = { ...asked, liveIds, starts, known };
  const isThere = meansSomething(request);
  if (list instanceof Error) return { request, error: noList(list, account, command, isThere) };
  const address = `${account.alias}/${what.kind}/${name}`;
  return { request, error: isThere ? null : noMatch(address, list, name, what.kind) };
}

/**
 * What runs or waits. A recall is also about versions that were stopped, because it takes back what they sent. If nothing runs,
 * the last version is stopped once more, so that it is on record; a pattern does not mean what is archived or recalled.
 */
function chooseVersions(
  versions: readonly Observed[],
  running: readonly string[],
  { action, isPattern }: Pick<StopRequest, 'action'> & { readonly isPattern: boolean },
): readonly Observed[] {
  const current = versions.filter(
    ({ live }) => !isArchived(live) && (action === 'recall' || !isRecalled(live)),
  );
  if (action === 'recall') return current.length > 0 || isPattern ? current : versions;
  const own = versions.filter(({ live }) => running.includes(live.id));
  if (own.length > 0) return own;
  const rest = current.length > 0 || isPattern ? current : versions;
  return (isPattern ? rest.filter(({ live }) => isStopped(live)) : rest).slice(-1);
}
