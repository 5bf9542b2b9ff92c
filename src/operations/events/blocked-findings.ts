import type { Plan } from '../../domain/change.ts';
import { formatCommand } from '../../domain/command-line.ts';
import { compareDiagnostics, type Diagnostic } from '../../domain/diagnostic.ts';
import type { EventStore } from '../../domain/event-store.ts';
import type { LedgerStore } from '../../domain/ledger-store.ts';
import type { ResolvedAccount } from '../../domain/resource.ts';
import { groupBy } from '../../domain/group-by.ts';
import type { Violation } from '../../events/violations.ts';
import { actsOf } from '../../ledger/acts.ts';
import { historyOf, type HistoryItem } from '../../ledger/history.ts';
import type { LedgerLine } from '../../ledger/lines.ts';
import { readWholeRecord } from '../../ledger/whole-record.ts';
import { CHAT_SEND } from '../chat-send.ts';
import { blockedIn, blockedWords, type Blocked } from './blocked.ts';
import { readViolations } from './violations.ts';

/** What is looked at for blocked messages. */
export interface BlockedTerms {
  readonly events: Pick<EventStore, 'name' | 'read'>;
  readonly ledger: LedgerStore;
  /** The service's, as the ledger has it. */
  readonly address: string;
  readonly accounts: readonly ResolvedAccount[];
  /** Whether the run is about this address. */
  readonly isWanted: (item: Pick<HistoryItem, 'account' | 'kind' | 'name'>) => boolean;
  /** By the service's clock. */
  readonly nowMs: number;
}

/** How long events that fit nothing of Herald are shown. */
const OTHERS_SHOWN_MS = 7 * 86_400_000;

/**
 * Adds to a drift the messages that the service had accepted and that the guard blocked afterwards. A chat message is
 * named until a person closes its entry, and a campaign or broadcast until a later version replaces it.
 */
export async function withBlockedMessages(plan: Plan, terms: BlockedTerms): Promise<Plan> {
  const { violations, problem } = await readViolations(terms.events);
  if (violations.length === 0 && problem === null) return plan;
  const found: Diagnostic[] = [];
  if (problem !== null) found.push(problem);
  if (violations.length > 0) found.push(...(await findingsOf(violations, terms)));
  return { ...plan, diagnostics: [...plan.diagnostics, ...found].toSorted(compareDiagnostics) };
}

async function findingsOf(
  violations: readonly Violation[],
  { ledger, address, accounts, isWanted, nowMs }: BlockedTerms,
): Promise<readonly Diagnostic[]> {
  const { lines } = await readWholeRecord(ledger);
  const own = lines.filter(({ origin }) => origin === undefined || origin === address);
  const items = historyOf(own);
  const { blocked, others } = blockedIn(items, violations);
  const isOver = overIn(own, items);
  const messages = [...blocked.values()].filter(({ item }) => isWanted(item) && !isOver(item));
  const aliases = new Map(accounts.map(({ alias, accountId }) => [accountId, alias]));
  const recent = others.filter(
    ({ atMs, accountId, sendId, isByPerson }) =>
      nowMs - atMs < OTHERS_SHOWN_MS && sendId === null && !isByPerson && aliases.has(accountId ?? ''),
  );
  const unmatched = groupBy(recent, ({ accountId }) => aliases.get(accountId ?? '') ?? '');
  return [
    ...messages.map(messageFinding),
    ...[...unmatched].map(([account, own]) => unmatchedFinding(account, own)),
  ];
}

/** What is dealt with: closed by a person, or replaced by a later version. */
function overIn(lines: readonly LedgerLine[], items: readonly HistoryItem[]): (item: HistoryItem) => boolean {
  const closed = new Set(actsOf(lines).flatMap(({ acknowledged, entry }) => (acknowledged ? [entry] : [])));
  const newest = new Map(
    items.filter(({ action }) => action === 'create').map((item) => [item.address, item]),
  );
  return (item) =>
    item.action === CHAT_SEND ? closed.has(item.entry ?? '') : newest.get(item.address) !== item;
}

function messageFinding(blocked: Blocked): Diagnostic {
  const { item, violations } = blocked;
  return {
    severity: 'warning',
    code: 'message-blocked',
    message: [
      `${blockedWords(blocked)}.`,
      ...(item.action === CHAT_SEND
        ? [`Once that is done: ${formatCommand('ledger', 'close', item.entry ?? 'ENTRY', '--because', '…')}`]
        : []),
    ].join(' '),
    address: item.address,
    at: new Date(violations[0].atMs).toISOString(),
  };
}

function unmatchedFinding(account: string, violations: readonly Violation[]): Diagnostic {
  const last = new Date(Math.max(...violations.map(({ atMs }) => atMs))).toISOString();
  const which = violations.length === 1 ? 'a message' : `${violations.length} messages`;
  return {
    severity: 'info',
    code: 'message-blocked',
    message: `The message guard blocked ${which} of ${account}, the last at ${last}. The events name nothing that Herald sent. They may be about a campaign or a broadcast of this account, or about another program. To see them: ${formatCommand('events', 'list', '--account', account, '--kind', 'firewall.*')}`,
  };
}
