import type { CampaignContent } from '../domain/campaign.ts';
import type { ContentMatch, OpenCreate, WantedContent } from '../domain/knowledge.ts';
import type { Declared, Kind, Observed } from '../domain/resource.ts';
import { compare } from './compare/compare.ts';

type Asked = DistributiveOmit<
  Declared,
  'address' | 'timezone' | 'renamedFrom' | 'protect' | 'ignore' | 'source'
>;
type DistributiveOmit<Of, Keys extends PropertyKey> = Of extends unknown ? Omit<Of, Keys> : never;

/** What a create asked for, as a file would declare it. */
const ASKED: Readonly<Record<Kind, (wanted: WantedContent) => Asked>> = {
  campaign: ({ content }) => ({
    kind: 'campaign',
    target: 'active',
    content: content as CampaignContent,
    replace: 'pause_first',
    oldQueue: 'keep',
  }),
  broadcast: ({ content, scheduledAtUtc }) => ({
    kind: 'broadcast',
    target: 'scheduled',
    content,
    scheduledAtUtc: scheduledAtUtc ?? '',
  }),
};

/** Texts are what a service rewrites: it trims them, or shortens their links. */
const TEXT = /^messages\[\d+\]\.text$/;

/**
 * Whether a live object is what a lost create asked for, the same with other texts, or a stranger's of the same name
 * (ERROR-9); null when its content or the ledger does not tell.
 */
export function contentMatchWith(
  { address, wanted }: Pick<OpenCreate, 'address' | 'wanted'>,
  object: Observed,
): ContentMatch | null {
  if (wanted === null) return null;
  const base = {
    address,
    timezone: null,
    renamedFrom: null,
    protect: false,
    ignore: [],
    source: { file: '', line: 0, column: 0 },
  };
  const comparison = compare({ ...base, ...ASKED[address.kind](wanted) }, object, null);
  if (comparison.verdict !== 'different') return comparison.verdict === 'equal' ? 'equal' : null;
  return comparison.fields.every(({ path }) => TEXT.test(path)) ? 'reworded' : 'other';
}
