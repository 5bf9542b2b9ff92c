import * as z from 'zod';
import { TOKEN_PER_SECOND } from '../api/row.ts';
import { RATES, type Client } from '../api/client.ts';
import type { Allowance } from '../domain/allowance.ts';
import type { Plan } from '../domain/change.ts';
import type { Diagnostic } from '../domain/diagnostic.ts';
import type { Moment } from '../domain/time.ts';
import {
  KINDS,
  type Declared,
  type Kind,
  type Observed,
  type PlaceOf,
  type ResolvedAccount,
} from '../domain/resource.ts';
import type { Workspace } from '../domain/workspace.ts';
import { refuseMoved, resolveAccounts } from '../live/accounts.ts';
import { ensureServiceClockKnown, readObserved, type Scope } from '../live/scan.ts';
import { keyOfObserved, keyOfRow, type Permissions, type PlanFacts, type Targeting } from '../plan/facts.ts';
import { buildPlan } from '../plan/plan.ts';
import { selectAddresses, type Selection } from '../plan/targets.ts';
import type { Known, ObjectRow, OpenRequest, Past } from '../state/shapes.ts';
import { lagMs, now, serviceTime, type Run } from './run.ts';

/** The files of a workspace, with a connection to its service. */
export interface Subject {
  readonly workspace: Workspace;
  readonly declared: readonly Declared[];
  readonly placeOf: PlaceOf;
  /** Of the files. */
  readonly warnings: readonly Diagnostic[];
  readonly client: Client;
  /** The accounts of the aliases at the first look of this run: names may move while it works. */
  readonly accountIds: Map<string, string>;
  /** What the key does not see, as its first look found it. Whatever was read once must be readable until the end. */
  readonly unseen: Map<string, string>;
  /** Accounts that the files place on another platform count as unseen; otherwise, they are refused. */
  readonly leavesOutOthers?: boolean;
}

/** What a run is about, and what it may do. */
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

/** A plan with all that it was made from. */
export interface Look {
  readonly plan: Plan;
  readonly facts: PlanFacts;
  /** When the reading of its lists began. */
  readonly begunAt: Moment;
}

/**
 * Reads everything that a plan depends on, and plans. A list is read to its end, archived objects included, or the whole
 * look fails: nothing is decided on a part.
 */
