import { writes, type Change } from '../domain/change.ts';
import { formatAddress } from '../domain/resource.ts';

/**
 * Whether an agreed change covers a later one: the same address, and no object but those of the agreed change and those
 * that the run made for it. The caller has compared the declared digest. A start of an agreed change that only stops is not
 * covered, and neither is a recall that was not agreed to.
 */
export function isRemainder(agreed: Change, next: Change, madeIds: ReadonlySet<string>): boolean {
  if (!writes(agreed) || formatAddress(agreed.address) !== formatAddress(next.address)) return false;
  const own = new Set([...collectIds(agreed), ...madeIds]);
  const kinds = new Set(agreed.steps.map(({ kind }) => kind));
  const isAgreed = next.steps.every(
    ({ kind, live_id: id }) =>
      kinds.has(kind) ||
      kind === 'read_back' ||
      kind === 'check_not_left' ||
      kind === 'upload' ||
      // A copy that the run made is stopped.
      (id !== null && madeIds.has(id) && (kind === 'pause' || kind === 'archive')),
  );
  return isAgreed && collectIds(next).every((id) => own.has(id));
}

function collectIds({ live_id: id, steps }: Change): readonly string[] {
  return [id, ...steps.map((step) => step.live_id)].filter((one) => one !== null);
}
