import type { Knowledge, KnowledgeOn } from '../domain/knowledge.ts';
import type { ResolvedAccount } from '../domain/resource.ts';
import type { Ages } from '../ledger/ages.ts';

/** Whatever clock wrote the times of open entries: all of them on this machine's, and none of them too early. */
export function onOwnClock(knowledge: KnowledgeOn<'record'>, ages: Ages): KnowledgeOn<'machine'> {
  return { ...unmarked(knowledge), open: knowledge.open.map((entry) => ages.here(entry, entry.entry)) };
}

/** The same on the service's, where it is `nowMs`, for a plan whose lists were read just now. */
export function onServiceClock(
  knowledge: KnowledgeOn<'record'>,
  ages: Ages,
  nowMs: number,
): KnowledgeOn<'service'> {
  const open = knowledge.open.map((one) => ({ ...one, sentAtMs: nowMs - ages.ageMs(one, one.entry) }));
  return { ...unmarked(knowledge), open };
}

/**
 * Open entries bear this machine's time, and the plan is made in the service's, after the lists were read.
 * Shifted like this, a settle window ends for the plan exactly when it had ended before the reading began.
 */
export function inPlanTerms(
  knowledge: KnowledgeOn<'machine'>,
  accounts: readonly ResolvedAccount[],
  shiftMs: number,
): KnowledgeOn<'service'> {
  const aliasOf = new Map(accounts.map(({ accountId, alias }) => [accountId, alias]));
  const open = knowledge.open.map((entry) => ({
    ...entry,
    // An alias may be renamed while a create is on its way; the account stays the same.
    address: { ...entry.address, account: aliasOf.get(entry.accountId) ?? entry.address.account },
    sentAtMs: entry.sentAtMs + shiftMs,
  }));
  return { ...unmarked(knowledge), open };
}

/** The same without the mark of its clock. */
function unmarked(knowledge: Knowledge): Knowledge {
  return knowledge;
}
