import * as z from 'zod';
import { ServiceError } from '../api/errors.ts';
import { TOKEN_PER_SECOND } from '../api/row.ts';
import { RATES, type Client } from '../api/client.ts';
import type { Plan } from '../domain/change.ts';
import type { Diagnostic } from '../domain/diagnostic.ts';
import { canonical } from '../domain/digest.ts';
import { Moment } from '../domain/time.ts';
import {
  KINDS,
  type Declared,
  type Kind,
  type Observed,
  type PlaceOf,
  type ResolvedAccount,
} from '../domain/resource.ts';
import { isRecalled, isStopped, STATUS_TRAITS, readStatus } from '../domain/status.ts';
import type { Workspace } from '../domain/workspace.ts';
import { refuseMoved, resolveAccounts } from '../live/accounts.ts';
import { ensureServiceClockKnown, scanScope, type Scope } from '../live/scan.ts';
import {
  indexRows,
  indexSubjects,
  type Permissions,
  type PlanFacts,
  type Targeting,
  selectAddresses,
} from '../plan/facts.ts';
import { digestDeclared, parseShown } from '../plan/compare/content.ts';
import { findStopper } from '../plan/decide/group.ts';
import { buildPlan } from '../plan/plan.ts';
import {
  isUnconfirmed,
  type Fact,
  type Known,
  type ObjectRow,
  type OpenRequest,
  type Past,
} from '../state/shapes.ts';
import { lagMs, serviceTime, type Run, type RunState } from './run.ts';
import type { Allowance } from '../domain/change-kinds.ts';

/** The files of a workspace, with a connection to its service. */
export interface Subject {
  readonly workspace: Workspace;
  readonly declared: readonly Declared[];
  readonly placeOf: PlaceOf;
  readonly warnings: readonly Diagnostic[];
  readonly client: Client;
  /** The accounts of the aliases at the first look of this run: names may move while it works. */
  readonly accountIds: Map<string, string>;
  /** What the key does not see, as its first look found it. Whatever was read once must be readable until the end. */
  readonly unseen: Map<string, string>;
  /** Accounts that the files place on another platform count as unseen; otherwise, they are refused. */
  readonly leavesOutOthers?: boolean;
}

export interface LookOptions {
  readonly allow: ReadonlySet<Allowance>;
  readonly targeting: Targeting;
  /** What people have agreed to, and what a newer commit leaves of it. Asked for at each look, so it keeps its answer. */
  readonly permissions?: () => Promise<Permissions>;
  /** Lists that are read although no file declares anything there, and the state has nothing of them. */
  readonly alsoRead?: (account: string, kind: Kind) => boolean;
  /** What is to be done by these facts; what the files declare unless given. */
  readonly decide?: (facts: PlanFacts) => Plan;
}

/** What a look needs of a run: it sends only reads, and a plan has no lease. */
export type Reading = Pick<Run, 'client' | 'state' | 'clock' | 'settleMs' | 'report'>;

export interface Look {
  readonly plan: Plan;
  readonly facts: PlanFacts;
  readonly begunAt: Moment;
}

/**
 * Reads everything that a plan depends on, and plans. A list is read to its end, archived objects included, or the whole
 * look fails: nothing is decided on a part.
 */
export async function look(reading: Reading, subject: Subject, options: LookOptions): Promise<Look> {
  const { workspace, client } = subject;
  const begunAt = new Moment(reading.clock);
  const already = await readFirstList(reading, subject, options);
  const lists = await readLists(reading, subject, options, already);
  const { accounts, known } = lists;
  const all = await reading.state.past(accounts.map(({ accountId }) => accountId));
  const past = { ...all, refused: all.refused.filter(({ answer }) => isForGood(answer)) };
  const observed = await readUntilShown(reading, lists, past);
  const facts: PlanFacts = {
    ...(await options.permissions?.()),
    service: { ...workspace.service.identity, simulator: client.isSimulator() },
    declared: subject.declared,
    accounts,
    observed,
    unseen: subject.unseen,
    known,
    left: lists.left,
    open: lists.open,
    past,
    time: serviceTime(reading),
    settleMs: reading.settleMs,
    allow: options.allow,
    policy: workspace.policy,
    ownershipPrefix: workspace.ownershipPrefix,
    unmatched: workspace.unmatched,
    placeOf: subject.placeOf,
    rates: { token: TOKEN_PER_SECOND, endpoint: RATES },
    targeting: options.targeting,
  };
  const plan = (options.decide ?? buildPlan)(facts);
  const diagnostics = [...subject.warnings, ...plan.diagnostics];
  return { plan: { ...plan, diagnostics }, facts, begunAt };
}

