import { formatCommand } from '../../domain/command-line.ts';
import { KIND_ROWS } from '../../domain/kind.ts';
import type { Change } from '../../domain/change.ts';
import { objectKey, type Knowledge, type KnownObject, type OpenEntry } from '../../domain/knowledge.ts';
import type { Observed, ObservedBroadcast, ObservedCampaign } from '../../domain/resource.ts';
import { stopsSending } from '../../domain/status.ts';
import { NOTHING_DROPPED } from '../decision.ts';
import { sayQueued } from '../queue.ts';
import { isOurs, knownOf } from '../match.ts';
import { isOurStop } from '../person-stops.ts';
import type { Answer, ByHandCase, Wish } from './answer.ts';
import { BROADCAST_ANSWERS } from './broadcast.ts';
import { CAMPAIGN_ANSWERS } from './campaign.ts';
import { startWords, versionsOf, type InFiles } from './versions.ts';

export interface ByHandInput {
  readonly wish: Wish;
  readonly target: Observed;
  /** The complete list of the target's account and kind. */
  readonly observed: readonly Observed[];
  readonly knowledge: Knowledge;
  /** Unconfirmed requests, also those that the change does not wait for. */
  readonly unconfirmed: readonly OpenEntry[];
  /** The latest that the service's time can be, in epoch milliseconds. */
  readonly nowMs: number;
  /** How much earlier it may be. 0 or absent if the clocks agree. */
  readonly clocksApartMs?: number;
  /** What a start is compared with. Absent for a stop, which does not wait for the files. */
  readonly inFiles?: InFiles;
}

export interface ByHandDecision {
  readonly answer: Answer;
  /** What to carry out; `keep` where nothing is to be done, `blocked` where it must not be. */
  readonly change: Change;
}

/** What becomes of one change that a person asks for by hand, and what to tell them before it is done. */
export function decideByHand(input: ByHandInput): ByHandDecision {
  const { wish, target, knowledge } = input;
  const known = knownOf(target, knowledge);
  const { answer, told } = withVersions(input, answerTo(input, known));
  const base = {
    // The name that the files know it by: a rename keeps the object's old one.
    address: {
      account: target.account,
      kind: target.kind,
      name: known === null ? (target.live.name ?? '') : known.name,
    },
    live_id: target.live.id,
    fields: [],
    dropped: NOTHING_DROPPED,
    needs: [],
  };
  if (answer.kind !== 'go') {
    const action = answer.kind === 'so' ? 'keep' : 'blocked';
    return {
      answer,
      change: { ...base, action, reasons: [answer.reason], steps: [], reversible: true, undo: '' },
    };
  }
  const stranger = isOurs(target, known, knowledge) ? [] : ['Herald did not create it.'];
  const shielded =
    known?.isProtected === true && !STARTING.includes(wish.action)
      ? ['The files protect it (protect: true), so no plan would do this.']
      : [];
  const reasons = [...answer.reasons, ...told, ...stranger, ...shielded];
  const steps = stepsOf(wish).map((kind) => ({ kind, live_id: target.live.id }));
  const change = {
    ...base,
    action: wish.action,
    reasons,
    steps,
    reversible: answer.reversible,
    undo: answer.undo,
  };
  // Its queue stays as it is.
  if (answer.recorded !== null) return { answer, change };
  return { answer, change: sayQueued(change, () => target) };
}

const STARTING: readonly Wish['action'][] = ['activate', 'resume'];

/** A start of another version than the one of the file says so, also in its question. */
function withVersions(
  { target, inFiles, ...input }: ByHandInput,
  answer: Answer,
): { readonly answer: Answer; readonly told: readonly string[] } {
  if (answer.kind !== 'go' || inFiles === undefined) return { answer, told: [] };
  const versions = versionsOf(target, { ...input, account: target.account, kind: target.kind, inFiles });
  const { reasons, other } = startWords(target, versions);
  return { answer: { ...answer, mind: `${other} ${answer.mind}`.trim() }, told: reasons };
}

/** A recalled broadcast has no status that the service names, so there is nothing to read back. */
function stepsOf({ kind, action }: Wish): readonly (Wish['action'] | 'read_back')[] {
  return action === 'recall' && !KIND_ROWS[kind].showsRecall ? [action] : [action, 'read_back'];
}

function answerTo(input: ByHandInput, known: KnownObject | null): Answer {
  const { wish, target } = input;
  const recalled = recallInFlight(input);
  if (recalled !== null && (wish.action === 'activate' || wish.action === 'resume')) return recalled;
  if (wish.kind === 'campaign' && target.kind === 'campaign')
    return CAMPAIGN_ANSWERS[wish.action](caseOf(input, target, known));
  if (wish.kind === 'broadcast' && target.kind === 'broadcast')
    return BROADCAST_ANSWERS[wish.action](caseOf(input, target, known));
  throw new Error(`a ${wish.kind} was asked for and a ${target.kind} was found`);
}

function caseOf<Live extends ObservedCampaign | ObservedBroadcast>(
  input: ByHandInput,
  target: Live,
  known: KnownObject | null,
): ByHandCase<Live> {
  const { wish, observed, knowledge, nowMs, clocksApartMs = 0 } = input;
  const names = new Set([target.live.name, known?.name].filter((name) => name != null && name !== ''));
  const hasName = (object: Observed) =>
    names.has(object.live.name) || names.has(knownOf(object, knowledge)?.name);
  const others = observed.filter(
    (object): object is Live =>
      object.kind === target.kind && object.live.id !== target.live.id && hasName(object),
  );
  const command = (verb: string, id = target.live.id) =>
    formatCommand(KIND_ROWS[target.kind].plural, verb, id, '--account', target.account);
  const isStoppedByApply = isByApply(input, known);
  const { force, again } = wish;
  return { target, known, others, nowMs, clocksApartMs, force, again, isStoppedByApply, command };
}

/**
 * Whether the ledger has the stop as an apply's, or an unconfirmed one. At any later time: an archive outside Herald looks
 * like the service's own after a week.
 */
function isByApply({ target, unconfirmed }: ByHandInput, known: KnownObject | null): boolean {
  if (isOurStop({ known, observed: target }, Number.POSITIVE_INFINITY)) return true;
  return unconfirmed.some((entry) => isSameStop(entry, target) && known?.recalled !== true);
}

function isSameStop(entry: OpenEntry, { accountId, kind, live }: Observed): boolean {
  if (entry.call !== 'status' || entry.purpose === 'by_hand' || !stopsSending(entry.target)) return false;
  return entry.accountId === accountId && entry.address.kind === kind && entry.liveId === live.id;
}

/** An unconfirmed recall may still succeed, so nothing is activated until it is resolved (LOST-7). */
function recallInFlight({ target, knowledge }: ByHandInput): Answer | null {
  const key = objectKey(target.accountId, target.kind, target.live.id);
  const entry = knowledge.open.find(
    (open) =>
      open.call === 'unsend' && objectKey(open.accountId, open.address.kind, open.liveId ?? '') === key,
  );
  if (entry === undefined) return null;
  return {
    kind: 'held',
    reason: `A recall of it, sent at ${new Date(entry.notedAtMs).toISOString()}, got no answer and may still succeed.`,
    hint: 'Wait two minutes, check its status on the service, and run the command again.',
  };
}
