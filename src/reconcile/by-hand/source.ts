import { formatCommand } from '../../domain/command-line.ts';
import { KIND_ROWS } from '../../domain/kind.ts';
import { RATES, type Client } from '../../api/client.ts';
import { TOKEN_PER_SECOND } from '../../api/row.ts';
import { judgeOpen, verdictLines } from '../../apply/judge-open.ts';
import { notRepeated, restarts, stillOpen as stillOpenFor, type Verdict } from '../../apply/verdict.ts';
import { clocksApartMs, serviceNowMs } from '../../apply/step-context.ts';
import { targetOf as targetOfStep } from '../../apply/step-status.ts';
import type { Change, Plan } from '../../domain/change.ts';
import type { Diagnostic } from '../../domain/diagnostic.ts';
import { momentOf, type Moment } from '../../domain/elapsed.ts';
import { objectKey, type Knowledge, type OpenEntry } from '../../domain/knowledge.ts';
import type { Observed, ResolvedAccount } from '../../domain/resource.ts';
import { stopsSending, type TargetStatus } from '../../domain/status.ts';
import type { ServiceIdentity } from '../../domain/service-identity.ts';
import type { WorkspaceSettings } from '../../domain/workspace.ts';
import { Ages } from '../../ledger/ages.ts';
import { LateStatusChanges } from '../../ledger/late-status-changes.ts';
import type { LedgerLine } from '../../ledger/lines.ts';
import { entriesOf } from '../../ledger/other-runs.ts';
import { LedgerReader } from '../../ledger/reader.ts';
import { knowledgeWith } from '../../ledger/with-added.ts';
import { readObserved } from '../../live/read.ts';
import { ensureAgesKnown, ensureTimesKnown } from '../../live/hear-clock.ts';
import { summarise } from '../../plan/build.ts';
import type { Answer, Wish } from '../../plan/by-hand/answer.ts';
import { decideByHand } from '../../plan/by-hand/decide.ts';
import type { InFiles } from '../../plan/by-hand/versions.ts';
import { etaSec } from '../../plan/eta.ts';
import { contentMatchWith } from '../../plan/lost-create.ts';
import { knownOf } from '../../plan/match.ts';
import { openEntryNotes } from '../../plan/notes.ts';
import { ReconcileError } from '../errors.ts';
import type { ReconcilePorts } from '../ports.ts';
import { identityOf } from '../service-identity.ts';
import { readUntilShown } from '../lagging-lists.ts';
import { believedLedger } from '../ledger-doubts.ts';
import { refuseMovedAlias } from '../moved-alias.ts';
import { onOwnClock } from '../clocks.ts';
import { verdictNotes } from '../look.ts';
import type { Inspection, Source } from '../source.ts';

/** A plan of one change by hand, with the decision about it. */
export interface ByHandInspection extends Inspection {
  readonly answer: Answer;
  readonly change: Change;
  readonly target: Observed;
  /** When the list was asked for. */
  readonly askedAt: Moment;
  /** A copy of an earlier request for another status may still arrive, and undo the change. */
  readonly mayBeUndone: boolean;
}

export interface ByHandSource extends Source {
  look(): Promise<ByHandInspection>;
}

/** Changes by hand create nothing, so they upload nothing. */
export const neverUploads = () => () => Promise.reject(new Error('a change by hand uploads nothing'));

interface Asked {
  readonly ports: ReconcilePorts;
  readonly client: Client;
  readonly account: ResolvedAccount;
  readonly settings: WorkspaceSettings;
  readonly settleMs: number;
  readonly wish: Wish;
  /** What a start is compared with. */
  readonly inFiles?: InFiles;
}

/** The source of one change by hand: reads the whole list of its account and kind. */
export function byHandSource(asked: Asked): ByHandSource {
  const { ports, client, settleMs } = asked;
  const ages = new Ages(ports.clock, client);
  const reader = new LedgerReader(ports.state.ledger, client.address);
  return {
    client,
    declared: [],
    byHand: { atOnce: false },
    settleMs,
    deniedNow: () => null,
    ages,
    reader,
    uploads: () => neverUploads,
    look: () => look({ ...asked, ages, reader }),
  };
}

