import type { BroadcastContent } from '../../src/domain/broadcast.ts';
import type { CampaignContent } from '../../src/domain/campaign.ts';
import { isFileAttachment } from '../../src/domain/media.ts';
import type { DeclaredMessage } from '../../src/domain/message.ts';
import type { BroadcastReply, CampaignReply, ObservedMessage } from '../../src/domain/replies.ts';
import type {
  Address,
  DeclaredBroadcast,
  DeclaredCampaign,
  ObservedBroadcast,
  ObservedCampaign,
} from '../../src/domain/resource.ts';

/** The accounts of the tests: alias and id. */
export const ACCOUNT_IDS: Readonly<Record<string, string>> = { alice: '101', bob: '102' };

const SOURCE = { file: 'campaigns/all.yaml', line: 3, column: 5 };

type Spot = Partial<Pick<Address, 'account' | 'name'>>;

/** A declared campaign; its address and its content stand next to its own members. */
export function aCampaign(
  parts: Spot &
    Partial<CampaignContent> &
    Partial<Omit<DeclaredCampaign, 'address' | 'content' | 'kind'>> = {},
): DeclaredCampaign {
  const {
    account = 'alice',
    name = 'Welcome',
    source,
    timezone,
    renamedFrom,
    protect,
    ignore,
    target,
    replace,
    oldQueue,
    ...content
  } = parts;
  return {
    kind: 'campaign',
    address: { account, kind: 'campaign', name },
    source: source ?? SOURCE,
    timezone: timezone ?? null,
    renamedFrom: renamedFrom ?? null,
    protect: protect ?? false,
    ignore: ignore ?? [],
    target: target ?? 'active',
    replace: replace ?? 'pause_first',
    oldQueue: oldQueue ?? 'keep',
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
export function aBroadcast(
  parts: Spot &
    Partial<BroadcastContent> &
    Partial<Omit<DeclaredBroadcast, 'address' | 'content' | 'kind'>> = {},
): DeclaredBroadcast {
  const {
    account = 'alice',
    name = 'Teaser',
    source,
    timezone,
    renamedFrom,
    protect,
    ignore,
    target,
    scheduledAtUtc,
    ...content
  } = parts;
  return {
    kind: 'broadcast',
    address: { account, kind: 'broadcast', name },
    source: source ?? SOURCE,
    timezone: timezone ?? null,
    renamedFrom: renamedFrom ?? null,
    protect: protect ?? false,
    ignore: ignore ?? [],
    target: target ?? 'scheduled',
    scheduledAtUtc: scheduledAtUtc ?? '2026-06-01T18:00:00Z',
    content: { audience_filters: [], messages: [{ text: 'Tomorrow' }], ...content },
  };
}

/** An observed campaign that compares equal to `aCampaign()`. */
export function aLiveCampaign(parts: { account?: string } & Partial<CampaignReply> = {}): ObservedCampaign {
  const { account = 'alice', ...live } = parts;
  return {
    kind: 'campaign',
    account,
    accountId: ACCOUNT_IDS[account] ?? account,
    live: {
      id: '1',
      name: 'Welcome',
      status: 'active',
      trigger: 'welcome_message',
      action: 'send_message',
      rules: {},
      audience_filters: [],
      messages: [{ step: 0, text: 'Hey', price_gross: 0, delay_sec: 0, attachments: [] }],
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
      id: '1',
      name: 'Teaser',
      status: 'scheduled',
      pause_reason: live.status === 'paused' ? 'manual' : null,
      scheduled_at: '2026-06-01T18:00:00Z',
      scheduled_at_timezone: 'UTC',
      rules: {},
      audience_filters: [],
      messages: [{ step: 0, text: 'Tomorrow', price_gross: 0, delay_sec: 0, attachments: [] }],
      ...live,
    },
  };
}

/** Messages as a list shows them, once their media have ids. */
export function served(messages: readonly DeclaredMessage[]): ObservedMessage[] {
  return messages.map(({ attachments = [], ...message }) => ({
    ...message,
    attachments: attachments.map((attachment) => {
      if (isFileAttachment(attachment)) throw new Error('a file has no id before it is uploaded');
      const { id, type, is_paid } = attachment;
      return { id, type, is_paid };
    }),
  }));
}