const answerShape = z.looseObject({ status: z.number().nullish() });
/** Answers about the key or the rate say nothing about the object. */
const FOR_NOW: readonly unknown[] = [401, 403, 429];

function isForGood(answer: string | null): boolean {
  return !FOR_NOW.includes(answerShape.safeParse(JSON.parse(answer ?? 'null')).data?.status);
}

/**
 * An answer tells which service this is, and so which part of the state is about it. It is that of a list that the plan needs all the
 * same, if it needs one of which the account is certain. What a refusal means is decided with the other lists.
 */
async function readFirstList(
  { client }: Reading,
  { declared, workspace }: Subject,
  { targeting }: LookOptions,
): Promise<ReadonlyMap<string, readonly Observed[]>> {
  const { reaches } = selectAddresses(targeting);
  const isNew = client.skewRange() === null;
  const first = declared.find(({ address, kind }) => isNew && reaches(address.account, kind));
  const account = workspace.accounts.find(({ alias }) => alias === first?.address.account);
  const id =
    account?.selector.by === 'id' && account.platform !== 'secondary' ? account.selector.value : null;
  if (first === undefined || id === null) {
    await ensureServiceClockKnown(client);
    return new Map();
  }
  const scope = { account: { alias: first.address.account, accountId: id }, kind: first.kind };
  try {
    return new Map([[nameScope(scope), await scanScope(client, scope)]]);
  } catch (error) {
    if (error instanceof ServiceError && error.problem.status !== null) return new Map();
    throw error;
  }
}

interface Lists extends Pick<PlanFacts, 'accounts' | 'observed' | 'known' | 'open'> {
  readonly scopes: readonly Scope[];
  /** What is on record as running on accounts that the workspace does not name any more. */
  readonly left: readonly ObjectRow[];
}

/** Every list for which a file declares something, in which the state has objects or unconfirmed requests, or that is asked for. */
async function readLists(
  reading: Reading,
  subject: Subject,
  { targeting, alsoRead = () => false }: LookOptions,
  already: ReadonlyMap<string, readonly Observed[]>,
): Promise<Lists> {
  const { state } = reading;
  const isFirst = subject.accountIds.size === 0;
  const { reaches } = selectAddresses(targeting);
  const [{ aliases }, open] = [await state.known([]), await state.open()];
  const idOf = new Map(aliases.map(({ alias, account_id: id }) => [alias, id]));
  const all = subject.workspace.accounts.map((account) => {
    const { alias, selector } = account;
    return { account, alias, id: selector.by === 'id' ? selector.value : (idOf.get(alias) ?? '') };
  });
  const named = all.filter(({ alias }) => KINDS.some((kind) => reaches(alias, kind)));
  const declared = new Set(subject.declared.map(({ address, kind }) => `${address.account}/${kind}`));
  const recorded = new Set<string>();
  const record = (rows: readonly Pick<ObjectRow | OpenRequest, 'account_id' | 'kind'>[]) =>
    rows.forEach(({ account_id: id, kind }) => recorded.add(`${id}/${kind}`));
  record([...open, ...(await state.known(named.map(({ id }) => id))).objects]);
  const isWanted = (alias: string, id: string, kind: Kind) =>
    reaches(alias, kind) &&
    (declared.has(`${alias}/${kind}`) || recorded.has(`${id}/${kind}`) || alsoRead(alias, kind));
  const accounts = await resolve(
    subject,
    named
      .filter(({ alias, id }) => KINDS.some((kind) => isWanted(alias, id, kind)))
      .map(({ account }) => account),
  );
  refuseMovedSince(subject, accounts, aliases);
  // An alias that is new may mean an account of which the state knows something.
  const known = await state.known(accounts.map(({ accountId }) => accountId));
  record(known.objects);
  const isSeen = ({ account, kind }: Scope) => !subject.unseen.has(`${account.alias}/${kind}`);
  const scopes = accounts
    .flatMap((account) => KINDS.map((kind): Scope => ({ account, kind })))
    .filter((scope) => isWanted(scope.account.alias, scope.account.accountId, scope.kind) && isSeen(scope));
  const onUnseen = ({ account, kind }: Scope, why: string) => {
    const sentence = `${why.charAt(0).toUpperCase()}${why.slice(1)}. Give the key access to the account.`;
    subject.unseen.set(`${account.alias}/${kind}`, sentence);
  };
  const observed = await readScopes(reading, scopes, isFirst ? onUnseen : null, already);
  // An account that this run leaves out is still one of the workspace.
  const own = new Set([...all.map(({ id }) => id), ...accounts.map(({ accountId }) => accountId)]);
  const left = (await state.running()).filter(({ account_id: id }) => !own.has(id));
  return { accounts, observed, known, open, left, scopes: scopes.filter(isSeen) };
}

