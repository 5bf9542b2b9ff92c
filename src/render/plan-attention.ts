import { formatAddress, KIND_ROWS } from '../domain/resource.ts';
import { joined, quoted, shown, type Visible, visible } from '../domain/visible.ts';
import { accountsOf, namesOf, type ChangeGroup } from './groups/change-groups.ts';
import { shortenMiddle } from './shorten.ts';
import { span, whole, type Span } from './spans.ts';
import { goesLive, isIrreversible } from './summary.ts';
import { WORDS } from './wording.ts';

/** Names per line. The changes themselves are shown above. */
const NAMES_MAX = 5;
const ADDRESS_COLUMNS_MAX = 60;

/** The lines above the count: what a person must see before a yes. */
export function attention(groups: readonly ChangeGroup[]): readonly (readonly Span[])[] {
  const irreversible = groups.filter(({ shared }) => isIrreversible(shared));
  const blocked = groups.filter(({ shared }) => shared.action === 'blocked');
  const reaches = [...new Set(groups.map(({ shared }) => goesLive(shared)))]
    .filter((reach) => reach !== null)
    .toSorted();
  return [
    ...line('! ', 'cannot be undone', 'loud', irreversible, (group) => {
      return joined([shown`${WORDS.plan[group.shared.action].label} `, targetText(group)], '');
    }),
    ...line('! ', 'blocked', 'loud', blocked, (group) => {
      const needs = group.shared.needs.map((name) => `--allow ${name}`).join(' ');
      return joined([targetText(group), shown`${needs === '' ? '' : ` (${needs})`}`], '');
    }),
    ...reaches.flatMap((reach) => {
      const live = groups.filter(({ shared }) => goesLive(shared) === reach);
      return line('* ', reach, 'warn', live, targetText);
    }),
  ];
}

/** `! 3 blocked: alice/campaign/Summer (--allow resume), campaign "Winter" on 2 accounts: alice, bob`. */
function line(
  mark: string,
  words: string,
  tone: 'loud' | 'warn',
  groups: readonly ChangeGroup[],
  describe: (group: ChangeGroup) => Visible,
): readonly (readonly Span[])[] {
  if (groups.length === 0) return [];
  const number = groups.reduce((sum, { changes }) => sum + changes.length, 0);
  const named = groups.slice(0, NAMES_MAX);
  const more = number - named.reduce((sum, { changes }) => sum + changes.length, 0);
  const names = named.flatMap((group, index): readonly Span[] => [
    ...(index === 0 ? [] : [span(shown`, `)]),
    whole(describe(group)),
  ]);
  const rest = more > 0 ? [span(shown` and ${more} more`)] : [];
  return [[span(shown`${mark}${number} ${words}: `, tone), ...names, ...rest]];
}

/** `alice/campaign/Welcome`, or `campaign "Welcome" on 60 accounts`. */
function targetText(group: ChangeGroup): Visible {
  const [first, ...others] = group.changes;
  if (others.length === 0) return shortenMiddle(visible(formatAddress(first.address)), ADDRESS_COLUMNS_MAX);
  const [name = '', ...more] = namesOf(group);
  const own = accountsOf(group).length;
  const { kind } = first.address;
  const what =
    more.length === 0
      ? joined([shown`${kind} `, shortenMiddle(quoted(name), ADDRESS_COLUMNS_MAX)], '')
      : shown`${more.length + 1} ${KIND_ROWS[kind].plural}`;
  return joined([what, shown` on ${own === 1 ? first.address.account : `${own} accounts`}`], '');
}
