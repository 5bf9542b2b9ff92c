import { describeProblem } from '../../api/errors.ts';
import { executePlan, type Executed } from '../../apply/execute.ts';
import { readById } from '../../live/read-object.ts';
import { RepeatBound } from '../../apply/repeat-bound.ts';
import type { Change, Plan } from '../../domain/change.ts';
import type { Diagnostic } from '../../domain/diagnostic.ts';
import { objectKey } from '../../domain/knowledge.ts';
import type { Observed } from '../../domain/resource.ts';
import { showsTarget, type TargetStatus } from '../../domain/status.ts';
import { Ledger } from '../../ledger/ledger.ts';
import { LedgerReader } from '../../ledger/reader.ts';
import type { LateStatusChange } from '../../ledger/late-status-changes.ts';
import { ensureAgesKnown } from '../../live/hear-clock.ts';
import type { Answer, Wish } from '../../plan/by-hand/answer.ts';
import { decideByHand } from '../../plan/by-hand/decide.ts';
import { identityOf } from '../service-identity.ts';
import { refuseMovedAlias } from '../moved-alias.ts';
import { reportRecord } from '../carry-out.ts';
import { neverUploads, notFound, planOf } from './source.ts';
import type { StopRun, StopWish } from './stop-run.ts';

export function isStop(wish: Wish): wish is StopWish {
  return wish.action === 'pause' || wish.action === 'archive';
}

/** A stop as a plan of one change. */
export interface StopPlan {
  readonly plan: Plan;
  readonly change: Change;
  readonly answer: Answer;
  /** Null if the object cannot be read. */
  readonly target: Observed | null;
  readonly reader: LedgerReader;
}

/**
 * Plans a stop from the object alone, without a list. Other runs do not matter. It is sent even if the object is
 * already stopped, because another run may be about to start it.
 */
export async function planStop(run: StopRun): Promise<StopPlan> {
  const { ports, client, settings, account, wish, why } = run;
  const reader = new LedgerReader(ports.state.ledger, client.address);
  const reading = await reader.read();
  const { knowledge, diagnostics } = reading;
  refuseMovedAlias(settings, account, reading);
  const { target, unread } = await readTarget(run);
  const note: Diagnostic = { severity: 'warning', code: 'stop-now', message: why };
  const identity = identityOf(settings.service, client);
  const known = knowledge.objects.get(objectKey(account.accountId, wish.kind, wish.liveId));
  const address = { account: account.alias, kind: wish.kind, name: known?.name ?? '' };
  const unreadable: Change = {
    address,
    action: wish.action,
    live_id: wish.liveId,
    reasons: [`It cannot be read (${unread}); it is stopped anyway.`],
    fields: [],
    dropped: [],
    steps: stepsOf(wish),
    needs: [],
    reversible: true,
    undo: '',
  };
  if (target === null) {
    const answer: Answer = { kind: 'so', reason: '' };
    return {
      plan: planOf(identity, unreadable, [...diagnostics, note]),
      change: unreadable,
      answer,
      target,
      reader,
    };
  }
  const nowMs = ports.clock.now() + client.skewMs();
  const unconfirmed = knowledge.open;
  const { answer, change } = decideByHand({
    wish,
    target,
    observed: [target],
    knowledge,
    unconfirmed,
    nowMs,
  });
  const again = `${change.reasons.join(' ')} It is stopped again, so that no other run starts it.`;
  const asked =
    answer.kind === 'so'
      ? { ...change, action: wish.action, reasons: [again], steps: stepsOf(wish) }
      : change;
  return { plan: planOf(identity, asked, [...diagnostics, note]), change: asked, answer, target, reader };
}

function stepsOf({ action, liveId }: StopWish): Change['steps'] {
  return [
    { kind: action, live_id: liveId },
    { kind: 'read_back', live_id: liveId },
  ];
}

