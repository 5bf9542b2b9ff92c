import { SIMILAR_MS, SIMILAR_PAYOUT_MS } from '../domain/repeats.ts';
import { startsSending } from '../domain/status.ts';
import type { ActLine, IntentLine } from './lines.ts';
import type { PlannedWrite } from './stops.ts';

/** A list may not show for so long what a finished request has made. */
const MAY_NOT_SHOW_MS = 60_000;
/** No list shows whether a broadcast was recalled (LOST-7). */
const RECALL_COUNTS_MS = 86_400_000;

/** A request of another run, and whether it has ended as far as is known. */
export interface Pulled {
  readonly line: ActLine | IntentLine;
  end: 'none' | 'carried out' | 'not carried out';
  /** What a create has made; null while that is not known. */
  madeId: string | null;
}

/** An act of this run. */
export type Act = Pick<ActLine, 'operation' | 'account_id' | 'subject' | 'details'>;

/** Of these, any other one of the account may be the same: a payout, and a create without a name. */
const BY_ACCOUNT: readonly string[] = ['payouts.request', 'campaigns.create', 'broadcasts.create'];
/** Of these, another one of the same subject may be the same: for the same fan, or in the same chat. */
const BY_SUBJECT: readonly string[] = ['chat.send', 'fans.follow', 'fans.label'];

/** Whether requests of other runs can speak against it. */
export function hasLikes({ operation }: Act): boolean {
  return BY_ACCOUNT.includes(operation) || BY_SUBJECT.includes(operation);
}

/** The longest time for which a request counts that was carried out; without an end, it counts until it has one. */
export function countsForMs(line: ActLine | IntentLine): number {
  if (line.type === 'intent') return line.call === 'unsend' ? RECALL_COUNTS_MS : MAY_NOT_SHOW_MS;
  if (line.operation === 'payouts.request') return SIMILAR_PAYOUT_MS;
  return line.operation === 'chat.send' ? SIMILAR_MS : MAY_NOT_SHOW_MS;
}

/**
 * Whether a request that came into the ledger meanwhile speaks against an act of this run. `ageMs` is its least age.
 *
 * | the act                | a request without an end     | one that was carried out                                        |
 * |------------------------|------------------------------|-----------------------------------------------------------------|
 * | a payout               | any payout of the account    | any of the last minute, and one of the same amount within a day |
 * | a chat message         | any message to the chat      | any of the last minute, and the same words within five minutes  |
 * | a follow, a label      | one for the same fan         | one of the last minute                                          |
 * | a create without name  | one of this kind             | one with the same body of the last minute                       |
 */
export function isAgainstAct(own: Act, { line, end }: Pulled, ageMs: number): boolean {
  if (line.type !== 'act' || line.operation !== own.operation || placeOf(line) !== placeOf(own)) return false;
  if (BY_SUBJECT.includes(own.operation) && line.subject !== own.subject) return false;
  if (end !== 'carried out') return end === 'none';
  if (ageMs >= countsForMs(line)) return false;
  const isSame = hasSameContent(own.details, line.details);
  return own.operation.endsWith('.create') ? isSame : isSame || ageMs < MAY_NOT_SHOW_MS;
}

/** A payout belongs to an account of the platform, under whatever name it was typed. */
function placeOf({ details, account_id: accountId }: Act): unknown {
  return details['platform_account_id'] ?? accountId;
}

/** By which members of its details an act asks for the same as another one. */
const CONTENT = ['cents', 'normal_digest', 'digest', 'body_digest'] as const;

function hasSameContent(own: Act['details'], other: Act['details']): boolean {
  return CONTENT.some((member) => own[member] !== undefined && own[member] === other[member]);
}

/**
 * Whether it speaks against a create, a start or another change of an object.
 *
 * | the request                | speaks against                                                                    |
 * |----------------------------|-----------------------------------------------------------------------------------|
 * | a create                   | a create or start of the same name or content, or of the object that it replaces  |
 * | a start of another object  | a create or start of the same name, or in a change that touches the object        |
 * | a recall                   | a recall or start of the object, and a create or start of the same name           |
 *
 * A recall counts for a day after it was carried out, everything else for a minute.
 */
export function isAgainstWrite(write: PlannedWrite, { line, end, madeId }: Pulled, ageMs: number): boolean {
  if (line.type !== 'intent' || line.account_id !== write.accountId || line.kind !== write.kind) return false;
  if (end === 'not carried out' || (end === 'carried out' && ageMs >= countsForMs(line))) return false;
  const isOfName = line.name === write.name;
  if (line.call === 'create') {
    // A start of what it has made puts nothing next to it.
    if (madeId !== null && madeId === write.liveId) return false;
    const isOfContent = line.content !== null && line.content === write.content;
    const replacesIt = write.liveId !== null && line.supersedes.includes(write.liveId);
    return write.starts && (isOfName || isOfContent || replacesIt);
  }
  const isOfObject = line.live_id === write.liveId;
  const touchesIt = isOfName || write.group.includes(line.live_id ?? '');
  // A stop always goes ahead.
  if (line.call === 'unsend')
    return write.starts ? isOfObject || touchesIt : write.recalls === true && isOfObject;
  // The same start once more does no harm.
  return startsSending(line.target) && write.starts && !isOfObject && touchesIt;
}

/** What it asks for, as the start of a sentence goes on: "a request of bo to …". */
export function askedFor({ line }: Pulled): string {
  if (line.type === 'act') return 'for the same';
  if (line.call === 'create') return 'to create the same';
  return `to ${line.call === 'unsend' ? 'recall' : 'start'} ${line.live_id ?? 'the same'}`;
}
