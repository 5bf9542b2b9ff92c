import { KIND_ROWS } from '../domain/kind.ts';
import type { OpenEntry } from '../domain/knowledge.ts';
import { formatAddress } from '../domain/resource.ts';
import { actsOf, type Act } from './acts.ts';
import type { Left } from './ages.ts';
import { instantText } from './instant-text.ts';
import { isOpenAct } from './keep.ts';
import type { Reduced } from './reduction.ts';

/** A request whose end is not on record: its answer was lost, or the process died. */
export interface Unfinished extends Left {
  readonly entry: string;
  /** The account's alias then, and its id. */
  readonly account: string;
  readonly accountId: string;
  /** No run settles it: a person looks, and says so. */
  readonly isForPerson: boolean;
  /** What was asked for, as people say it. */
  readonly what: string;
  readonly sentAt: string;
  /** By this machine's clock; below zero where that is behind. */
  readonly ageSec: number;
  readonly who: string;
  /**
   * Nothing can come of it any more that a look would not show: so says this machine's clock, whether the time on its
   * line is by that one or, with the difference that was known then, by the service's.
   */
  readonly isLate: boolean;
  /** What settles it, one sentence. */
  readonly settledBy: string;
  /** The same, and what is left where that does not help. */
  readonly advice: string;
}

/** Oldest first. `settleMs`: how long a request whose answer was lost may still be carried out. */
export function unfinishedIn(
  { knowledge, lines }: Pick<Reduced, 'knowledge' | 'lines'>,
  { nowMs, settleMs }: { readonly nowMs: number; readonly settleMs: number },
): readonly Unfinished[] {
  const whoseBegun = new Map(
    lines.flatMap((line) => (line.type === 'intent' ? [[line.entry, line.who] as const] : [])),
  );
  const adviceOf = (entry: string, settledBy: string, isForPerson: boolean) => ({
    settledBy,
    advice: `${settledBy} ${closeAdvice(entry, isForPerson)}`,
    isForPerson,
  });
  const timesOf = ({ sentAtMs, skewMs }: Left) => ({
    sentAtMs,
    skewMs,
    sentAt: instantText(sentAtMs),
    ageSec: Math.floor((nowMs - sentAtMs) / 1000),
    isLate: nowMs - Math.max(sentAtMs, sentAtMs + (skewMs ?? 0)) >= settleMs,
  });
  const changes = knowledge.open.map((open) => ({
    entry: open.entry,
    account: open.address.account,
    accountId: open.accountId,
    what: changeWords(open),
    who: whoseBegun.get(open.entry) ?? '',
    ...adviceOf(open.entry, changeAdvice(open), open.call === 'unsend'),
    ...timesOf(open),
  }));
  const acts = actsOf(lines)
    .filter(isOpenAct)
    .map((act) => ({
      entry: act.entry,
      account: act.account,
      accountId: act.accountId,
      what: `${act.operation} of ${act.subject} on ${act.account}`,
      who: act.who,
      ...adviceOf(act.entry, actAdvice(act), isForPerson(act)),
      ...timesOf(act),
    }));
  return [...changes, ...acts].toSorted((left, right) => right.ageSec - left.ageSec);
}

function changeWords(open: OpenEntry): string {
  const { address, liveId } = open;
  const id = liveId === null ? '' : ` (${liveId})`;
  if (open.call === 'create') return `the create of ${formatAddress(address)}`;
  if (open.call === 'unsend') return `the recall of ${formatAddress(address)}${id}`;
  return `setting ${formatAddress(address)}${id} to ${open.targetText ?? 'a status'}`;
}

function changeAdvice({ call, address, liveId }: OpenEntry): string {
  if (call !== 'unsend')
    return 'Run herald apply: it reads what is live and settles it before anything else.';
  const what = `herald ${KIND_ROWS[address.kind].plural}`;
  const which = `${liveId ?? 'ID'} --account ${address.account}`;
  return `Look at it (${what} get ${which}); if it is not recalled, ask again: ${what} unsend ${which}.`;
}

/** The last resort: where nothing else ends it. */
function closeAdvice(entry: string, isForPerson: boolean): string {
  const when = isForPerson ? 'Once you know how it ended' : 'Where the account has left herald.yaml for good';
  return `${when}: herald ledger close ${entry} --because "…".`;
}

/** Acts that no look and no repeat tells the end of (LOST-10). */
const FOR_PERSON: readonly string[] = ['chat.send'];

/** What settles an act of each kind; the command itself says more. */
const ACT_ADVICE: Readonly<Record<string, string>> = {
  'payouts.request':
    'Look at herald payouts list and at the service; the next herald payouts request for the account settles it, or takes --acknowledge.',
  'chat.send': 'Look at the chat (herald chat messages); then send anew with --acknowledge, or leave it.',
  'vault.upload-export': 'Run herald vault upload with the same file: it looks for the earlier one first.',
  'fans.label': 'Run herald fans label with the same words again: a repeat is harmless.',
  'fans.follow': 'Run herald fans follow again: one who is followed already costs nothing.',
};

/** By a raw call, whose body no run can find again. */
function isRaw({ details }: Act): boolean {
  return details['by'] === 'api';
}

function isForPerson(act: Act): boolean {
  return FOR_PERSON.includes(act.operation) || isRaw(act);
}

function actAdvice(act: Act): string {
  return (isRaw(act) ? undefined : ACT_ADVICE[act.operation]) ?? 'Look at what became of it in the service.';
}
