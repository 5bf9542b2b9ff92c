import { judgeOpen, verdictLines } from '../apply/judge-open.ts';
import { serviceNowMs } from '../apply/step-context.ts';
import type { Verdict } from '../apply/verdict.ts';
import { kindCallOf } from '../api/kind-calls.ts';
import { ServiceError } from '../api/errors.ts';
import { formatCommand } from '../domain/command-line.ts';
import type { Change } from '../domain/change.ts';
import type { Diagnostic } from '../domain/diagnostic.ts';
import { CALL_WORDS, type KnowledgeOn } from '../domain/knowledge.ts';
import { KIND_ROWS } from '../domain/kind.ts';
import { formatAddress, type Observed, type ResolvedAccount } from '../domain/resource.ts';
import { isPaused } from '../domain/status.ts';
import { knowledgeWith } from '../ledger/with-added.ts';
import { ensureTimesKnown } from '../live/hear-clock.ts';
import { placedElsewhere } from '../live/accounts.ts';
import { OtherPlatformError } from '../live/platform-of.ts';
import { readObserved, type Scope } from '../live/read.ts';
import { buildPlan } from '../plan/build.ts';
import { protectionNotes, protectionRecords } from '../plan/guards/protection-records.ts';
import { contentMatchWith } from '../plan/lost-create.ts';
import { knownOf } from '../plan/match.ts';
import type { Permissions } from '../plan/review.ts';
import { selectionOf, type Selection } from '../plan/targets.ts';
import type { LedgerReading } from '../ledger/reader.ts';
import { clockNotes } from './clock-notes.ts';
import { inPlanTerms, onOwnClock } from './clocks.ts';
import { readUntilShown } from './lagging-lists.ts';
import { entriesOf } from '../ledger/other-runs.ts';
import { deniedAtOnce } from '../plan/policy-findings.ts';
import { believedLedger } from './ledger-doubts.ts';
import { refuseMovedSince } from './moved-alias.ts';
import { withoutOvertaken } from './overtaken.ts';
import { settingsOfPlans } from './plan-settings.ts';
import type { ReconcilePorts } from './ports.ts';
import { accountsLeft, coveredEntries, resolveUsed, scopesOf } from './scopes.ts';
import type { Inspection, Opened, Source, RunOptions } from './source.ts';

/** The source for files: compares declared and live state. */
export function declaredSource(ports: ReconcilePorts, opened: Opened, options: RunOptions): Source {
  const { client, declared, workspace, ages, reader, uploads } = opened;
  return {
    client,
    declared,
    byHand: null,
    settleMs: workspace.service.settleSec * 1000,
    deniedNow: (one, nowMs) => deniedAtOnce(workspace.policy, one, nowMs),
    ages,
    reader,
    uploads,
    look: () => look(ports, opened, options),
  };
}

