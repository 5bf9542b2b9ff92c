import type { BroadcastsPerDay } from '../domain/policy.ts';
import { compareText } from '../domain/diagnostic.ts';
import { formatAddress, type Declared, type DeclaredBroadcast } from '../domain/resource.ts';
import { groupBy } from '../domain/group-by.ts';
import type { Breach, PolicyCase } from './policy-case.ts';

/** One broadcast of a day; `resource` is null for what can not be blamed: it has left, or stands in no file. */
interface Entry {
  readonly account: string;
  readonly name: string;
  readonly atUtc: string;
  readonly resource: DeclaredBroadcast | null;
}

/**
 * Broadcasts of an account beyond the first few of a day. What has left and what waits in no file counts
 * first, because no change of the files takes it back.
 */
export function broadcastsPerDay(
  the: PolicyCase,
  toBeSent: readonly Declared[],
  { limit, timezone }: BroadcastsPerDay,
): readonly Breach[] {
  // Written as ISO dates are, and made once, because looking up a zone is slow.
  const day = new Intl.DateTimeFormat('sv-SE', { timeZone: timezone, dateStyle: 'short' });
  const entries = entriesOf(the, toBeSent);
  const days = groupBy(entries, ({ account, atUtc }) => `${account} ${day.format(new Date(atUtc))}`);
  return [...days].flatMap(([key, all]) => {
    if (all.length <= limit) return [];
    const when = key.slice(key.lastIndexOf(' ') + 1);
    return all
      .toSorted(compareEntries)
      .slice(limit)
      .flatMap(({ account, resource }) => {
        if (resource === null) return [];
        const number = `${all.length} broadcast${all.length === 1 ? '' : 's'}`;
        const message = `${account} has ${number} on ${when} in ${timezone}, more than policy.max_broadcasts_per_day ${limit}. Move it to another day.`;
        return [{ resource, path: ['scheduled_at'], message }];
      });
  });
}

function entriesOf({ declared, undeclared, sent }: PolicyCase, toBeSent: readonly Declared[]): Entry[] {
  const own = (resource: DeclaredBroadcast, blamed: boolean): Entry => ({
    account: resource.address.account,
    name: resource.address.name,
    atUtc: resource.scheduledAtUtc,
    resource: blamed ? resource : null,
  });
  return [
    ...undeclared.flatMap(({ account, live }) =>
      live.scheduled_at == null
        ? []
        : [{ account, name: live.name ?? '', atUtc: live.scheduled_at, resource: null }],
    ),
    ...declared.flatMap((resource) =>
      resource.kind === 'broadcast' && sent.has(formatAddress(resource.address))
        ? [own(resource, false)]
        : [],
    ),
    ...toBeSent.flatMap((resource) => (resource.kind === 'broadcast' ? [own(resource, true)] : [])),
  ];
}

function compareEntries(left: Entry, right: Entry): number {
  return (
    Number(left.resource !== null) - Number(right.resource !== null) ||
    Date.parse(left.atUtc) - Date.parse(right.atUtc) ||
    compareText(left.name, right.name)
  );
}
