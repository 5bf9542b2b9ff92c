import type { Change } from '../domain/change.ts';
import { formatAddress } from '../domain/resource.ts';
import { joined, shown, type Visible, visible } from '../domain/visible.ts';
import { shortenMiddle } from './shorten.ts';
import { span, type Span } from './spans.ts';
import { goesLive, isIrreversible } from './summary.ts';
import { WORDS } from './wording.ts';

/** Names per line. The changes themselves are shown above. */
const NAMES_MAX = 5;
const ADDRESS_COLUMNS_MAX = 60;

/** The lines above the count: what a person must see before a yes. */
export function attention(changes: readonly Change[]): readonly (readonly Span[])[] {
  const irreversible = changes.filter(isIrreversible);
  const blocked = changes.filter(({ action }) => action === 'blocked');
  const reaches = [...new Set(changes.map(goesLive))].filter((reach) => reach !== null).toSorted();
  return [
    ...line(shown`! ${irreversible.length} cannot be undone: `, 'loud', irreversible, (change) => {
      return shown`${WORDS.plan[change.action].label} ${addressText(change)}`;
    }),
    ...line(shown`! ${blocked.length} blocked: `, 'loud', blocked, (change) => {
      const needs = change.needs.map((name) => `--allow ${name}`).join(' ');
      return shown`${addressText(change)}${needs === '' ? '' : ` (${needs})`}`;
    }),
    ...reaches.flatMap((reach) => {
      const live = changes.filter((change) => goesLive(change) === reach);
      return line(shown`* ${live.length} ${reach}: `, 'warn', live, addressText);
    }),
  ];
}

function line(
  opening: Visible,
  tone: 'loud' | 'warn',
  changes: readonly Change[],
  describe: (change: Change) => Visible,
): readonly (readonly Span[])[] {
  if (changes.length === 0) return [];
  const names = joined(changes.slice(0, NAMES_MAX).map(describe), ', ');
  const more = changes.length > NAMES_MAX ? ` and ${changes.length - NAMES_MAX} more` : '';
  return [[span(opening, tone), span(shown`${names}${more}`)]];
}

function addressText(change: Change): Visible {
  return shortenMiddle(visible(formatAddress(change.address)), ADDRESS_COLUMNS_MAX);
}