/** Reads the ledger and all needed lists, and builds the plan. Sends only GETs. */
export async function look(
  ports: ReconcilePorts,
  opened: Opened,
  { allow, targeting, ...permits }: RunOptions,
): Promise<Inspection> {
  const { workspace, declared, client, ages, reader, unseen } = opened;
  const selection = selectionOf(targeting);
  const written = await reader.read();
  const startedMs = ports.clock.monotonicMs();
  const { accounts, left, scopes, observed } = await readSeen(ports, opened, written, selection);
  await ensureTimesKnown(client, written.knowledge);
  const ledger = believedLedger(written, observed);
  const settleMs = workspace.service.settleSec * 1000;
  const isCovered = coveredEntries(selection, declared, scopes, { observed, knowledge: ledger.knowledge });
  // Computed after the reading, which learned the service's clock, for the time of its beginning.
  const readStartedMs = ports.clock.now() - (ports.clock.monotonicMs() - startedMs);
  const reading = { observed, readStartedMs, settleMs, contentMatch: contentMatchWith };
  const open = ledger.knowledge.open.filter(isCovered);
  const judgedOpen = judgeOpen({ ...reading, knowledge: onOwnClock({ ...ledger.knowledge, open }, ages) });
  const judged = knowledgeWith(ledger, verdictLines(ledger.last, judgedOpen));
  const knowledge = withUndecided(onOwnClock(judged, ages), judgedOpen);
  const nowMs = serviceNowMs({ client, clock: ports.clock });
  const plan = buildPlan({
    declared,
    observed,
    unseen,
    accounts,
    knowledge: inPlanTerms(knowledge, accounts, nowMs - readStartedMs),
    unreadable: ledger,
    allow,
    placeOf: opened.placeOf,
    nowMs,
    heardAtMs: (key, field) => written.saidAt(key, field)?.ms ?? null,
    targeting,
    ...(await permissionsOf(permits)),
    ...settingsOfPlans(workspace, client),
  });
  const verdicts = withoutOvertaken(judgedOpen, plan);
  const protection = protectionRecords({ declared, observed, knowledge, changes: plan.changes });
  const notes = [
    ...opened.warnings,
    ...ledger.diagnostics,
    ...clockNotes(workspace.service, client),
    ...verdictNotes(verdicts),
    ...leftRunningNotes(plan.changes, observed, left),
  ];
  return {
    plan: { ...plan, diagnostics: [...notes, ...plan.diagnostics, ...protectionNotes(protection)] },
    observed,
    accounts,
    knowledge: { ...knowledge, open: knowledge.open.filter(isCovered) },
    entries: entriesOf(written.lines),
    verdicts,
    protection,
    nowMs,
  };
}

/** Reads the lists that matter, without those that the key does not see. */
async function readSeen(
  ports: ReconcilePorts,
  opened: Opened,
  written: LedgerReading,
  selection: Selection,
): Promise<
  Pick<Inspection, 'accounts' | 'observed'> & {
    readonly scopes: readonly Scope[];
    /** Those of the accounts that the workspace does not name any more. */
    readonly left: readonly ResolvedAccount[];
  }
> {
  const { unseen } = opened;
  const isFirst = opened.accountIds.size === 0;
  const isSeen = ({ account, kind }: Scope) => !unseen.has(`${account.alias}/${kind}`);
  const resolved = await resolveUsed(opened, written, selection, (alias, why) => {
    if (isFirst) unseen.set(alias, why);
    return unseen.has(alias);
  });
  refuseMovedSince(opened, resolved, written);
  const left = accountsLeft(opened, written.knowledge, resolved);
  const accounts = [...resolved, ...left];
  const wanted = scopesOf(accounts, opened.declared, written.knowledge, selection).filter(isSeen);
  const read = (lists: readonly Scope[]) => readLists(ports, opened, lists, isFirst);
  const lists = await readUntilShown(ports, written, { ...opened, scopes: wanted, read });
  // What others run on an account that the workspace has left is none of its business.
  const isLeft = new Set(left.map(({ alias }) => alias));
  const observed = lists.filter(
    (object) => !isLeft.has(object.account) || knownOf(object, written.knowledge)?.ours === true,
  );
  return { accounts, left, observed, scopes: wanted.filter(isSeen) };
}

/** What people have agreed to, and what a newer commit leaves of it. */
async function permissionsOf({
  review,
  approvals,
  outdated,
}: Pick<RunOptions, 'review' | 'approvals' | 'outdated'>): Promise<Permissions> {
  return {
    review: review ?? null,
    approvals: (await approvals?.()) ?? null,
    outdated: (await outdated?.()) ?? null,
  };
}

