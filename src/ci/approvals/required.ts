import type { ApprovalRule } from '../../domain/approval.ts';
import { writes, type Change, type WritingKind } from '../../domain/change.ts';
import { formatAddress, type Declared } from '../../domain/resource.ts';
import { fits, patternOf } from '../../plan/targets.ts';

/** A rule that changes of a plan need. */
export interface RequiredApproval {
  readonly rule: ApprovalRule;
  /** The addresses that it is about, sorted and without repetition. */
  readonly addresses: readonly string[];
}

type Judged = Pick<Change, 'address' | 'action' | 'reversible'>;

/** After these, messages of the declared content go out. */
const SENDING: readonly WritingKind[] = ['create', 'replace', 'activate', 'resume'];

/** The rules that these changes need, in the order of `herald.yaml`. Changes that write nothing need none. */
export function requiredApprovals(
  rules: readonly ApprovalRule[],
  changes: readonly Judged[],
  declared: readonly Declared[],
): readonly RequiredApproval[] {
  const contents = new Map(declared.map((resource) => [formatAddress(resource.address), resource]));
  const writing = changes.filter(writes);
  return rules.flatMap((rule) => {
    const pattern = patternOf(rule.match);
    const about = writing.filter(
      (change) =>
        fits(pattern, change.address) &&
        meets(rule, change, contents.get(formatAddress(change.address)) ?? null),
    );
    const addresses = [...new Set(about.map(({ address }) => formatAddress(address)))].toSorted();
    return addresses.length === 0 ? [] : [{ rule, addresses }];
  });
}

/**
 * Whether the conditions of a rule hold. Content counts only where it goes out: a stop of an expensive message needs no
 * approval for its price. If something goes out and its content is not known, the conditions hold.
 */
function meets({ when }: ApprovalRule, { action, reversible }: Judged, content: Declared | null): boolean {
  const { irreversible, priceGrossAbove, actions, everyone } = when;
  if (irreversible && reversible) return false;
  if (actions !== null && !actions.some((one) => one === action)) return false;
  const asksForContent = priceGrossAbove !== null || everyone;
  if (!asksForContent) return true;
  if (!SENDING.some((one) => one === action)) return false;
  if (content === null) return true;
  const { messages, audience_filters: filters } = content.content;
  if (everyone && filters.length > 0) return false;
  return priceGrossAbove === null || messages.some(({ price_gross: price = 0 }) => price > priceGrossAbove);
}
