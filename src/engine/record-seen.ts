import { formatAddress } from '../domain/resource.ts';
import { isStopped, STATUS_TRAITS, statusOf } from '../domain/status.ts';
import { indexRows, keyOfObserved, keyOfRow, objectKey } from '../plan/facts.ts';
import type { Fact } from '../state/shapes.ts';
import type { Look } from './look.ts';
import type { Run } from './run.ts';

type Seen = Pick<Look, 'plan' | 'facts'>;

/**
 * What an apply learns from its look before it changes anything: what people have started or stopped since, which accounts the
 * aliases mean, and what is as declared. Losing it costs precision and never safety.
 */
export async function recordSeen({ state }: Pick<Run, 'state'>, seen: Seen): Promise<void> {
  await state.learn([...aliasFacts(seen), ...statusFacts(seen), ...keptFacts(seen)]);
}

function aliasFacts({ facts }: Seen): readonly Fact[] {
  const known = new Map(facts.known.aliases.map(({ alias, account_id: id }) => [alias, id]));
  return facts.accounts
    .filter(({ alias, accountId }) => alias !== accountId && known.get(alias) !== accountId)
    .map(({ alias, accountId }): Fact => ({ kind: 'alias', alias, account_id: accountId }));
}

/**
 * A status other than the one that Herald confirmed last is a person's decision. It is recorded, because a person may set it
 * back later: then it still is that person's. After a lost state, whatever stands still counts so.
 */
function statusFacts({ facts }: Seen): readonly Fact[] {
  const { known, open, observed } = facts;
  const rowOf = indexRows(known.objects);
  const isOpen = new Set(
    open.map(({ account_id: id, kind, live_id: live }) => `${id}/${kind}/${live ?? ''}`),
  );
  return observed.flatMap((one): readonly Fact[] => {
    const { accountId, kind, live } = one;
    const row = rowOf(one);
    if (row === null || isOpen.has(keyOfObserved(one)) || live.status == null) return [];
    const hadStopped = isStopped({ status: row.status_set });
    const hasTurned = STATUS_TRAITS[statusOf(live)].runs ? hadStopped : isStopped(live) && !hadStopped;
    const isDoubtful = known.isCut && isStopped(live);
    if (!hasTurned && !isDoubtful) return [];
    const object = { account_id: accountId, kind, live_id: live.id, name: row.name };
    return [{ kind: 'status', object, status: live.status, by: 'hand', why: null, seq: null }];
  });
}

/** What is as declared: under its present name, protected as the file says, and ours with `--allow adopt`. */
function keptFacts({ plan, facts }: Seen): readonly Fact[] {
  const declared = new Map(facts.declared.map((one) => [formatAddress(one.address), one]));
  const accountId = new Map(facts.accounts.map((account) => [account.alias, account.accountId]));
  const rows = new Map(facts.known.objects.map((row) => [keyOfRow(row), row]));
  return plan.changes.flatMap(({ action, address, live_id: liveId }): readonly Fact[] => {
    const resource = declared.get(formatAddress(address));
    const id = accountId.get(address.account);
    if (action !== 'keep' || liveId === null || resource === undefined || id === undefined) return [];
    const { kind, name } = address;
    const row = rows.get(objectKey({ accountId: id, kind, liveId }));
    const ours = row?.ours === 1 || facts.allow.has('adopt') ? (1 as const) : (0 as const);
    const protect = resource.protect ? (1 as const) : (0 as const);
    if (row === undefined && ours === 0) return [];
    if (row !== undefined && row.ours === ours && row.protect === protect && row.name === name) return [];
    return [{ kind: 'object', object: { account_id: id, kind, live_id: liveId, name, ours, protect } }];
  });
}
