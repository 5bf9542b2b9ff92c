import type { CampaignContent } from '../domain/campaign.ts';
import type { OpenEntry } from '../domain/knowledge.ts';
import type { Declared, Observed } from '../domain/resource.ts';
import { compare } from './compare.ts';

/**
 * Whether a live object is what a lost create asked for, or a stranger's of the same name (rulebook 1.2.4);
 * null when its content or the ledger does not tell.
 */
export function isMadeBy({ address, wanted }: OpenEntry, object: Observed): boolean | null {
  if (wanted === null) return null;
  const base = {
    address,
    renamedFrom: null,
    protect: false,
    ignore: [],
    source: { file: '', line: 0, column: 0 },
  };
  const { content, scheduledAtUtc } = wanted;
  const asked: Declared =
    address.kind === 'campaign'
      ? {
          ...base,
          kind: 'campaign',
          target: 'active',
          content: content as CampaignContent,
          replace: 'pause_first',
          oldQueue: 'keep',
        }
      : { ...base, kind: 'broadcast', target: 'scheduled', content, scheduledAtUtc: scheduledAtUtc ?? '' };
  const { verdict } = compare(asked, object, null);
  return verdict === 'unknowable' ? null : verdict === 'equal';
}