async function look(asked: Asked & Pick<Source, 'ages' | 'reader'>): Promise<ByHandInspection> {
  const { ports, client, account, settleMs, wish, ages, reader } = asked;
  const written = await reader.read();
  refuseMovedAlias(asked.settings, account, written);
  const askedAt = momentOf(ports.clock);
  const observed = await readUntilShown(ports, written, {
    client,
    ages,
    reader,
    scopes: [{ account, kind: wish.kind }],
    read: (scopes) =>
      readObserved(client, scopes, asked.settings.service.platforms.primary, (done, total) =>
        ports.report({ kind: 'reading', done, total }),
      ),
  });
  ports.report({ kind: 'idle' });
  await ensureTimesKnown(client, written.knowledge);
  const ledger = believedLedger(written, observed);
  const readStartedMs = ports.clock.now() - (ports.clock.monotonicMs() - askedAt.monotonicMs);
  const target = observed.find(({ live }) => live.id === wish.liveId);
  if (target === undefined) throw notFound(wish, account, observed.length);
  const concerned = ledger.knowledge.open.filter(concernedBy(wish, target, ledger.knowledge));
  const { knowledge: believed } = ledger;
  const reading = { observed, readStartedMs, settleMs, contentMatch: contentMatchWith };
  const judged = judgeOpen({ ...reading, knowledge: onOwnClock({ ...believed, open: concerned }, ages) });
  const verdicts = judged
    .map((verdict) => (restarts(verdict) && !startsSending(wish) ? notRepeated(verdict) : verdict))
    .map((verdict) => leftToOwnStop(wish, verdict));
  const reduced = onOwnClock(knowledgeWith(ledger, verdictLines(ledger.last, verdicts)), ages);
  const stillOpen = reduced.open.filter(({ entry }) => concerned.some((one) => one.entry === entry));
  const open = stillOpen.filter((entry) => mustBeResolved(wish, entry, readStartedMs - settleMs));
  const knowledge = { ...reduced, open };
  const nowMs = serviceNowMs({ client, clock: ports.clock });
  // As believed: adding lines to the ledger loses who stopped it.
  const unconfirmed = concerned.filter(({ entry }) => stillOpen.some((one) => one.entry === entry));
  const { answer, change } = decideByHand({
    wish,
    target,
    observed,
    knowledge,
    unconfirmed,
    nowMs,
    clocksApartMs: clocksApartMs({ client }),
    ...(asked.inFiles === undefined ? {} : { inFiles: asked.inFiles }),
  });
  const notes = [
    ...ledger.diagnostics,
    ...verdictNotes(verdicts),
    ...openEntryNotes({ ...reduced, open: stillOpen }),
  ];
  const plan = planOf(identityOf(asked.settings.service, client), change, notes);
  const entries = entriesOf(written.lines);
  const seen = { plan, observed, accounts: [account], knowledge, entries, verdicts, protection: [], nowMs };
  const mayBeUndone = await isUndoneLater(asked, target, written.lines);
  return { ...seen, answer, askedAt, change, target, mayBeUndone };
}

export function planOf(service: ServiceIdentity, change: Change, diagnostics: readonly Diagnostic[]): Plan {
  return {
    schema: 'herald/plan/1',
    service,
    changes: [change],
    summary: summarise([change]),
    diagnostics: [...diagnostics],
    eta_sec: etaSec([change], { token: TOKEN_PER_SECOND, endpoint: RATES }),
  };
}

/** The status after each change by hand. Null for a recall. */
function targetOf({ action }: Wish): TargetStatus | null {
  return action === 'recall' ? null : targetOfStep(action);
}

function startsSending({ action }: Wish): boolean {
  return action === 'activate' || action === 'resume';
}

/**
 * An unconfirmed stop by an apply that shows is not repeated for its own sake. The person's request is the same, is
 * recorded as theirs, and ends it.
 */
function leftToOwnStop(wish: Wish, verdict: Verdict): Verdict {
  const { entry, conclusion } = verdict;
  if (entry.call !== 'status' || entry.purpose === 'by_hand' || conclusion?.outcome !== 'done')
    return verdict;
  const isSameStop = stopsSending(entry.target) && entry.target === targetOf(wish);
  return isSameStop ? stillOpenFor(entry, null) : verdict;
}

/** Whether a copy of an earlier request for another status may still arrive. */
async function isUndoneLater(
  { ports, client, settleMs, wish, ages }: Asked & Pick<Source, 'ages'>,
  { accountId, kind, live }: Observed,
  lines: readonly LedgerLine[],
): Promise<boolean> {
  const copies = new LateStatusChanges(lines).of(objectKey(accountId, kind, live.id));
  const others = copies.filter((copy) => copy.target !== targetOf(wish));
  if (others.length > 0) await ensureAgesKnown(client);
  return others.some((copy) => ages.here(copy, copy.entry).sentAtMs + settleMs > ports.clock.now());
}

/** Selects entries about the object. A create of its name matters for an activation. */
function concernedBy(wish: Wish, target: Observed, knowledge: Knowledge): (entry: OpenEntry) => boolean {
  const key = objectKey(target.accountId, target.kind, target.live.id);
  const names = [target.live.name, knownOf(target, knowledge)?.name];
  return ({ call, accountId, address, liveId }) => {
    if (call !== 'create') return objectKey(accountId, address.kind, liveId ?? '') === key;
    const sameList = accountId === target.accountId && address.kind === target.kind;
    return startsSending(wish) && sameList && names.includes(address.name);
  };
}

/**
 * | open entry               | waited for                                                     |
 * |--------------------------|----------------------------------------------------------------|
 * | the same status          | no: asking again is the same change                            |
 * | another status           | yes, or it could undo this one; a recall does not wait for it  |
 * | a create of the name     | for an activation or resume                                    |
 * | a recall, in its window  | for an activation or resume: blocked instead                   |
 */
function mustBeResolved(wish: Wish, entry: OpenEntry, windowStartMs: number): boolean {
  if (entry.call === 'status') return wish.action !== 'recall' && entry.target !== targetOf(wish);
  return startsSending(wish) && entry.sentAtMs > windowStartMs;
}

/** `listed` is the number of objects in its list. Null if the object was read directly. */
export function notFound(
  { kind, liveId }: Pick<Wish, 'kind' | 'liveId'>,
  { alias }: ResolvedAccount,
  listed: number | null,
): ReconcileError {
  const proof = listed === null ? 'the service answers 404' : `its list, with archived ones, has ${listed}`;
  return new ReconcileError(
    'not-found',
    `${kind} ${liveId} was not found on account ${alias}: ${proof}. Nothing was sent.`,
    `To list them: ${formatCommand(KIND_ROWS[kind].plural, 'list', '--account', alias, '--archived')}`,
  );
}
