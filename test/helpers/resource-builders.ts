import type { DeclaredMessage } from '../../src/domain/content.ts';
import type { BroadcastReply, CampaignReply, ObservedMessage } from '../../src/domain/replies.ts';
import type {
  Address,
  Declared,
  DeclaredBroadcast,
  DeclaredCampaign,
  ObservedBroadcast,
  ObservedCampaign,
} from '../../src/domain/resource.ts';

/** The accounts of the tests: alias and id. */
export const ACCOUNT_IDS: Readonly<Record<string, string>> = { alice: '101', bob: '102' };

const SOURCE = { file: 'campaigns/all.yaml', line: 3, column: 5 };

type Spot = Partial<Pick<Address, 'account' | 'name'>>;

type Parts<Resource extends Declared> = Spot &
  Partial<Resource['content']> &
  Partial<Omit<Resource, 'address' | 'content' | 'kind'>>;

/** The members of a declared resource that are not its content. */
const OWN: readonly string[] =
  'source timezone renamedFrom protect ignore target replace oldQueue scheduledAtUtc'.split(' ');

/** The parts that are members of the resource itself, and those of its content. */
function divide(parts: object): { readonly own: object; readonly content: object } {
  const all = Object.entries(parts);
  return {
    own: Object.fromEntries(all.filter(([name]) => OWN.includes(name))),
    content: Object.fromEntries(all.filter(([name]) => !OWN.includes(name))),
  };
}

const SHARED = { source: SOURCE, timezone: null, renamedFrom: null, protect: false, ignore: [] };

/** A declared campaign; its address and its content stand next to its own members. */
export function aCampaign(parts: Parts<DeclaredCampaign> = {}): DeclaredCampaign {
  const { account = 'alice', name = 'Welcome', ...rest } = parts;
  const { own, content } = divide(rest);
  return {
    kind: 'campaign',
    address: { account, kind: 'campaign', name },
    ...SHARED,
    target: 'active',
    replace: 'pause_first',
    oldQueue: 'keep',
    ...own,
    content: {
      trigger: 'welcome_message',
      action: 'send_message',
      audience_filters: [],
      messages: [{ text: 'Hey' }],
      ...content,
    },
  };
}

/** A declared broadcast, scheduled for the first of June 2026 at 18:00. */
export function aBroadcast(parts: Parts<DeclaredBroadcast> = {}): DeclaredBroadcast {
  const { account = 'alice', name = 'Teaser', ...rest } = parts;
  const { own, content } = divide(rest);
  return {
    kind: 'broadcast',
    address: { account, kind: 'broadcast', name },
    ...SHARED,
    target: 'scheduled',
    scheduledAtUtc: '2026-06-01T18:00:00Z',
    ...own,
    content: { audience_filters: [], messages: [{ text: 'Tomorrow' }], ...content },
  };
}

const liveMessages = (text: string) => [{ step: 0, text, price_gross: 0, delay_sec: 0, attachments: [] }];
const LIVE = { id: '1', rules: {}, audience_filters: [] };

/** An observed campaign that compares equal to `aCampaign()`. */
export function aLiveCampaign(parts: { account?: string } & Partial<CampaignReply> = {}): ObservedCampaign {
  const { account = 'alice', ...live } = parts;
  return {
    kind: 'campaign',
    account,
    accountId: ACCOUNT_IDS[account] ?? account,
    live: {
      ...LIVE,
      name: 'Welcome',
      status: 'active',
      trigger: 'welcome_message',
      action: 'send_message',
      messages: liveMessages('Hey'),
      ...live,
    },
  };
}

/** An observed broadcast that compares equal to `aBroadcast()`. */
export function aLiveBroadcast(
  parts: { account?: string } & Partial<BroadcastReply> = {},
): ObservedBroadcast {
  const { account = 'alice', ...live } = parts;
  return {
    kind: 'broadcast',
    account,
    accountId: ACCOUNT_IDS[account] ?? account,
    live: {
      ...LIVE,
      name: 'Teaser',
      status: 'scheduled',
      pause_reason: live.status === 'paused' ? 'manual' : null,
      scheduled_at: '2026-06-01T18:00:00Z',
      scheduled_at_timezone: 'UTC',
      messages: liveMessages('Tomorrow'),
      ...live,
    },
  };
}

/** Messages as a list shows them, once their media have ids. */
export function served(messages: readonly DeclaredMessage[]): ObservedMessage[] {
  return messages.map(({ attachments = [], ...message }) => ({
    ...message,
    attachments: attachments.map((attachment) => {
      if (!('id' in attachment)) throw new Error('a file has no id before it is uploaded');
      const { id, type, is_paid } = attachment;
      return { id, type, is_paid };
    }),
  }));
}