async function readTarget({
  client,
  account,
  wish: { kind, liveId },
}: StopRun): Promise<{ readonly target: Observed | null; readonly unread: string }> {
  const base = { account: account.alias, accountId: account.accountId };
  const result = await readById(client, { accountId: account.accountId, kind, liveId });
  if (result.kind !== 'done') {
    if (result.problem.status === 404) throw notFound({ kind, liveId }, account, null);
    return { target: null, unread: describeProblem(result.problem) };
  }
  const live = result.reply;
  return { target: { kind, ...base, live } as Observed, unread: '' };
}

/** Number of attempts to stop an object if requests of another run undo it. */
const ROUNDS_MAX = 3;

/**
 * Records the stop, sends it, and verifies the object. A request of another run may arrive later. Then this waits for
 * it, checks again, and repeats the stop if needed.
 */
export async function carryOutStop(
  run: StopRun,
  { plan, change, target, reader }: StopPlan,
): Promise<Executed> {
  const { ports, client, account, settleMs, lease } = run;
  const { state, clock, identity, interrupted, report } = ports;
  const record = { store: state.ledger, rescue: state.rescue, clock, identity, service: client, reader };
  const ledger = lease !== null ? await Ledger.open({ ...record, lease }) : await Ledger.join(record);
  const repeats = new RepeatBound(clock);
  try {
    for (let round = 1; ; round += 1) {
      const executed = await executePlan({
        plan: { ...plan, changes: [change] },
        declared: [],
        byHand: { atOnce: false, stopNow: true },
        observed: target === null ? [] : [target],
        accounts: [account],
        client,
        clock,
        ledger,
        adopted: new Set(),
        stopsFirst: new Map(),
        beforeStarts: null,
        settleMs,
        repeats,
        uploads: neverUploads,
        rewritesIn: () => [],
        deniedNow: () => null,
        isOurs: () => false,
        stop: interrupted,
        onProgress: () => undefined,
        onWait: () => undefined,
        onBug: (error) => report({ kind: 'bug', error }),
      });
      const isUndone = await mayBeUndone(run, ledger);
      if (!isUndone || round >= ROUNDS_MAX || interrupted.aborted) {
        await ledger.keepWritten();
        return { ...executed, ...reportRecord(ports, ledger) };
      }
    }
  } finally {
    await ledger.close();
  }
}

/** Waits for requests of other runs for the object. Returns true if it is not stopped after that. */
async function mayBeUndone(run: StopRun, ledger: Ledger): Promise<boolean> {
  const { ports, account, wish, settleMs } = run;
  const key = objectKey(account.accountId, wish.kind, wish.liveId);
  const underWay = async (): Promise<readonly LateStatusChange[]> => {
    // The stop was sent, and must be reported even if the ledger cannot be read now.
    await ledger.hearOthers().catch(() => []);
    const others = ledger.lateChanges.of(key).filter(({ target }) => target !== TARGETS[wish.action]);
    return others.filter((copy) => leftMs(run, ledger, copy) > 0);
  };
  let others = await underWay();
  if (others.length === 0) return false;
  await ensureAgesKnown(run.client);
  ports.report({
    kind: 'stop-may-be-undone',
    stop: { kind: wish.kind, name: '', account: account.alias, action: wish.action },
    liveId: wish.liveId,
    leftMs: Math.max(...others.map((copy) => leftMs(run, ledger, copy))),
  });
  const startMs = ports.clock.monotonicMs();
  while (others.length > 0 && ports.clock.monotonicMs() - startMs < settleMs) {
    await ports.clock.sleep(POLL_MS, ports.interrupted).catch(() => undefined);
    if (ports.interrupted.aborted) break;
    others = await underWay();
  }
  const { target } = await readTarget(run);
  return target === null || !showsTarget(target.live, TARGETS[wish.action]);
}

/** Time between reads of the ledger while another run has a request in progress. */
const POLL_MS = 1_000;

const TARGETS: Readonly<Record<StopWish['action'], TargetStatus>> = { pause: 'paused', archive: 'archived' };

function leftMs({ ports, settleMs }: StopRun, ledger: Ledger, copy: LateStatusChange): number {
  return ledger.ages.here(copy, copy.entry).sentAtMs + settleMs - ports.clock.now();
}