/** The accounts of aliases, without those that the key does not see. */
async function resolve(
  { workspace, client, accountIds, unseen, leavesOutOthers = false }: Subject,
  accounts: Workspace['accounts'],
): Promise<readonly ResolvedAccount[]> {
  const asked = accounts.filter(({ alias }) => !unseen.has(alias));
  if (asked.length === 0) return [];
  const isFirst = accountIds.size === 0;
  return resolveAccounts(client, workspace, asked, ({ alias, why, sentence }) => {
    const isSkipped = (why === 'unseen' && isFirst) || (why === 'elsewhere' && leavesOutOthers);
    if (isSkipped) unseen.set(alias, sentence);
    return isSkipped;
  });
}

/**
 * Reads every list to its end, all at once within the rates. If one list cannot be read completely, the whole read
 * fails and no further page is requested: nothing may be decided on a part. With `onUnseen`, lists of accounts that the key
 * does not see are left out and told there, unless it sees none. `already` are lists that were read just now, by `nameScope`.
 */
async function readScopes(
  { client, report }: Pick<Reading, 'client' | 'report'>,
  scopes: readonly Scope[],
  onUnseen: ((scope: Scope, why: string) => void) | null = null,
  already: ReadonlyMap<string, readonly Observed[]> = new Map(),
): Promise<readonly Observed[]> {
  let [done, unseen, hasFailed] = [0, 0, false];
  const beforeSend = () => (hasFailed ? 'another list could not be read' : null);
  const readOne = async (scope: Scope): Promise<readonly Observed[]> => {
    try {
      const list = already.get(nameScope(scope)) ?? (await scanScope(client, scope, beforeSend));
      done += 1;
      report({ kind: 'reading', done, total: scopes.length });
      return list;
    } catch (error) {
      if (onUnseen !== null && isOutOfSight(error) && (unseen += 1) < scopes.length) {
        onUnseen(scope, error.problem.what);
        return [];
      }
      hasFailed = true;
      throw error;
    }
  };
  try {
    return (await Promise.all(scopes.map(readOne))).flat();
  } finally {
    report({ kind: 'idle' });
  }
}

function nameScope({ account, kind }: Scope): string {
  return `${account.accountId}/${kind}`;
}

/** The document does not say how an account outside of the key's scope is refused (ACCOUNT-9): 403 or 404. */
function isOutOfSight(error: unknown): error is ServiceError {
  if (!(error instanceof ServiceError)) return false;
  const { status, code } = error.problem;
  return status === 404 || (status === 403 && code !== 'API_KEY_PERMISSION_DENIED');
}

/** Throws if an alias names another account than in earlier runs, or than earlier in this one. */
function refuseMovedSince(
  { workspace, accountIds }: Subject,
  accounts: readonly ResolvedAccount[],
  aliases: Known['aliases'],
): void {
  const before = aliases.map(({ alias, account_id: id }) => [alias, id] as const);
  refuseMoved(workspace.accounts, accounts, new Map([...before, ...accountIds]));
  for (const { alias, accountId } of accounts) accountIds.set(alias, accountId);
}

/**
 * A list that contradicts a change that was confirmed in the last seconds may lag behind it: it is read once more when these are
 * over, and then it counts. Nothing else is ever read twice.
 */
async function readUntilShown(
  reading: Reading,
  { known, observed, scopes }: Lists,
  past: Past,
): Promise<readonly Observed[]> {
  const lag = lagMs(reading);
  const rowOf = indexRows(known.objects);
  const shown = new Map(observed.map((object) => [rowOf(object), object.live]));
  const doubtful = known.objects.filter((row) => {
    // It was recorded by the clock that is ahead, and the one that is behind judges it: a wrong clock costs a wait.
    const confirmedMs = past.statusTimes.get(row.status_seq);
    if (confirmedMs === undefined || serviceTime(reading).earliestMs - confirmedMs > lag) return false;
    const live = shown.get(row);
    return live === undefined || (row.status_set !== null && live.status !== row.status_set);
  });
  const isDoubtful = new Set(doubtful.map(({ account_id: id, kind }) => `${id}/${kind}`));
  const again = scopes.filter((scope) => isDoubtful.has(nameScope(scope)));
  if (again.length === 0) return observed;
  await reading.clock.sleep(lag);
  const read = await readScopes(reading, again);
  return [...observed.filter(({ accountId, kind }) => !isDoubtful.has(`${accountId}/${kind}`)), ...read];
}