export async function look(reading: Reading, subject: Subject, options: LookOptions): Promise<Look> {
  const { client, state } = reading;
  const selection = selectAddresses(options.targeting);
  const begunAt = now(reading);
  // The lists of declared accounts come first: the state is asked once an answer has told which service it is about.
  const declared = await readDeclared(reading, subject, selection);
  if (declared.scopes.length === 0) await client.call('accounts.list', { params: {}, query: { limit: 1 } });
  const [{ aliases }, open] = [await state.known([]), await state.open()];
  const { alsoRead = () => false } = options;
  const recorded = await readRecorded(
    reading,
    subject,
    { ...selection, alsoRead },
    { declared, aliases, open },
  );
  const accounts = [...declared.accounts, ...recorded.accounts];
  refuseMovedSince(subject, accounts, aliases);
  const ids = accounts.map(({ accountId }) => accountId);
  const [known, past] = [await state.known(ids), await state.past(ids)];
  const observed = await readUntilShown(reading, subject, {
    known,
    past,
    observed: [...declared.observed, ...recorded.observed],
    scopes: [...declared.scopes, ...recorded.scopes],
  });
  await ensureServiceClockKnown(client);
  const { workspace } = subject;
  const facts: PlanFacts = {
    ...(await options.permissions?.()),
    service: identify(subject),
    declared: subject.declared,
    accounts,
    observed,
    unseen: subject.unseen,
    known,
    left: recorded.left,
    open,
    past: describePast(past),
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

function describePast({ statusTimes, refused }: Past): NonNullable<PlanFacts['past']> {
  const keyOf = (id: string, kind: string, liveId: string | null, what: string) =>
    `${id}/${kind}/${liveId ?? ''} ${what}`;
  const isRefused = new Set(
    refused
      .filter(({ answer }) => isForGood(answer))
      .map((row) => keyOf(row.account_id, row.kind, row.live_id, row.target ?? 'recall')),
  );
  return {
    stoppedAtMs: ({ status_seq: seq }) => statusTimes.get(seq) ?? null,
    isRefused: ({ accountId, kind, liveId }, what) => isRefused.has(keyOf(accountId, kind, liveId, what)),
  };
}

const answerShape = z.looseObject({ status: z.number().nullish() });
/** Answers about the key or the rate say nothing about the object. */
const FOR_NOW: readonly unknown[] = [401, 403, 429];

function isForGood(answer: string | null): boolean {
  return !FOR_NOW.includes(answerShape.safeParse(JSON.parse(answer ?? 'null')).data?.status);
}

/** The service of a plan, for the question and for its saved form. */
function identify({ workspace, client }: Subject): PlanFacts['service'] {
  return { ...workspace.service.identity, simulator: client.serverInfo().isSimulator };
}

interface Lists {
  readonly accounts: readonly ResolvedAccount[];
  readonly scopes: readonly Scope[];
  readonly observed: readonly Observed[];
}

/** Every list of an account and a kind for which a file declares something. */
async function readDeclared(reading: Reading, subject: Subject, { reaches }: Selection): Promise<Lists> {
  const { workspace, declared } = subject;
  const reached = declared.filter(({ address, kind }) => reaches(address.account, kind));
  const aliases = new Set(reached.map(({ address }) => address.account));
  const accounts = await resolve(
    subject,
    workspace.accounts.filter(({ alias }) => aliases.has(alias)),
  );
  const wanted = new Set(reached.map(({ address, kind }) => `${address.account}/${kind}`));
  return readLists(reading, subject, accounts, ({ alias }, kind) => wanted.has(`${alias}/${kind}`));
}

interface Recorded extends Lists {
  /** What is on record as running on accounts that the workspace does not name any more. */
  readonly left: readonly ObjectRow[];
}

/** The lists in which the state has objects or unconfirmed requests, or that are asked for, and no file declares anything. */
async function readRecorded(
  reading: Reading,
  subject: Subject,
  { reaches, alsoRead }: Selection & Required<Pick<LookOptions, 'alsoRead'>>,
  seen: {
    readonly declared: Lists;
    readonly aliases: Known['aliases'];
    readonly open: readonly OpenRequest[];
  },
): Promise<Recorded> {
  const { accounts: declared, scopes } = seen.declared;
  const idOf = new Map(seen.aliases.map(({ alias, account_id: id }) => [alias, id]));
  const others = subject.workspace.accounts
    .filter(({ alias }) => declared.every((account) => account.alias !== alias))
    .filter(({ alias }) => KINDS.some((kind) => reaches(alias, kind)));
  const recordedId = ({ alias, selector }: (typeof others)[number]) =>
    selector.by === 'id' ? selector.value : idOf.get(alias);
  const ids = [
    ...declared.map(({ accountId }) => accountId),
    ...others.flatMap((one) => recordedId(one) ?? []),
  ];
  const { objects } = await reading.state.known(ids);
  const wanted = new Set([...objects, ...seen.open].map(({ account_id: id, kind }) => `${id}/${kind}`));
  const isWanted = (id: string | undefined, kind: Kind) => wanted.has(`${id ?? ''}/${kind}`);
  const accounts = await resolve(
    subject,
    others.filter((one) =>
      KINDS.some((kind) => isWanted(recordedId(one), kind) || alsoRead(one.alias, kind)),
    ),
  );
  const isRead = new Set(scopes.map(({ account, kind }) => `${account.accountId}/${kind}`));
  const isNeeded = ({ alias, accountId }: ResolvedAccount, kind: Kind) =>
    !isRead.has(`${accountId}/${kind}`) &&
    reaches(alias, kind) &&
    (isWanted(accountId, kind) || alsoRead(alias, kind));
  const lists = await readLists(reading, subject, [...declared, ...accounts], isNeeded, isRead.size > 0);
  const named = new Set([...ids, ...accounts.map(({ accountId }) => accountId)]);
  const running = await reading.state.running();
  return { ...lists, accounts, left: running.filter(({ account_id: id }) => !named.has(id)) };
}

/** The accounts of aliases, without those that the key does not see. */
async function resolve(
  { workspace, client, accountIds, unseen, leavesOutOthers = false }: Subject,
  accounts: Workspace['accounts'],
): Promise<readonly ResolvedAccount[]> {
  const asked = accounts.filter(({ alias }) => !unseen.has(alias));
  if (asked.length === 0) return [];
  const onUnseen = (alias: string, sentence: string) => void unseen.set(alias, sentence);
  const isFirst = accountIds.size === 0;
  const options = { ...(isFirst ? { onUnseen } : {}), ...(leavesOutOthers ? { onLeftOut: onUnseen } : {}) };
  return resolveAccounts(client, workspace, asked, options);
}

async function readLists(
  reading: Reading,
  subject: Subject,
  accounts: readonly ResolvedAccount[],
  isWanted: (account: ResolvedAccount, kind: Kind) => boolean,
  /** Other lists were read, so that the key sees something, even if it sees none of these. */
  seesOthers = false,
): Promise<Lists> {
  const { client, accountIds, unseen } = subject;
  const wanted = accounts.flatMap((account) =>
    KINDS.filter((kind) => isWanted(account, kind) && !unseen.has(`${account.alias}/${kind}`)).map(
      (kind): Scope => ({ account, kind }),
    ),
  );
  const isFirst = accountIds.size === 0;
  const leaveOut = ({ account, kind }: Scope, why: string) => {
    const sentence = `${why.charAt(0).toUpperCase()}${why.slice(1)}. Give the key access to the account.`;
    unseen.set(`${account.alias}/${kind}`, sentence);
    return !seesOthers;
  };
  try {
    const observed = await readObserved(
      client,
      wanted,
      (done, total) => reading.report({ kind: 'reading', done, total }),
      isFirst ? leaveOut : undefined,
    );
    const scopes = wanted.filter(({ account, kind }) => !unseen.has(`${account.alias}/${kind}`));
    return { accounts, scopes, observed };
  } finally {
    reading.report({ kind: 'idle' });
  }
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
 * A list that contradicts a change of the last seconds may lag behind it: it is read once more when these are over, and then
 * it counts. Nothing else is ever read twice.
 */
async function readUntilShown(
  reading: Reading,
  subject: Subject,
  {
    known,
    past,
    observed: lists,
    scopes,
  }: Omit<Lists, 'accounts'> & Pick<Look['facts'], 'known'> & { readonly past: Past },
): Promise<readonly Observed[]> {
  const lag = lagMs(reading);
  const nowMs = reading.clock.now();
  const shown = new Map(lists.map((object) => [keyOfObserved(object), object.live]));
  const doubtful = known.objects.filter((row) => {
    // By the wall clock, because only what is decided gets more certain by it: a wrong one costs a wait, or nothing.
    const sentAtMs = past.statusTimes.get(row.status_seq);
    if (sentAtMs === undefined || Math.abs(nowMs - sentAtMs) > lag) return false;
    const live = shown.get(keyOfRow(row));
    return live === undefined || (row.status_set !== null && live.status !== row.status_set);
  });
  const isDoubtful = new Set(doubtful.map(({ account_id: id, kind }) => `${id}/${kind}`));
  const again = scopes.filter(({ account, kind }) => isDoubtful.has(`${account.accountId}/${kind}`));
  if (again.length === 0) return lists;
  await reading.clock.sleep(lag);
  const read = await readLists(
    reading,
    subject,
    [...new Set(again.map(({ account }) => account))],
    (account, kind) => isDoubtful.has(`${account.accountId}/${kind}`),
  );
  const isAgain = ({ accountId, kind }: Observed) => isDoubtful.has(`${accountId}/${kind}`);
  return [...lists.filter((object) => !isAgain(object)), ...read.observed];
}