/** Reads the lists. An account that the service refuses for its platform is an error at its place in `herald.yaml`. */
async function readLists(
  ports: ReconcilePorts,
  { workspace, client, unseen }: Opened,
  scopes: readonly Scope[],
  isFirst: boolean,
): Promise<readonly Observed[]> {
  const { primary } = workspace.service.platforms;
  const onProgress = (done: number, total: number) => ports.report({ kind: 'reading', done, total });
  const leaveOut = ({ account, kind }: Scope, why: string) => {
    const reason = `${why.charAt(0).toUpperCase()}${why.slice(1)}. Give the key access to the account.`;
    unseen.set(`${account.alias}/${kind}`, reason);
    return account.alias !== account.accountId;
  };
  try {
    return await readObserved(client, scopes, primary, onProgress, isFirst ? leaveOut : undefined);
  } catch (error) {
    throw error instanceof OtherPlatformError
      ? placedElsewhere(error, workspace.accounts)
      : withOtherKinds(error, scopes);
  } finally {
    ports.report({ kind: 'idle' });
  }
}

/** What still runs on an account that the workspace does not name any more, with the command that stops it. */
function leftRunningNotes(
  changes: readonly Change[],
  observed: readonly Observed[],
  left: readonly ResolvedAccount[],
): readonly Diagnostic[] {
  const isLeft = new Set(left.map(({ alias }) => alias));
  const running = new Set(
    observed.filter(({ account, live }) => isLeft.has(account) && !isPaused(live)).map(({ live }) => live.id),
  );
  return changes
    .filter(
      ({ address, action, live_id: id }) =>
        action === 'unmanaged' && isLeft.has(address.account) && id !== null && running.has(id),
    )
    .map(({ address, live_id: id }): Diagnostic => {
      const stop = formatCommand(
        KIND_ROWS[address.kind].plural,
        'pause',
        id ?? 'ID',
        '--account',
        address.account,
      );
      return {
        severity: 'warning',
        code: 'account-left',
        message: `It may still reach fans, and herald.yaml does not name account ${address.account} any more. To stop it: ${stop}`,
        address: formatAddress(address),
      };
    });
}

/** A key without the permission for one kind can still plan the other one. */
function withOtherKinds(error: unknown, scopes: readonly Scope[]): unknown {
  if (!(error instanceof ServiceError) || error.problem.code !== 'API_KEY_PERMISSION_DENIED') return error;
  const refused = kindCallOf(error.problem.operation)?.kind;
  const other = scopes.find(({ kind }) => kind !== refused)?.kind;
  if (refused === undefined || other === undefined) return error;
  const without = `To plan without ${KIND_ROWS[refused].plural}: ${formatCommand('plan', '--target', `*/${other}`)}`;
  const hint = [error.problem.hint, without].filter((words) => words !== null).join(' ');
  return new ServiceError({ ...error.problem, hint }, { cause: error });
}

/** Possible objects of unconfirmed creates. Nothing with the same content is created while they are undecided. */
function withUndecided(
  knowledge: KnowledgeOn<'machine'>,
  verdicts: readonly Verdict[],
): KnowledgeOn<'machine'> {
  const maybeMade = new Map(verdicts.map(({ entry, undecided }) => [entry.entry, undecided]));
  const open = knowledge.open.map((one) =>
    one.call === 'create' ? { ...one, maybeMade: maybeMade.get(one.entry) ?? null } : one,
  );
  return { ...knowledge, open };
}

/** The verdicts about unconfirmed requests, as diagnostics. */
export function verdictNotes(verdicts: readonly Verdict[]): readonly Diagnostic[] {
  return verdicts.flatMap(({ entry, repeat, words }): readonly Diagnostic[] => {
    if (words === null) return [];
    const [call, sent] = [CALL_WORDS[entry.call], new Date(entry.notedAtMs).toISOString()];
    const address = formatAddress(entry.address);
    // An apply sends something for a change that may be half done, so a plan with it is not without changes.
    return repeat
      ? [
          {
            severity: 'warning',
            code: 'half-done',
            message: `The unconfirmed ${call} of ${sent} ${words}.`,
            address,
          },
        ]
      : [
          {
            severity: 'info',
            code: 'open-entry',
            message: `The unconfirmed ${call} of ${sent} ${words}.`,
            address,
          },
        ];
  });
}
