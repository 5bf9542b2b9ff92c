import { hiddenDigest } from '../../src/domain/hidden.ts';
import type { BroadcastContent } from '../../src/domain/broadcast.ts';
import type { CampaignContent } from '../../src/domain/campaign.ts';
import { contentDigest, isFileAttachment, NO_MEDIA } from '../../src/domain/media.ts';
import type { DeclaredMessage } from '../../src/domain/message.ts';
import {
  objectKey,
  type Knowledge,
  type KnownObject,
  type OpenCreate,
  type OpenEntry,
  type OpenStatus,
  type OpenUnsend,
} from '../../src/domain/knowledge.ts';
import type { BroadcastReply, CampaignReply, ObservedMessage } from '../../src/domain/replies.ts';
import type {
  Address,
  Declared,
  DeclaredBroadcast,
  DeclaredCampaign,
  Kind,
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

type Known = Partial<KnownObject> & { readonly id: string };

/** What the ledger knows: of campaigns and broadcasts by id, of creators, of open entries. */
export function knowing(
  parts: {
    campaigns?: readonly Known[];
    broadcasts?: readonly Known[];
    creators?: readonly string[];
    open?: readonly OpenEntry[];
  } = {},
): Knowledge {
  const known = [
    ...(parts.campaigns ?? []).map((object) => aKnown('campaign', 'Welcome', object)),
    ...(parts.broadcasts ?? []).map((object) => aKnown('broadcast', 'Teaser', object)),
  ];
  return {
    objects: new Map(known.map((object) => [objectKey(object.accountId, object.kind, object.id), object])),
    creators: new Set(parts.creators ?? []),
    open: parts.open ?? [],
    media: NO_MEDIA,
    handStops: new Set(),
  };
}

function aKnown(kind: Kind, name: string, parts: Known): KnownObject {
  return {
    accountId: '101',
    kind,
    name,
    createdByHerald: true,
    ours: true,
    isProtected: false,
    contentDigest: null,
    hiddenDigest: null,
    listIds: null,
    pausedFor: null,
    pausedAtMs: null,
    supersededBy: null,
    recalled: false,
    recallRefused: false,
    media: null,
    rewrites: [],
    createdBy: null,
    createLeftMs: null,
    createdAs: null,
    ...parts,
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

/** What the ledger notes of a create: the digests of exactly this content. */
export function createdFrom({ content }: Declared): Pick<KnownObject, 'contentDigest' | 'hiddenDigest'> {
  return { contentDigest: contentDigest(content), hiddenDigest: hiddenDigest(content.audience_filters) };
}

/** An open create of `declared`. */
export function anOpenEntry(declared: Declared, parts: Partial<OpenCreate> = {}): OpenCreate {
  return {
    ...anOpenRequest(declared, parts.sentAtMs),
    call: 'create',
    liveId: null,
    maybeMade: null,
    supersedes: [],
    wanted: null,
    contentDigest: contentDigest(declared.content),
    baseline: [],
    ...parts,
  };
}

/** An open change of the status of `liveId`. */
export function anOpenStatus(
  declared: Declared,
  { liveId, target, sentAtMs }: Pick<OpenStatus, 'liveId' | 'target' | 'sentAtMs'>,
): OpenStatus {
  const request = anOpenRequest(declared, sentAtMs);
  return { ...request, call: 'status', liveId, target, targetText: target, purpose: null };
}

/** An open recall of `liveId`. */
export function anOpenUnsend(declared: Declared, liveId: string, sentAtMs = 0): OpenUnsend {
  return { ...anOpenRequest(declared, sentAtMs), call: 'unsend', liveId };
}

function anOpenRequest({ address }: Declared, sentAtMs = 0) {
  const accountId = ACCOUNT_IDS[address.account] ?? '';
  return { entry: 'run1-1', address, accountId, skewMs: 0, notedAtMs: sentAtMs, sentAtMs };
}
