import { isUnread } from '../api/errors.ts';
import { chooseAccounts, chooseName, findAlias, readAliases, TypedTarget } from '../cli/accounts.ts';
import type { Context } from '../cli/context.ts';
import { type AnyCommand, defineCommand } from '../cli/define-command.ts';
import { warningLine } from '../cli/findings.ts';
import { lockTimeoutFlag, switchFlag, textFlag, timeFlag, word, yesFlag } from '../cli/flags.ts';
import { describeBranch } from '../cli/make-plan.ts';
import { agreeToPlan, reportByHand } from '../cli/run-apply.ts';
import { type Change, type Plan, writes } from '../domain/change.ts';
import { formatCommand } from '../domain/command-line.ts';
import { canonical } from '../domain/digest.ts';
import { escapeGlob, Glob } from '../domain/glob.ts';
import { groupBy } from '../domain/group-by.ts';
import { HeraldError } from '../domain/herald-error.ts';
import { KIND_ROWS, type Observed, type ResolvedAccount } from '../domain/resource.ts';
import { servicePlace } from '../domain/service-identity.ts';
import { isArchived, isRecalled, isStopped } from '../domain/status.ts';
import { quoted, shown, type Visible, visible, visibleProse } from '../domain/visible.ts';
import { apply } from '../engine/apply.ts';
import { StopByHand, type StopFacts, type StopRequest } from '../engine/by-hand.ts';
import type { Look } from '../engine/look.ts';
import type { Result, Run } from '../engine/run.ts';
import { describeStop } from '../engine/task.ts';
import { type Opened, type Service } from '../library/connect.ts';
import { findMoved, namedAccounts, type SkipAccount, unknownTarget } from '../live/accounts.ts';
import { type ByHandDecision, type ByHandRequest, decideByHand } from '../plan/decide/by-hand.ts';
import { blockChange, starts } from '../plan/decide/decision.ts';
import type { PlanFacts } from '../plan/facts.ts';
import { buildPlan, summarise } from '../plan/plan.ts';
import { checkLive } from '../policy/check.ts';
import { joinSentences } from '../render/results.ts';
import { count } from '../render/wording.ts';

const accountFlag = textFlag(
  '--account <name>',
  'alias or id (needed for an id if the workspace has several accounts)',
);

/** What each stop does. Its path names the kind and the action. */
const STOPS = {
  'campaigns pause': 'pause a campaign; it keeps its queue, and the service archives it after 7 days',
  'campaigns archive': 'stop a campaign permanently and clear its queue',
  'campaigns recall': 'stop a campaign and recall its messages of the last 24 hours; cannot be undone',
  'broadcasts pause': 'pause a broadcast; it can be resumed within 5 days',
  'broadcasts recall': 'stop a broadcast and recall its messages, within 24 hours; cannot be undone',
} as const;

type StopPath = keyof typeof STOPS;

/** The commands that stop or start single campaigns and broadcasts. */
export type ByHandPath = StopPath | StartPath;

export function defineByHand(path: ByHandPath): AnyCommand {
  return path === 'campaigns activate' || path === 'broadcasts resume' ? defineStart(path) : defineStop(path);
}

/**
 * Stops at once: without the lease of another run, without a complete list where an id is given, and without a state if that
 * cannot be reached. An address means everything of its name that runs or waits, on every account that it names.
 */
