import type { Client } from '../api/client.ts';
import type { Withhold } from '../api/request.ts';
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
    const sends: number[] = [entry.sentAtMs];
    const problem = repeat ? await askAgain(client, ledger, entry, sends) : null;
    if (problem !== null) {
      unconfirmed.push({ address: entry.address, problem });
      continue;
    }
    // The last copy was heard; those before it may land as long as their window lasts.
    const unheard = repeat ? { unheard_ms: sends.at(-2) ?? entry.sentAtMs } : {};
    await ledger.conclude(entry.entry, { ...conclusion, ...unheard });
    if (conclusion.outcome === 'adopted' && conclusion.live_id !== null) adopted.add(conclusion.live_id);
  }
  return { adopted, unconfirmed };
}

/** Why it was not confirmed; null when it was. Every copy is put on record before it leaves, and into `sends`. */
async function askAgain(
  client: Client,
  ledger: Ledger,
  { entry, accountId, address, liveId, target }: OpenEntry,
  sends: number[],
): Promise<string | null> {
  const onRecord: Withhold = async () => {
    sends.push(await ledger.leavesAgain(entry));
    return null;
  };
  const params = { account_id: accountId, campaign_id: liveId ?? '' };
  const status = target === 'active' || target === 'archived' ? target : 'paused';
  const result =
    address.kind === 'campaign'
      ? await client.call('campaigns.set-status', { params, body: { status } }, onRecord)
      : await client.call('broadcasts.set-status', { params, body: { status: 'paused' } }, onRecord);
  if (result.kind === 'done') return null;
  return `${formatAddress(address)}: setting ${liveId ?? '?'} to ${status} is still not confirmed: ${result.problem.what}`;
}
