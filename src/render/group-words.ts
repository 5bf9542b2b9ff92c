import { canonical } from '../domain/digest.ts';
import { joined, quoted, shown, type Visible, visible } from '../domain/visible.ts';
import { accountList, listText } from './groups/account-list.ts';
import type { ByAccount, ChangeGroup, GroupSlot } from './groups/change-groups.ts';
import { valueText } from './difference.ts';
import { shortenMiddle } from './shorten.ts';
import type { Zone } from './time-words.ts';

/** How to show a group: the accounts of the whole plan, and the zone of its times. */
export interface GroupView {
  /** All accounts of the plan, sorted. `acc00 … acc59` means all of them in between. */
  readonly accounts: readonly string[];
  readonly zone: Zone;
  /** Lists of words by account that are drawn already, with their places. Long ones are not drawn again. */
  readonly drawnSlots?: Map<string, Visible>;
}

const ACCOUNT_COLUMNS_MAX = 60;
const VALUE_COLUMNS_MAX = 160;
const NAME_COLUMNS_MAX = 60;

/** `acc00 … acc59 except acc07`, `alice, bob`. */
export function accountWords(some: readonly string[], all: readonly string[]): Visible {
  return visible(listText(accountList(some, all), accountName));
}

function accountName(name: string): Visible {
  return shortenMiddle(visible(name), ACCOUNT_COLUMNS_MAX);
}

/** A line about what differs by account. */
interface DifferenceLine {
  readonly text: Visible;
  /** Belongs to the line above it. */
  readonly below: boolean;
}

/** What differs by account: words in the fields, short values, and ids in the reasons. */
export function differenceLines(group: ChangeGroup, view: GroupView): readonly DifferenceLine[] {
  return [
    ...group.slots.flatMap((slot) => {
      const { number, values } = slot;
      const place = placeOf(slot, group, view);
      if (place !== null) return [above(shown`{{${number}}}: as ${place}`)];
      const words = values.map((one) => onAccounts(quotedValue(one.value), one, view));
      return listed(shown`{{${number}}}`, words);
    }),
    ...group.varying.flatMap(({ path, values }) => {
      const words = values.map((one) => onAccounts(pairWords(path, one.value, group, view), one, view));
      return listed(visible(path), words);
    }),
    ...idLines(group).map(above),
  ];
}

/** Where a long list of words was drawn, or null if it is drawn now: `{{1}} of "Welcome"`. */
function placeOf(
  { number, values }: GroupSlot,
  { shared }: ChangeGroup,
  { drawnSlots }: GroupView,
): Visible | null {
  if (drawnSlots === undefined || values.length <= REPEATED_MAX) return null;
  const key = canonical(values);
  const place = drawnSlots.get(key);
  if (place !== undefined) return place;
  drawnSlots.set(
    key,
    shown`{{${number}}} of ${shortenMiddle(quoted(shared.address.name), NAME_COLUMNS_MAX)}`,
  );
  return null;
}

/** Up to this many values are listed again. */
const REPEATED_MAX = 3;

/** Up to this many values have a line each. */
const VALUE_LINES_MAX = 12;

/** A label with its values: few of them below it, many behind it. */
function listed(label: Visible, values: readonly Visible[]): readonly DifferenceLine[] {
  if (values.length > VALUE_LINES_MAX) return [above(joined([label, shown`: `, joined(values, ' · ')], ''))];
  return [above(shown`${label}:`), ...values.map((text) => ({ text, below: true }))];
}

function above(text: Visible): DifferenceLine {
  return { text, below: false };
}

/** `"Alice" on alice, zoe`. */
function onAccounts(value: Visible, { accounts }: ByAccount<unknown>, { accounts: all }: GroupView): Visible {
  return joined([value, shown` on `, accountWords(accounts, all)], '');
}

function quotedValue(text: string): Visible {
  return shortenMiddle(quoted(text), VALUE_COLUMNS_MAX);
}

function pairWords(
  path: string,
  value: { readonly old: unknown; readonly new: unknown },
  { shared }: ChangeGroup,
  { zone }: GroupView,
): Visible {
  const wanted = valueText(path, value.new, zone);
  if (shared.action === 'create' && value.old === null) return wanted;
  return joined([valueText(path, value.old, zone), wanted], ' → ');
}

/** The ids that the reasons name, by account. */
function idLines({ changes, ids }: ChangeGroup): readonly Visible[] {
  const first = ids[0] ?? [];
  return first.map((_, index) => {
    const label = first.length === 1 ? '<id>' : `<id ${index + 1}>`;
    const each = changes.map(({ address }, change) => {
      return shown`${accountName(address.account)} ${ids[change]?.[index] ?? '-'}`;
    });
    return joined([shown`${label} is: `, joined(each, ', ')], '');
  });
}
