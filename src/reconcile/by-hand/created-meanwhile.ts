import { judgeOpen } from '../../apply/judge-open.ts';
import type { OpenInput, Verdict } from '../../apply/verdict.ts';
import type { Change } from '../../domain/change.ts';
import { KIND_ROWS } from '../../domain/kind.ts';
import type { OpenCreate } from '../../domain/knowledge.ts';
import type { Observed } from '../../domain/resource.ts';
import { STATUS_TRAITS } from '../../domain/status.ts';
import type { LedgerLine } from '../../ledger/lines.ts';
import { LedgerReader } from '../../ledger/reader.ts';
import type { KeepEntry } from '../../ledger/reduction.ts';
import type { Wish } from '../../plan/by-hand/answer.ts';
import type { StoppedName } from '../events.ts';
import type { ReconcilePorts } from '../ports.ts';
import type { StopRun } from './stop-run.ts';

/**
 * Reports objects that another run has created, or is creating, under the name of the stopped one or to replace it. The
 * stop does not affect them.
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
    (begin.name === address.name || begin.supersedes.includes(wish.liveId));
  const { lines } = await new LedgerReader(ports.state.ledger, client.address, { keeps: isCreate }).read();
  const creates = lines.filter((line) => line.type === 'intent').filter(isCreate);
  const nameOf = new Map(creates.map(({ entry, name }) => [entry, name]));
  const ended = new Set(
    lines.flatMap((line) => (line.type === 'outcome' && line.outcome !== 'unknown' ? [line.entry] : [])),
  );
  const { kind, action } = wish;
  const stopOf = (name: string): StoppedName => ({ kind, action, name, account: account.alias });
  for (const line of heard) {
    const name = line.type === 'outcome' && line.outcome === 'done' ? nameOf.get(line.entry) : undefined;
    if (line.type === 'outcome' && name !== undefined)
      ports.report({ kind: 'created-meanwhile', stop: stopOf(name), liveId: line.live_id ?? '?' });
  }
  const open = [...nameOf].filter(([entry]) => !ended.has(entry)).map(([, name]) => name);
  for (const name of new Set(open)) ports.report({ kind: 'create-without-end', stop: stopOf(name) });
}

/** What became of the unconfirmed creates of the target's name, and of those that replace it. */
export function judgeCreatesOf(
  target: Observed,
  names: readonly (string | null | undefined)[],
  input: OpenInput,
): readonly Verdict[] {
  const { accountId, kind, live } = target;
  const isOfIt = (create: OpenCreate) =>
    create.accountId === accountId &&
    create.address.kind === kind &&
    (names.includes(create.address.name) || create.supersedes.includes(live.id));
  const open = input.knowledge.open.filter((entry) => entry.call === 'create' && isOfIt(entry));
  return open.length === 0 ? [] : judgeOpen({ ...input, knowledge: { ...input.knowledge, open } });
}

/** Says before a stop which objects it does not affect: those that earlier runs may have created without an answer. */
export function warnOfOpenCreates(
  { report }: Pick<ReconcilePorts, 'report'>,
  { kind, action, liveId }: Wish,
  { creates, observed }: { readonly creates: readonly Verdict[]; readonly observed: readonly Observed[] },
): void {
  if (action === 'activate' || action === 'resume') return;
  for (const { entry, conclusion, found } of creates) {
    const stop: StoppedName = { kind, action, name: entry.address.name, account: entry.address.account };
    if (conclusion === null) report({ kind: 'create-without-end', stop });
    const ids = new Set([conclusion?.live_id, ...found.map(({ live }) => live.id)]);
    for (const object of observed)
      if (ids.has(object.live.id) && object.live.id !== liveId && runs(object))
        report({ kind: 'created-meanwhile', stop, liveId: object.live.id });
  }
}

function runs({ kind, live }: Observed): boolean {
  return STATUS_TRAITS[KIND_ROWS[kind].statusOf(live)].runs;
}
