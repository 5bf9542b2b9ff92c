import { formatAddress, type Observed } from '../domain/resource.ts';
import { isStopped, STATUS_TRAITS, statusOf } from '../domain/status.ts';
import { indexRows, keyByAlias } from '../plan/facts.ts';
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
  const isOpen = ({ accountId, kind, live }: Observed) =>
    open.some((one) => one.account_id === accountId && one.kind === kind && one.live_id === live.id);
  return observed.flatMap((one): readonly Fact[] => {
    const { accountId, kind, live } = one;
    const row = rowOf(one);
    if (row === null || isOpen(one) || live.status == null) return [];
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
  const objects = new Map(facts.observed.map((one) => [keyByAlias(one, one.live.id), one]));
  const rowOf = indexRows(facts.known.objects);
  return plan.changes.flatMap(({ action, address, live_id: liveId }): readonly Fact[] => {
    const resource = declared.get(formatAddress(address));
    const object = objects.get(keyByAlias(address, liveId));
    if (action !== 'keep' || object === undefined || resource === undefined) return [];
    const { name } = address;
    const row = rowOf(object);
    const ours = row?.ours === 1 || facts.allow.has('adopt') ? (1 as const) : (0 as const);
    const protect = resource.protect ? (1 as const) : (0 as const);
    if (row === null && ours === 0) return [];
    if (row !== null && row.ours === ours && row.protect === protect && row.name === name) return [];
    const { accountId, kind, live } = object;
    const key = { account_id: accountId, kind, live_id: live.id };
    return [{ kind: 'object', object: { ...key, name, ours, protect } }];
  });
}
