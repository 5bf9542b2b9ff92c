import { CATALOGUE } from '../../api/catalogue.ts';
import { KIND_CALLS, kindCallOf } from '../../api/kind-calls.ts';
import type { BroadcastCreateBody, CampaignCreateBody } from '../../api/rows/messaging.ts';
import type { BroadcastContent } from '../../domain/broadcast.ts';
import type { CampaignContent } from '../../domain/campaign.ts';
import { hiddenDigest } from '../../domain/hidden.ts';
import { objectKey, type WantedContent } from '../../domain/knowledge.ts';
import { contentDigest } from '../../domain/media.ts';
import { nameForm } from '../../domain/name-form.ts';
import type { BroadcastReply, CampaignReply } from '../../domain/replies.ts';
import type { Kind } from '../../domain/resource.ts';
import { isNamed, isPaused, startsSending, statusOf, type TargetStatus } from '../../domain/status.ts';
import type { Conclusion, Intent } from '../../ledger/ledger.ts';
import { scanScope } from '../../live/read.ts';
import { rememberCreated } from '../../requests/created.ts';
import { FreshReading } from '../../requests/fresh-reading.ts';
import type { RawCall, RawEntry, RawPorts } from './raw-call.ts';

/** The name of a create, as Herald compares it; null without one, and then no later run can find its object. */
export function nameOf({ operation, body }: RawCall): string | null {
  const asked = kindCallOf(operation);
  if (asked?.call !== 'create') return null;
  const { name } = CATALOGUE[KIND_CALLS[asked.kind].create].body.parse(body);
  return name === undefined || name === null ? null : nameForm(name);
}

/** The kind that the call is about. Throws for a call about something else. */
export function kindOf(operation: string): Kind {
  const asked = kindCallOf(operation);
  if (asked === null) throw new Error(`${operation} is about no campaign and no broadcast`);
  return asked.kind;
}

/** A create, with the ids that its name has before it. Throws where the list cannot be read: nothing is sent then. */
export async function createEntry(ports: RawPorts, call: RawCall, name: string): Promise<RawEntry> {
  const { client, clock, ledger, aliasOf } = ports;
  const accountId = call.params['account_id'] ?? '';
  const account = { alias: aliasOf(accountId), accountId };
  const kind = kindOf(call.operation);
  const before = await FreshReading.asTyped(clock, async () => {
    const list = await scanScope(client, { account, kind });
    return list.filter(({ live }) => live.name === name).map(({ live }) => live.id);
  });
  const { content, scheduledAtUtc } = wantedOf(call);
  const wanted = scheduledAtUtc === UNKNOWN_TIME ? null : { content, scheduled_at: scheduledAtUtc };
  return {
    intend: () =>
      ledger.intend({
        ...NOTHING,
        account: account.alias,
        account_id: accountId,
        kind,
        name,
        call: 'create',
        live_id: null,
        content: contentDigest(content),
        hidden: hiddenDigest(content.audience_filters),
        wanted,
        baseline: before.forRecord(),
      }),
    goesBy: before,
    remember: (reply) => rememberCreated(reply as CampaignReply | BroadcastReply),
    write: { accountId, kind, name, liveId: null, starts: true, group: [] },
  };
}

/** A status change or a recall. It counts as one by hand, as that of `herald campaigns pause` does. */
export async function changeEntry(ports: RawPorts, call: RawCall): Promise<RawEntry> {
  const { ledger, aliasOf } = ports;
  const { account_id: accountId = '', campaign_id: liveId = '' } = call.params;
  const kind = kindOf(call.operation);
  const target = targetOf(call);
  const name = await nameOfObject(ports, call);
  return {
    liveId,
    intend: () =>
      ledger.intend({
        ...NOTHING,
        account: aliasOf(accountId),
        account_id: accountId,
        kind,
        name,
        call: target === null ? 'unsend' : 'status',
        live_id: liveId,
        target,
        purpose: 'by_hand',
      }),
    remember: (reply) => heldInstead(target, reply),
    write: {
      accountId,
      kind,
      name,
      liveId,
      starts: startsSending(target),
      recalls: target === null,
      group: [],
    },
  };
}