// What an apply learns from its look.

/**
 * What an apply learns from its look before it changes anything: what people have started or stopped since, which accounts the
 * aliases mean, and what is as declared. Losing it costs precision and never safety.
 */
export async function recordSeen(
  state: Pick<RunState, 'learn'>,
  seen: Pick<Look, 'plan' | 'facts'>,
): Promise<void> {
  await state.learn([...listAliases(seen), ...listRecalls(seen), ...listStatuses(seen), ...listKept(seen)]);
}

/**
 * What an apply learns with each look: a recall that shows, because the late effect of another request may hide it, and on a cut
 * state all statuses, before this run stops something itself.
 */
export async function recordAtOnce(state: Pick<RunState, 'learn'>, seen: Pick<Look, 'facts'>): Promise<void> {
  await state.learn([...listRecalls(seen), ...(seen.facts.known.isCut ? listStatuses(seen) : [])]);
}

function listRecalls({ facts: { known, observed } }: Pick<Look, 'facts'>): readonly Fact[] {
  const rowOf = indexRows(known.objects);
  return observed.flatMap((one): readonly Fact[] => {
    const { accountId: account_id, kind, live } = one;
    const { name, recalled } = rowOf(one) ?? {};
    if (name === undefined || recalled === 1 || !isRecalled(live)) return [];
    return [{ kind: 'object', object: { account_id, kind, live_id: live.id, name, recalled: 1 } }];
  });
}

function listAliases({ facts }: Pick<Look, 'facts'>): readonly Fact[] {
  const known = new Map(facts.known.aliases.map(({ alias, account_id: id }) => [alias, id]));
  return facts.accounts
    .filter(({ alias, accountId }) => alias !== accountId && known.get(alias) !== accountId)
    .map(({ alias, accountId }): Fact => ({ kind: 'alias', alias, account_id: accountId }));
}

/**
 * A status other than the one that Herald confirmed last is a person's decision. It is recorded, because a person may set it
 * back later: then it still is that person's. After a lost state, whatever stands still counts so.
 */
function listStatuses({ facts }: Pick<Look, 'facts'>): readonly Fact[] {
  const { known, open, observed } = facts;
  const rowOf = indexRows(known.objects);
  const unconfirmed = open.filter(isUnconfirmed);
  const isOpen = ({ accountId, kind, live }: Observed) =>
    unconfirmed.some((one) => one.account_id === accountId && one.kind === kind && one.live_id === live.id);
  return observed.flatMap((one): readonly Fact[] => {
    const { accountId, kind, live } = one;
    const row = rowOf(one);
    if (row === null || isOpen(one) || live.status == null || row.status_why === 'lost_start') return [];
    const wasStarted = STATUS_TRAITS[readStatus(live)].runs && isStopped({ status: row.status_set });
    const isKnown = row.status_by === 'hand' && row.status_set === live.status;
    if (!wasStarted && (isKnown || findStopper(one, row, facts) !== 'person')) return [];
    const object = { account_id: accountId, kind, live_id: live.id, name: row.name };
    const why = known.isCut ? 'lost_state' : null;
    return [{ kind: 'status', object, status: live.status, by: 'hand', why, seq: null }];
  });
}

/**
 * Of what is as declared: its present name, the protection and the content that the file says, and that it is ours with
 * `--allow adopt`.
 */
function listKept({ plan, facts }: Pick<Look, 'plan' | 'facts'>): readonly Fact[] {
  const findSubject = indexSubjects(facts);
  return plan.changes.flatMap((change): readonly Fact[] => {
    const { declared, object, row } = findSubject(change);
    if (change.action !== 'keep' || object === undefined || declared === undefined) return [];
    // What a newer commit declares of it counts.
    if ((facts.outdated?.(change.address) ?? null) !== null) return [];
    const { name } = change.address;
    const ours = row?.ours === 1 || facts.allow.has('adopt') ? (1 as const) : (0 as const);
    const protect = declared.protect ? (1 as const) : (0 as const);
    if (row === null && ours === 0) return [];
    const [shown, agreed] = [parseShown(row?.shown), digestDeclared(declared)];
    const isKnown = (shown.agreed ?? row?.declared_digest) === agreed;
    if (row !== null && row.ours === ours && row.protect === protect && row.name === name && isKnown)
      return [];
    const { accountId, kind, live } = object;
    const key = { account_id: accountId, kind, live_id: live.id };
    const known = isKnown ? {} : { shown: canonical({ ...shown, agreed }) };
    return [{ kind: 'object', object: { ...key, name, ours, protect, ...known } }];
  });
}
