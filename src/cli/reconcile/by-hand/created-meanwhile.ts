import type { Change } from '../../../domain/change.ts';
import { quoted, shown } from '../../../domain/visible.ts';
import type { LedgerLine } from '../../../ledger/lines.ts';
import { LedgerReader } from '../../../ledger/reader.ts';
import type { Keeps } from '../../../ledger/reduction.ts';
import type { StopRun } from './stop-run.ts';

/**
 * Says what another run has created, or is creating, under the name of what was stopped: that is another object, and
 * this stop is not about it.
 */
export async function sayCreated(
  { context, client, account, wish }: StopRun,
  { address }: Change,
  heard: readonly LedgerLine[],
): Promise<void> {
  const isCreate: Keeps = (begin) =>
    begin.type === 'intent' &&
    begin.call === 'create' &&
    begin.account_id === account.accountId &&
    begin.kind === wish.kind &&
    begin.name === address.name;
  const { lines } = await new LedgerReader(context.files, client.address, { keeps: isCreate }).read();
  const creates = lines.filter((line) => line.type === 'intent').filter(isCreate);
  const entries = new Set(creates.map(({ entry }) => entry));
  const ended = new Set(
    lines.flatMap((line) => (line.type === 'outcome' && line.outcome !== 'unknown' ? [line.entry] : [])),
  );
  const made = heard.flatMap((line) =>
    line.type === 'outcome' && entries.has(line.entry) && line.outcome === 'done' ? [line.live_id] : [],
  );
  const name = `${wish.kind} ${quoted(address.name)}`;
  const command = `herald ${wish.kind}s ${wish.action}`;
  for (const id of made)
    context.output.fail(
      shown`warning: another run has just created ${id ?? '?'}, also called ${name}. To stop it too: ${command} ${id ?? 'ID'} --account ${account.alias}`,
    );
  if ([...entries].some((entry) => !ended.has(entry)))
    context.output.fail(
      shown`warning: a create of ${name} has no end on record and may still arrive. Look again in two minutes: herald ${wish.kind}s list --account ${account.alias}`,
    );
}
