import type { Change } from '../domain/change.ts';
import { formatAddress } from '../domain/resource.ts';
import { shortenMiddle } from './shorten.ts';
import { span, type Span } from './spans.ts';
import { goesLive, isIrreversible } from './summary.ts';
import { visible } from '../domain/visible.ts';
import { WORDS } from './wording.ts';

/** Names per line: the changes themselves stand above. */
const NAMES_MAX = 5;
const ADDRESS_COLUMNS_MAX = 60;

/** The lines above the count: what a person must have seen before saying yes. */
export function attention(changes: readonly Change[]): readonly (readonly Span[])[] {
  const irreversible = changes.filter(isIrreversible);
  const blocked = changes.filter(({ action }) => action === 'blocked');
  const reaches = [...new Set(changes.map(goesLive))].filter((reach) => reach !== null).toSorted();
  return [
    ...line(`! ${irreversible.length} cannot be undone: `, 'loud', irreversible, (change) => {
      return `${WORDS.plan[change.action].label} ${addressText(change)}`;
    }),
    ...line(`! ${blocked.length} blocked: `, 'loud', blocked, (change) => {
      const needs = change.needs.map((name) => `--allow ${name}`).join(' ');
      return addressText(change) + (needs === '' ? '' : ` (${needs})`);
    }),
    ...reaches.flatMap((reach) => {
      const live = changes.filter((change) => goesLive(change) === reach);
      return line(`* ${live.length} ${reach}: `, 'warn', live, addressText);
    }),
  ];
}

function line(
  opening: string,
  tone: 'loud' | 'warn',
  changes: readonly Change[],
  describe: (change: Change) => string,
): readonly (readonly Span[])[] {
  if (changes.length === 0) return [];
  const names = changes.slice(0, NAMES_MAX).map(describe).join(', ');
  const more = changes.length > NAMES_MAX ? ` and ${changes.length - NAMES_MAX} more` : '';
  return [[span(opening, tone), span(names + more)]];
}

function addressText(change: Change): string {
  return shortenMiddle(visible(formatAddress(change.address)), ADDRESS_COLUMNS_MAX);
}
