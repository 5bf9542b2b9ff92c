import type { Change } from '../../domain/change.ts';
import type { LedgerLine } from '../../ledger/lines.ts';
import { LedgerReader } from '../../ledger/reader.ts';
import type { KeepEntry } from '../../ledger/reduction.ts';
import type { StopRun } from './stop-run.ts';

/**
 * Reports objects that another run has created, or is creating, under the name of the stopped one. The stop does not
 * affect them.
 */
export async function warnOfCreated(
  { ports, client, account, wish }: StopRun,
  { address }: Change,
  heard: readonly LedgerLine[],
): Promise<void> {
  const isCreate: KeepEntry = (begin) =>
    begin.type === 'intent' &&
    begin.call === 'create' &&
    begin.account_id === account.accountId &&
    begin.kind === wish.kind &&
    begin.name === address.name;
  const { lines } = await new LedgerReader(ports.state.ledger, client.address, { keeps: isCreate }).read();
  const creates = lines.filter((line) => line.type === 'intent').filter(isCreate);
  const entries = new Set(creates.map(({ entry }) => entry));
  const ended = new Set(
    lines.flatMap((line) => (line.type === 'outcome' && line.outcome !== 'unknown' ? [line.entry] : [])),
  );
  const made = heard.flatMap((line) =>
    line.type === 'outcome' && entries.has(line.entry) && line.outcome === 'done' ? [line.live_id] : [],
  );
  const { kind, action } = wish;
  const stop = { kind, action, name: address.name, account: account.alias };
  for (const liveId of made) ports.report({ kind: 'created-meanwhile', stop, liveId: liveId ?? '?' });
  if ([...entries].some((entry) => !ended.has(entry))) ports.report({ kind: 'create-without-end', stop });
}
