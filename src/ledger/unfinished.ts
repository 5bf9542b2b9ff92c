import { formatCommand } from '../domain/command-line.ts';
import type { AccountId, PlatformAccountId } from '../domain/ids.ts';
import { KIND_ROWS } from '../domain/kind.ts';
import type { OpenEntry } from '../domain/knowledge.ts';
import { formatAddress } from '../domain/resource.ts';
import { actsOf, type Act } from './acts.ts';
import type { SendTime } from './ages.ts';
import { instantText } from './instant-text.ts';
import { isOpenAct } from './keep.ts';
import type { Reduced } from './reduced.ts';

/** An unconfirmed request: its answer was lost, or the process died. */
export interface Unfinished extends SendTime {
  readonly entry: string;
  /** The account's alias at that time, and its id. */
  readonly account: string;
  readonly accountId: AccountId;
  /** Its id on the platform; null where the request does not need that. */
  readonly platformAccountId: PlatformAccountId | null;
  /** No run can resolve it: a person checks it and closes it. */
  readonly isForPerson: boolean;
  /** The request, in words for people. */
  readonly what: string;
  readonly sentAt: string;
  /** By this machine's clock; negative if that clock is behind. */
  readonly ageSec: number;
  readonly who: string;
  /**
   * It can no longer succeed unseen, by this machine's clock. Holds for the recorded time and for that time on the
   * service's clock.
   */
  readonly isLate: boolean;
  /** How to resolve it, in one sentence. */
  readonly resolvedBy: string;
  /** The same, and what to do if that does not help. */
  readonly advice: string;
}

/** Oldest first. `settleMs`: how long an unconfirmed request may still succeed. */
export function unfinishedIn(
  { knowledge, lines }: Pick<Reduced, 'knowledge' | 'lines'>,
  { nowMs, settleMs }: { readonly nowMs: number; readonly settleMs: number },
): readonly Unfinished[] {
  const whoBegan = new Map(
    lines.flatMap((line) => (line.type === 'intent' ? [[line.entry, line.who] as const] : [])),
  );
  const adviceOf = (entry: string, resolvedBy: string, isForPerson: boolean) => ({
    resolvedBy,
    advice: `${resolvedBy} ${closeAdvice(entry, isForPerson)}`,
    isForPerson,
  });
  const timesOf = ({ sentAtMs, skewMs }: SendTime) => ({
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
    platformAccountId: null,
    what: changeWords(open),
    who: whoBegan.get(open.entry) ?? '',
    ...adviceOf(open.entry, changeAdvice(open), isOfUnknownEnd(open)),
    ...timesOf(open),
  }));
  const acts = actsOf(lines)
    .filter(isOpenAct)
    .map((act) => ({
      entry: act.entry,
      account: act.account,
      accountId: act.accountId,
      platformAccountId: platformIdIn(act),
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

/** No list shows every recall, and nothing can be compared with a create of which the ledger does not have the content. */
function isOfUnknownEnd(open: OpenEntry): boolean {
  return open.call === 'unsend' || (open.call === 'create' && open.wanted === null);
}

function changeAdvice({ call, address, liveId }: OpenEntry): string {
  if (call !== 'unsend') return `Run ${formatCommand('apply')} to find out what happened.`;
  const command = (verb: string) =>
    formatCommand(KIND_ROWS[address.kind].plural, verb, liveId ?? 'ID', '--account', address.account);
  return `Check whether it was recalled (${command('get')}). If not, run ${command('recall')}.`;
}

/** The last resort, if nothing else resolves it. */
function closeAdvice(entry: string, isForPerson: boolean): string {
  const when = isForPerson
    ? 'Once you know what happened'
    : 'If you have removed the account from herald.yaml for good';
  return `${when}: ${formatCommand('ledger', 'close', entry, '--because', '…')}`;
}

/** Acts that no read and no repeat can resolve (LOST-10). */
const FOR_PERSON: readonly string[] = ['chat.send'];

/** How to resolve an act of each kind. The command itself says more. */
const ACT_ADVICE: Readonly<Record<string, () => string>> = {
  'payouts.request': () =>
    `Check ${formatCommand('payouts', 'list')} and the service. The next ${formatCommand('payouts', 'request')} for the account resolves it, or needs --acknowledge.`,
  'chat.send': () =>
    `Check the chat with ${formatCommand('chat', 'messages')}. If the message is not there, send it again with --acknowledge.`,
  'vault.upload-export': () =>
    `Run ${formatCommand('vault', 'upload')} with the same file again. It looks for the earlier upload first.`,
  'fans.label': () => `Run ${formatCommand('fans', 'label')} with the same labels again. That is harmless.`,
  'fans.follow': () =>
    `Run ${formatCommand('fans', 'follow')} again. Following a fan a second time costs nothing.`,
};

/** Made by `herald api`. Its body is not recorded, so no run can repeat it. */
function isRaw({ details }: Act): boolean {
  return details['by'] === 'api';
}

/** A payout is recorded with it, whichever id it was requested with. */
function platformIdIn({ details }: Act): PlatformAccountId | null {
  const id = details['platform_account_id'];
  return typeof id === 'string' ? id : null;
}

function isForPerson(act: Act): boolean {
  return FOR_PERSON.includes(act.operation) || isRaw(act);
}

function actAdvice(act: Act): string {
  return (
    (isRaw(act) ? undefined : ACT_ADVICE[act.operation])?.() ?? 'Check on the service what happened to it.'
  );
}
