import type { CampaignContent } from '../domain/campaign.ts';
import type { ContentMatch, OpenCreate, WantedContent } from '../domain/knowledge.ts';
import type { Declared, Kind, Observed } from '../domain/resource.ts';
import { digestInPlaceOf, isTextDigest } from '../domain/stored-text.ts';
import { compare } from './compare/compare.ts';
import { inOrder } from './compare/messages.ts';

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
  const asked = ASKED[address.kind](withTextsOf(object, wanted));
  const comparison = compare({ ...base, ...asked }, object, null);
  if (comparison.verdict !== 'different') return comparison.verdict === 'equal' ? 'equal' : null;
  return comparison.fields.every(({ path }) => TEXT.test(path)) ? 'reworded' : 'other';
}

/** A ledger without texts has their digests. Where the live text has the same digest, it is the text that was asked for. */
function withTextsOf({ live }: Observed, wanted: WantedContent): WantedContent {
  const texts = inOrder(live.messages ?? []).map(({ text }) => text ?? '');
  const messages = wanted.content.messages.map((message, index) => {
    const text = texts[index];
    const isSame = text !== undefined && isTextDigest(message.text) && digestInPlaceOf(text) === message.text;
    return isSame ? { ...message, text } : message;
  });
  return { ...wanted, content: { ...wanted.content, messages } };
}
