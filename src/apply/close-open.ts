import type { Client } from '../api/client.ts';
import type { OpenEntry } from '../domain/knowledge.ts';
import { formatAddress, type Address } from '../domain/resource.ts';
import type { Verdict } from './judge-open.ts';
import type { Ledger } from '../ledger/ledger.ts';

/** What became of the entries that earlier runs left open. */
export interface Closed {
  /** Live ids that a lost create turned out to have made. */
  readonly adopted: ReadonlySet<string>;
  /** Changes that could not be brought to an end again. */
  readonly unconfirmed: readonly Unconfirmed[];
}

/** A change that may be half done, and why it could not be confirmed. */
export interface Unconfirmed {
  readonly address: Address;
  readonly problem: string;
}

/** Closes what earlier runs left open, as judged, before anything else is done. */
export async function closeOpenEntries(
  client: Client,
  ledger: Ledger,
  verdicts: readonly Verdict[],
): Promise<Closed> {
  const adopted = new Set<string>();
  const unconfirmed: Unconfirmed[] = [];
  for (const { entry, conclusion, repeat } of verdicts) {
    if (conclusion === null) continue;
    const problem = repeat ? await askAgain(client, entry) : null;
    if (problem !== null) {
      unconfirmed.push({ address: entry.address, problem });
      continue;
    }
    await ledger.conclude(entry.entry, conclusion);
    if (conclusion.outcome === 'adopted' && conclusion.live_id !== null) adopted.add(conclusion.live_id);
  }
  return { adopted, unconfirmed };
}

/** Why it was not confirmed; null when it was. */
async function askAgain(
  client: Client,
  { accountId, address, liveId, target }: OpenEntry,
): Promise<string | null> {
  const params = { account_id: accountId, campaign_id: liveId ?? '' };
  const status = target === 'active' || target === 'archived' ? target : 'paused';
  const result =
    address.kind === 'campaign'
      ? await client.call('campaigns.set-status', { params, body: { status } })
      : await client.call('broadcasts.set-status', { params, body: { status: 'paused' } });
  if (result.kind === 'done') return null;
  return `${formatAddress(address)}: setting ${liveId ?? '?'} to ${status} is still not confirmed: ${result.problem.what}`;
}
