import type { CampaignContent } from '../domain/campaign.ts';
import type { Likeness, OpenCreate } from '../domain/knowledge.ts';
import type { Declared, Observed } from '../domain/resource.ts';
import { compare } from './compare/compare.ts';

/** Texts are what a service rewrites: it trims them, or shortens their links. */
const TEXT = /^messages\[\d+\]\.text$/;

/**
 * Whether a live object is what a lost create asked for, the same with other texts, or a stranger's of the same name
 * (ERROR-9); null when its content or the ledger does not tell.
 */
export function likenessTo({ address, wanted }: OpenCreate, object: Observed): Likeness | null {
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
  const comparison = compare(asked, object, null);
  if (comparison.verdict !== 'different') return comparison.verdict === 'equal' ? 'equal' : null;
  return comparison.fields.every(({ path }) => TEXT.test(path)) ? 'reworded' : 'other';
}
