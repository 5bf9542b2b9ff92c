import type { Knowledge, KnowledgeOn } from '../domain/knowledge.ts';
import type { ResolvedAccount } from '../domain/resource.ts';
import type { Ages } from '../ledger/ages.ts';

/** Converts the times of unconfirmed entries to this machine's clock, never too early. */
export function onOwnClock(knowledge: KnowledgeOn<'record'>, ages: Ages): KnowledgeOn<'machine'> {
  return { ...unmarked(knowledge), open: knowledge.open.map((entry) => ages.here(entry, entry.entry)) };
}

/** The same on the service's clock, which shows `nowMs`, for a plan right after reading the lists. */
export function onServiceClock(
  knowledge: KnowledgeOn<'record'>,
  ages: Ages,
  nowMs: number,
): KnowledgeOn<'service'> {
  const open = knowledge.open.map((one) => ({ ...one, sentAtMs: nowMs - ages.ageMs(one, one.entry) }));
  return { ...unmarked(knowledge), open };
}

/**
 * Entries have this machine's time, but plans use the service's time after the lists were read. With this shift, a
 * window ends for the plan exactly if it had ended before the reading began.
 */
export function inPlanTerms(
  knowledge: KnowledgeOn<'machine'>,
  accounts: readonly ResolvedAccount[],
  shiftMs: number,
): KnowledgeOn<'service'> {
  const aliasOf = new Map(accounts.map(({ accountId, alias }) => [accountId, alias]));
  const open = knowledge.open.map((entry) => ({
    ...entry,
    // An alias may be renamed while a create is unconfirmed. The account stays the same.
    address: { ...entry.address, account: aliasOf.get(entry.accountId) ?? entry.address.account },
    sentAtMs: entry.sentAtMs + shiftMs,
  }));
  return { ...unmarked(knowledge), open };
}

/** The same without the mark of its clock. */
function unmarked(knowledge: Knowledge): Knowledge {
  return knowledge;
}