function defineStop(path: StopPath) {
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
      account: accountFlag,
      yes: yesFlag,
      lockTimeout: timeFlag(
        '--lock-timeout <time>',
        'accepted for consistency; a stop does not wait for other runs',
        { mayBeZero: true },
      ),
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
      const targets = typed.map(
        (one) => new TypedTarget(kind, path, one.replace(/^([^/]+)\/\*\*$/, `$1/${kind}/*`), account),
      );
      const results = await service.withJoinedRun(path, async (run) => {
        const sought = { kind, action } as const;
        const { requests, failures } = await findAll(context, service, run, { ...sought, targets });
        const stops = requests.map((request) => new StopByHand(run, request, request));
        const changes = (await Promise.all(stops.map((one) => one.plan()))).flat();
        const wasAsked = await agreeByHand(context, { service: service.identify(), changes }, given);
        const stopped = await context.protect(() => Promise.all(stops.map((one) => one.carryOut(wasAsked))));
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

type Sought = Pick<StopRequest, 'kind' | 'action'>;

/** What the words mean on all of their accounts. Throws if that is nothing. */
async function findAll(
  context: Context,
  service: Service,
  run: Run,
  { targets, ...sought }: Sought & { readonly targets: readonly TypedTarget[] },
) {
  const requests: Request[] = [];
  const failures: Failure[] = [];
  for (const target of targets) {
    const { object, account: owner } = target;
    const { accounts, problems } = await resolveAccounts(context, run, service, owner, object.by === 'id');
    const name = object.by === 'id' ? '' : object.name;
    const all = await Promise.all(accounts.map((account) => findObjects(run, account, sought, target)));
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
  const glob = new Glob(given ?? '');
  const fitting = workspace.accounts.map(({ alias }) => alias).filter((alias) => glob.matches(alias));
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
  what: Sought,
  target: TypedTarget,
): Promise<{ readonly request: Request; readonly error: HeraldError | null }> {
  const { object } = target;
  const about = { ...what, account, liveIds: [], names: [] };
  if (object.by === 'id')
    return { request: { ...about, liveIds: [object.id], starts: [], known: null }, error: null };
  const { name } = object;
  const asked = { ...about, names: [name] };
  const { list, shown: named, running, unshown, starts, known } = await new StopByHand(run, asked).find();
  const isPattern = new Glob(name).literal === null;
  const meant = [...groupBy(named, ({ live }) => live.name ?? '').values()].flatMap((versions) =>
    chooseVersions(versions, running, { action: what.action, isPattern }),
  );
  const liveIds = [...new Set([...meant.map(({ live }) => live.id), ...unshown])];
  const request = { ...asked, liveIds, starts, known };
  const isThere = meansSomething(request);
  if (list instanceof Error) return { request, error: target.explainUnread(list, account, isThere) };
  return { request, error: isThere ? null : target.explainMissing(account.alias, list) };
}

/**
 * What runs or waits. A recall is also about versions that were stopped, because it takes back what they sent. If nothing runs,
 * the last version is stopped once more, so that it is on record; a pattern does not mean what is archived or recalled, and
 * neither does a name if it has anything else.
 */
function chooseVersions(
  versions: readonly Observed[],
  running: readonly string[],
  { action, isPattern }: Pick<StopRequest, 'action'> & { readonly isPattern: boolean },
): readonly Observed[] {
  const current = versions.filter(({ live }) => !isArchived(live) && !isRecalled(live));
  const rest = current.length > 0 || isPattern ? current : versions;
  if (action === 'recall') {
    const recalled = rest.filter(({ live }) => isRecalled(live));
    return recalled.length > 0 ? recalled : rest;
  }
  const own = versions.filter(({ live }) => running.includes(live.id));
  if (own.length > 0) return own;
  return (isPattern ? rest.filter(({ live }) => isStopped(live)) : rest).slice(-1);
}

const STARTS = {
  'campaigns activate': {
    kind: 'campaign',
    action: 'activate',
    about: 'activate a paused or archived campaign; its trigger works immediately',
    examples: ['alice/campaign/Welcome', '77 --account alice --yes --format json'],
  },
  'broadcasts resume': {
    kind: 'broadcast',
    action: 'resume',
    about: 'resume a paused broadcast; less than 5 minutes before its time, or after it, only with --force',
    examples: ['alice/broadcast/News', '5501 --account alice --yes --format json'],
  },
} as const;

type StartPath = keyof typeof STARTS;

/** Starts one object by hand. */
function defineStart(path: StartPath) {
  const { kind, action, about, examples } = STARTS[path];
  return defineCommand({
    path,
    about,
    examples: examples.map((example) => `herald ${path} ${example}`),
    words: { what: word('ID|ADDRESS') },
    flags: {
      account: accountFlag,
      yes: yesFlag,
      lockTimeout: lockTimeoutFlag,
      again:
        action === 'activate'
          ? switchFlag('--again', 'send it even if it is active; it completes a change that broke off')
          : null,
      force:
        action === 'resume'
          ? switchFlag(
              '--force',
              'resume it even if the service paused it for send errors, or its time is near or has passed',
            )
          : null,
    },
    needs: 'workspace',
    run: async (context, { what, account, yes, again = false, force = false }, opened) => {
      const target = new TypedTarget(kind, path, what, account);
      const start = { target, kind, action, force, again, yes };
      const results = await startByHand(context, opened, path, start);
      const flags = [...(force ? ['--force'] : []), ...(again ? ['--again'] : [])];
      return reportByHand(context, results, { flags });
    },
  });
}

interface Start extends Omit<ByHandRequest, 'what'> {
  readonly target: TypedTarget;
  readonly yes: boolean;
}

/** A start goes the way of an apply: under the lease, after complete lists, with the same rules. */
async function startByHand(
  context: Context,
  opened: Opened,
  command: StartPath,
  { kind, action, force, again, target, yes }: Start,
): Promise<readonly Result[]> {
  const { object } = target;
  const typed = chooseName(opened, target.account);
  const [named] = namedAccounts(opened.workspace, [findAlias(opened.workspace, { id: typed }) ?? typed]);
  const account = named?.alias ?? '';
  const what = object.by === 'id' ? { account, liveId: object.id } : { account, name: object.name };
  let decision: ByHandDecision | null = null;
  const decide = (facts: PlanFacts) => {
    const found = decideByHand({ kind, action, what, force, again }, facts);
    decision = found === null ? null : obeyPolicy(found, facts);
    const changes = decision === null ? [] : [decision.change];
    return { ...buildPlan(facts), changes, summary: summarise(changes), diagnostics: [] };
  };
  return opened.withLeasedRun({ command }, (run) =>
    apply(run, opened, {
      allow: new Set(),
      targeting: { target: [`${escapeGlob(account)}/${kind}`], exclude: [] },
      alsoRead: (alias, one) => alias === account && one === kind,
      uploads: opened.uploads(run),
      mode: force ? 'forced' : 'by-hand',
      isAgreed: false,
      decide,
      agree: async (seen) => {
        if (decision === null) {
          const isAmong = (one: Observed) => one.kind === kind && one.account === account;
          throw target.explainMissing(account, seen.facts.observed.filter(isAmong));
        }
        await agreeByHand(context, seen.plan, { yes, isHeld: decision.isHeld });
        return yes ? 'at-once' : 'waited';
      },
      refuseChanged: (agreed, now) => {
        if (describeAgreed(agreed) !== describeAgreed(now)) throw changedMeanwhile(now);
      },
    }),
  );
}

/** A policy holds back what it denies, as in an apply. */
function obeyPolicy(decision: ByHandDecision, { observed, policy }: PlanFacts): ByHandDecision {
  const { change } = decision;
  const { account, kind } = change.address;
  const object = observed.find(
    (one) => one.account === account && one.kind === kind && one.live.id === change.live_id,
  );
  if (!starts(change) || object === undefined) return decision;
  const denied = checkLive(object, policy).filter(({ severity }) => severity === 'error');
  if (denied.length === 0) return decision;
  const denials = denied.map(({ message }) => `The policy denies it: ${message}`);
  return { isHeld: true, change: blockChange(change, ...denials) };
}

/** The agreed changes: their requests and what they say, for example that a broadcast goes out now. */
function describeAgreed({ plan }: Look): string {
  return canonical(plan.changes.map(({ action, steps, reasons }) => [action, steps, reasons]));
}

function changedMeanwhile({ plan }: Look): HeraldError {
  const reasons = plan.changes.flatMap((change) => change.reasons).join(' ');
  return new HeraldError(
    'stale-plan',
    `It changed while Herald waited for your answer. Nothing was sent. ${reasons}`.trim(),
    `To see what is live: ${formatCommand('plan')}. Then run the command again.`,
  );
}

/** Shows changes by hand, and asks once. Throws if none of them can be done. True if a person took time to answer. */
async function agreeByHand(
  context: Context,
  { changes, service }: Pick<Plan, 'changes' | 'service'>,
  { yes, isHeld = false }: { readonly yes: boolean; readonly isHeld?: boolean },
): Promise<boolean> {
  const [first] = changes;
  if (first === undefined) return false;
  if (changes.every(({ action }) => action === 'blocked')) throw refuseChange(first, isHeld);
  if (!changes.some(writes)) {
    context.output.say(visible(`${nameObject(first)}: ${joinSentences(first.reasons)}`));
    return false;
  }
  const summary = summarise(changes);
  const plan: Plan = { schema: 'herald/plan/1', service, changes, summary, diagnostics: [], eta_sec: 0 };
  return (await agreeToPlan(context, plan, { view: {}, yes, ask: askByHand })) === 'waited';
}

/** `isHeld`: a person must do or decide something else first; otherwise, its present state does not allow it. */
function refuseChange(change: Change, isHeld: boolean): HeraldError {
  const { address, live_id, reasons } = change;
  return new HeraldError(
    isHeld ? 'held' : 'cannot',
    joinSentences([`Nothing was sent for ${nameObject(change)}`, ...reasons]),
    null,
    { details: { address, live_id } },
  );
}

function askByHand({ changes: all, service }: Plan) {
  const changes = all.filter(writes);
  const [first] = changes;
  const action = first?.action ?? 'change';
  const verb = action.replace(/^./, (letter) => letter.toUpperCase());
  const isOne = first !== undefined && changes.length === 1;
  const what = isOne ? nameObject(first) : count(changes.length, first?.address.kind ?? 'change');
  const effects = isOne ? joinSentences(first.reasons) : '';
  const text = visible(`${verb} ${what} at ${servicePlace(service)}? ${effects}`.trimEnd());
  return { text, to: isOne ? `${action} it` : `${action} all of them` };
}

/** `campaign "Welcome" (77) on account alice`. */
function nameObject({ address: { account, kind, name }, live_id: id }: Change): string {
  const named = name === '' ? 'without a name' : String(quoted(name));
  return String(shown`${kind} ${visible(named)} (${id ?? ''}) on account ${account}`);
}
