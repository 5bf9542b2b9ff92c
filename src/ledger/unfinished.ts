import type { OpenEntry } from '../domain/knowledge.ts';
import { formatAddress } from '../domain/resource.ts';
import { actsOf, type Act } from './acts.ts';
import { instantText } from './instant-text.ts';
import { isOpenAct } from './keep.ts';
import type { LedgerLine } from './lines.ts';
import { reduceLedger } from './reduce.ts';

/** A request whose end is not on record: its answer was lost, or the process died. */
export interface Unfinished {
  readonly entry: string;
  /** What was asked for, as people say it. */
  readonly what: string;
  readonly sentAt: string;
  readonly ageSec: number;
  readonly who: string;
  /** Nothing can come of it any more that a look would not show. */
  readonly isLate: boolean;
  /** What to do about it, one sentence. */
  readonly advice: string;
}

/** Oldest first. `settleMs`: how long a request whose answer was lost may still be carried out. */
export function unfinishedIn(
  lines: readonly LedgerLine[],
  { nowMs, settleMs }: { readonly nowMs: number; readonly settleMs: number },
): readonly Unfinished[] {
  const whoseBegun = new Map(
    lines.flatMap((line) => (line.type === 'intent' ? [[line.entry, line.who] as const] : [])),
  );
  const timesOf = (sentAtMs: number) => ({
    sentAt: instantText(sentAtMs),
    ageSec: Math.floor((nowMs - sentAtMs) / 1000),
    isLate: nowMs - sentAtMs >= settleMs,
  });
  const changes = reduceLedger(lines).open.map((open) => ({
    entry: open.entry,
    what: changeWords(open),
    who: whoseBegun.get(open.entry) ?? '',
    advice: changeAdvice(open),
    ...timesOf(open.sentAtMs),
  }));
  const acts = actsOf(lines)
    .filter(isOpenAct)
    .map((act) => ({
      entry: act.entry,
      what: `${act.operation} of ${act.subject} on ${act.account}`,
      who: act.who,
      advice: actAdvice(act),
      ...timesOf(act.sentAtMs),
    }));
  return [...changes, ...acts].toSorted((left, right) => right.ageSec - left.ageSec);
}

function changeWords({ call, address, liveId, target }: OpenEntry): string {
  const id = liveId === null ? '' : ` (${liveId})`;
  if (call === 'create') return `the create of ${formatAddress(address)}`;
  if (call === 'unsend') return `the recall of ${formatAddress(address)}${id}`;
  return `setting ${formatAddress(address)}${id} to ${target ?? 'a status'}`;
}

function changeAdvice({ call, address, liveId }: OpenEntry): string {
  if (call !== 'unsend')
    return 'Run herald apply: it reads what is live and settles it before anything else.';
  const what = `herald ${address.kind}s`;
  const which = `${liveId ?? 'ID'} --account ${address.account}`;
  return `Look at it (${what} get ${which}); if it is not recalled, ask again: ${what} unsend ${which}.`;
}

/** What settles an act of each kind; the command itself says more. */
const ACT_ADVICE: Readonly<Record<string, string>> = {
  'payouts.request':
    'Look at herald payouts list and at the service; the next herald payouts request for the account settles it, or takes --acknowledge.',
  'chat.send': 'Look at the chat (herald chat messages); then send anew with --acknowledge, or leave it.',
  'vault.upload-export': 'Run herald vault upload with the same file: it looks for the earlier one first.',
  'fans.label': 'Run herald fans label with the same words again: a repeat is harmless.',
  'fans.follow': 'Run herald fans follow again: one who is followed already costs nothing.',
};

function actAdvice({ operation }: Act): string {
  return ACT_ADVICE[operation] ?? 'Look at what became of it in the service.';
}