/** The status that is asked for; null for a recall. */
export function targetOf({ operation, body }: RawCall): TargetStatus | null {
  const asked = kindCallOf(operation);
  if (asked?.call !== 'setStatus') return null;
  return CATALOGUE[KIND_CALLS[asked.kind].setStatus].body.parse(body).status;
}

const NOTHING: Omit<Intent, 'account' | 'account_id' | 'kind' | 'name' | 'call' | 'live_id'> = {
  target: null,
  purpose: null,
  content: null,
  hidden: null,
  wanted: null,
  supersedes: [],
  baseline: [],
};

/** As the ledger knows it, or as it is live; empty where neither tells: the object is known by its id all the same. */
async function nameOfObject(
  { client, known: ledger }: RawPorts,
  { operation, params }: RawCall,
): Promise<string> {
  const { account_id: accountId = '', campaign_id: liveId = '' } = params;
  const kind = kindOf(operation);
  const known = ledger.knowledge.objects.get(objectKey(accountId, kind, liveId));
  if (known !== undefined) return nameForm(known.name);
  const input = { params: { account_id: accountId, campaign_id: liveId } };
  const read = await client.call(KIND_CALLS[kind].get, input);
  return read.kind === 'done' ? nameForm(read.reply.name ?? '') : '';
}

/** A broadcast's answer states what it now is: one that is not paused was not stopped. */
function heldInstead(target: TargetStatus | null, reply: unknown): Partial<Conclusion> {
  const held = typeof reply === 'object' && reply !== null && 'status' in reply ? reply.status : null;
  if (target !== 'paused' || typeof held !== 'string' || isPaused({ status: held })) return {};
  const outcome = isNamed(statusOf({ status: held })) ? 'refused' : 'unknown';
  return { outcome, message: `answered with the status ${held}` };
}

/** Stands for a time on a clock that Herald does not know. */
export const UNKNOWN_TIME = '';

/** What a create makes. The time is null without a schedule, and `UNKNOWN_TIME` with one that is not in UTC. */
export function wantedOf({ operation, body }: RawCall): WantedContent {
  return WANTED[kindOf(operation)](body);
}

const WANTED: Readonly<Record<Kind, (body: unknown) => WantedContent>> = {
  campaign: (body) => ({
    content: campaignContent(CATALOGUE['campaigns.create'].body.parse(body)),
    scheduledAtUtc: null,
  }),
  broadcast: (body) => broadcastWanted(CATALOGUE['broadcasts.create'].body.parse(body)),
};

function campaignContent(body: CampaignCreateBody): CampaignContent {
  const { trigger, action, rules, audience_filters = [], messages = [] } = body;
  return { trigger, action, ...(rules === undefined ? {} : { rules }), audience_filters, messages };
}

function broadcastWanted(body: BroadcastCreateBody): WantedContent {
  const { rules, audience_filters = [], messages = [], scheduled_at: at } = body;
  const { end_at_timezone_mode: endMode = 'utc', ...others } = rules ?? {};
  const endAt = typeof others.end_at === 'string' ? { end_at: utcOf(others.end_at) } : {};
  const content: BroadcastContent = {
    ...(rules === undefined ? {} : { rules: { ...others, ...endAt } }),
    audience_filters,
    messages,
  };
  const { scheduled_at_timezone_mode: mode = 'utc' } = body;
  // An end on another clock cannot be compared with that of a live object either.
  if (mode !== 'utc' || endMode !== 'utc') return { content, scheduledAtUtc: UNKNOWN_TIME };
  return { content, scheduledAtUtc: at === undefined ? null : utcOf(at) };
}

/** The service reads a wall clock and ignores an offset that the value carries. */
function utcOf(wallClock: string): string {
  const [day = '', time = ''] = wallClock.replace(/(?:Z|[+-]\d\d:?\d\d)$/, '').split('T');
  return `${day}T${time.slice(0, 5)}:00Z`;
}
