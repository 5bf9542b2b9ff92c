import * as z from 'zod/mini';
import { compareText } from '../../domain/diagnostic.ts';
import { groupBy } from '../../domain/group-by.ts';
import { formatAddress, type Declared, type DeclaredBroadcast } from '../../domain/resource.ts';
import { levelShape, readLimit, settingOf, type Limit, type PolicyCase, type PolicyRule } from '../rule.ts';
import { ZONE_HELP, zoneShape } from '../zone.ts';
import { quietHours } from './quiet-hours.ts';
import { withHelp } from '../../domain/value-shapes.ts';

export interface BroadcastsPerDay extends Limit {
  /** The zone that says when a day begins: an IANA name. */
  readonly timezone: string;
}

const numberShape = z.int().check(z.minimum(0));

const shape = z.union([
  numberShape,
  z.strictObject({
    limit: numberShape,
    timezone: withHelp(`${ZONE_HELP} Default: the zone of quiet_hours, or UTC.`, z.optional(zoneShape)),
    level: levelShape,
  }),
]);
type Written = z.infer<typeof shape>;

/**
 * Broadcasts of an account after the first few of a day. What is sent, and what is scheduled and in no file, counts
 * first, because no change of the files can stop it.
 */
export const broadcastsPerDay = {
  key: 'max_broadcasts_per_day',
  code: 'policy-broadcasts-per-day',
  shape,
  help: 'Broadcasts of one account on one day.',
  default: null,
  read: (written, before) => ({
    ...readLimit(written),
    timezone:
      (typeof written === 'object' ? written.timezone : undefined) ??
      settingOf(quietHours, before)?.timezone ??
      'UTC',
  }),
  describe: ({ limit, timezone }) => `${limit} in ${timezone}`,
  check: (toBeSent, { limit, timezone }, policyCase) => {
    // Written as ISO dates are, and made once, because looking up a zone is slow.
    const day = new Intl.DateTimeFormat('sv-SE', { timeZone: timezone, dateStyle: 'short' });
    const entries = listEntries(policyCase, toBeSent);
    const days = groupBy(entries, ({ account, atUtc }) => `${account} ${day.format(new Date(atUtc))}`);
    return [...days].flatMap(([key, all]) =>
      all
        .toSorted(compareEntries)
        .slice(limit)
        .flatMap(({ account, resource }) => {
          if (resource === null) return [];
          const when = key.slice(key.lastIndexOf(' ') + 1);
          const number = `${all.length} broadcast${all.length === 1 ? '' : 's'}`;
          const message = `${account} has ${number} on ${when} in ${timezone}, more than policy.max_broadcasts_per_day ${limit}. Move it to another day.`;
          return [{ resource, path: ['scheduled_at'], message }];
        }),
    );
  },
} as const satisfies PolicyRule<Written, BroadcastsPerDay>;

/** One broadcast of a day; `resource` is null for what cannot be moved: it is sent, or in no file. */
interface Entry {
  readonly account: string;
  readonly name: string;
  readonly atUtc: string;
  readonly resource: DeclaredBroadcast | null;
}

function listEntries({ declared, undeclared, sent }: PolicyCase, toBeSent: readonly Declared[]): Entry[] {
  const live = undeclared.flatMap(({ account, live: { name, scheduled_at: atUtc } }) =>
    atUtc == null ? [] : [{ account, name: name ?? '', atUtc, resource: null }],
  );
  const listOwn = (resources: readonly Declared[], canMove: boolean) =>
    resources.flatMap((resource): Entry[] => {
      if (resource.kind !== 'broadcast') return [];
      const { account, name } = resource.address;
      return [{ account, name, atUtc: resource.scheduledAtUtc, resource: canMove ? resource : null }];
    });
  const gone = declared.filter(({ address }) => sent.has(formatAddress(address)));
  return [...live, ...listOwn(gone, false), ...listOwn(toBeSent, true)];
}

function compareEntries(left: Entry, right: Entry): number {
  return (
    Number(left.resource !== null) - Number(right.resource !== null) ||
    Date.parse(left.atUtc) - Date.parse(right.atUtc) ||
    compareText(left.name, right.name)
  );
}
