import { markdownName } from '../render/markdown-escape.ts';

/** Another open pull request of the same workspace. */
export interface Neighbour {
  readonly pullRequest: number;
  /** What it changes, as addresses; null if they are too many for its comment. */
  readonly addresses: readonly string[] | null;
}

/** How a provider writes the number of a pull request. */
export type NumberSign = '#' | '!';

/** More addresses make a notice hard to read. */
const ADDRESSES_MAX = 10;

/** The addresses that both change. */
function sharedAddresses(own: readonly string[], { addresses }: Neighbour): readonly string[] {
  const theirs = new Set(addresses ?? []);
  return own.filter((address) => theirs.has(address)).toSorted();
}

/** The notice about another pull request that changes the same addresses. Null if it does not. */
export function noticeOf(own: readonly string[], neighbour: Neighbour, sign: NumberSign): string | null {
  const start = noticeStart(neighbour.pullRequest, sign);
  if (neighbour.addresses === null)
    return own.length === 0
      ? null
      : `${start} changes too many resources to compare. If it is merged first, the plan of this one may change.`;
  const shared = sharedAddresses(own, neighbour);
  if (shared.length === 0) return null;
  const names = shared.slice(0, ADDRESSES_MAX).map(markdownName).join(', ');
  const more = shared.length > ADDRESSES_MAX ? ` and ${shared.length - ADDRESSES_MAX} more` : '';
  return `${start} changes the same: ${names}${more}. After one is merged, these resources have to be planned and reviewed again in the other.`;
}

/** The notices of another comment, with the right one about this pull request. Null if they stay the same. */
export function noticesWith(
  notices: readonly string[],
  pullRequest: number,
  notice: string | null,
  sign: NumberSign,
): readonly string[] | null {
  const others = notices.filter((one) => !one.startsWith(`${noticeStart(pullRequest, sign)} `));
  const wanted = notice === null ? others : [...others, notice];
  return wanted.length === notices.length && wanted.every((one) => notices.includes(one)) ? null : wanted;
}

function noticeStart(pullRequest: number, sign: NumberSign): string {
  return `> **${sign}${pullRequest}**`;
}
