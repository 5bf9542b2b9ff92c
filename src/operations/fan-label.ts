import type { Problem } from '../api/errors.ts';
import type { LedgerLine } from '../ledger/lines.ts';
import { ageFromLedger } from './age.ts';
import { conclusion } from '../requests/conclusion.ts';
import { earlierActs, type FanPlace, type FanPorts } from './fan-acts.ts';
import { waitOut } from '../requests/settle-window.ts';
import { recordedAct, unlessStopped, whyNotCarriedOut } from './recorded-act.ts';
import { ensureAgesKnown } from '../live/hear-clock.ts';

/** Only the given labels. A missing one keeps its value (CHAT-7). */
export type FanLabels = Readonly<Partial<Record<'custom_name' | 'note', string>>>;

export type Labelled =
  /** `confirmed` is false where the answer's body could not be read; its status says that it was done. */
  | { readonly kind: 'done'; readonly confirmed: boolean }
  /** A 200 that tells that it was not done. */
  | { readonly kind: 'denied' }
  | { readonly kind: 'failed'; readonly problem: Problem }
  | { readonly kind: 'interrupted' }
  | { readonly kind: 'unknown'; readonly problem: Problem };

/** What the ledger says of earlier requests. */
export interface EarlierLabels {
  readonly lines: readonly LedgerLine[];
  /** Whether a line cannot be read: it may be about another value. */
  readonly mayHideOne: boolean;
}

/**
 * Sets the labels. The same request is harmless to repeat, so the client does; a copy of an earlier one with other
 * words is waited out first, because it would land on top (LOST-11, FAULT-3).
 */
export async function labelFan(
  ports: FanPorts,
  place: FanPlace,
  labels: FanLabels,
  earlier: EarlierLabels,
): Promise<Labelled> {
  const { lines } = earlier;
  const ageMs = await ageOfContradiction(ports, place, labels, earlier);
  if (ageMs !== null && !(await waitOut(ports, ageMs))) return { kind: 'interrupted' };
  const { account, fanId } = place;
  const act = {
    operation: 'fans.label',
    account: account.alias,
    account_id: account.accountId,
    subject: `fan ${fanId}`,
    details: { fan_id: fanId, labels },
  } as const;
  const { exchange } = await recordedAct(ports, 'fans.label', () => act, {
    input: { params: { account_id: account.accountId, fan_id: fanId }, body: labels },
    remember: ({ success }) =>
      success === false ? { outcome: 'refused', message: 'answered success: false' } : {},
    beforeSend: unlessStopped(ports.stop),
  });
  switch (exchange.kind) {
    case 'done':
      if (exchange.reply.success === false) return { kind: 'denied' };
      await closeOverwritten(ports, place, labels, lines);
      return { kind: 'done', confirmed: exchange.reply.success === true };
    case 'not_sent':
    case 'refused':
    case 'throttled':
      return whyNotCarriedOut(exchange);
    case 'unknown':
      return { kind: 'unknown', problem: exchange.problem };
  }
}

/** The age of the last copy that may still write another value into one of these labels; null if there is none. */
async function ageOfContradiction(
  ports: FanPorts,
  place: FanPlace,
  labels: FanLabels,
  { lines, mayHideOne }: EarlierLabels,
): Promise<number | null> {
  // Of a request that cannot be read nothing is known: it may have left just now.
  if (mayHideOne) return 0;
  const copies = earlierActs(lines, 'fans.label', place).flatMap(({ entry, unconfirmed, details }) =>
    unconfirmed !== null && contradicts(details['labels'], labels) ? [{ ...unconfirmed, entry }] : [],
  );
  if (copies.length === 0) return null;
  await ensureAgesKnown(ports.client);
  return Math.min(...copies.map((copy) => ageFromLedger(ports, copy, copy.entry)));
}

/** Earlier requests with a newer value for each of their labels now. Their result does not matter any more. */
async function closeOverwritten(
  { ledger }: FanPorts,
  place: FanPlace,
  labels: FanLabels,
  lines: readonly LedgerLine[],
): Promise<void> {
  for (const { entry, outcome, details, unconfirmed } of earlierActs(lines, 'fans.label', place)) {
    const names = Object.keys(Object(details['labels']));
    if (outcome !== 'unknown' || !names.every((name) => Object.hasOwn(labels, name))) continue;
    await ledger.conclude(entry, {
      ...conclusion('adopted', 'a later change of the same labels was confirmed'),
      // It may still be executed, so another value waits for it.
      unheard_ms: unconfirmed === null ? null : ledger.ages.here(unconfirmed, entry).sentAtMs,
    });
  }
}

/** Whether an earlier request sets one of these labels to another value. */
export function contradicts(earlier: unknown, labels: FanLabels): boolean {
  if (typeof earlier !== 'object' || earlier === null) return true;
  return Object.entries(earlier).some(
    ([name, value]) =>
      (name === 'custom_name' || name === 'note') && labels[name] !== undefined && labels[name] !== value,
  );
}
