import type { AccountId } from '../domain/ids.ts';
import type { KnownObject } from '../domain/knowledge.ts';
import { madeAs } from '../domain/made-as.ts';
import { isTextDigest } from '../domain/stored-text.ts';
import { startsSending, targetStatusOf } from '../domain/status.ts';
import { knownInstant } from './instant-text.ts';
import { sentMedia } from './media-on-record.ts';
import type { IntentLine, LedgerLine, OutcomeLine } from './lines.ts';

/** What one line says of one live object. Of several lines that say a field, the one of the latest time holds. */
export interface Effect {
  /** The alias of its time, for people; the id tells accounts apart. */
  readonly account: string;
  readonly accountId: AccountId;
  readonly kind: KnownObject['kind'];
  readonly id: string;
  readonly parts: Partial<KnownObject>;
}

/** Where the intent of an outcome is found. */
type IntentsByEntry = Pick<ReadonlyMap<string, IntentLine>, 'get'>;

/**
 * Everything that a line says of live objects. It depends on the line and its own intent only, never on other lines:
 * so lines may be merged in any order, and those that say nothing that still holds may be dropped.
 */
export function effectsOf(line: LedgerLine, intents: IntentsByEntry): readonly Effect[] {
  switch (line.type) {
    case 'outcome':
      return concluded(line, intents.get(line.entry));
    case 'seen':
      return [
        effect(line, line.live_id, {
          name: line.name,
          ours: true,
          createdAs: null,
          ...(line.stopped === true ? {} : { pausedFor: null, pausedAtMs: null }),
          ...(line.changed === true ? NOTHING_SENT : {}),
        }),
      ];
    case 'protection':
      return [effect(line, line.live_id, { name: line.name, isProtected: line.protect })];
    case 'rewrite':
      return [effect(line, line.live_id, { name: line.name, ours: true, rewrites: line.rewrites })];
    case 'known':
      return [effect(line, line.live_id, line.set)];
    default:
      return [];
  }
}

/** Nothing is known of the content that a create sent, once someone else has changed it. */
const NOTHING_SENT = { contentDigest: null, hiddenDigest: null, listIds: null, media: null };

function effect(
  { account, account_id: accountId, kind }: Pick<IntentLine, 'account' | 'account_id' | 'kind'>,
  id: string,
  parts: Partial<KnownObject>,
): Effect {
  return { account, accountId, kind, id, parts };
}

function concluded(line: OutcomeLine, intent: IntentLine | undefined): readonly Effect[] {
  const liveId = line.live_id ?? intent?.live_id ?? null;
  if (intent === undefined || liveId === null) return [];
  if (line.outcome === 'refused' && line.for_good === true && intent.call === 'unsend')
    return [effect(intent, liveId, { name: intent.name, recallRefused: true })];
  if (line.outcome !== 'done' && line.outcome !== 'adopted') return [];
  if (intent.call !== 'create') return [effect(intent, liveId, changed(intent, line))];
  const parts: Mutable<Partial<KnownObject>> = {
    name: intent.name,
    createdByHerald: true,
    ours: true,
    contentDigest: intent.content,
    hiddenDigest: intent.hidden,
    listIds: line.list_ids,
    media: sentMedia(intent),
    // An object that was found and adopted may be another person's: only an answer tells who we are.
    createdBy: line.outcome === 'done' ? line.created_by : null,
    createLeftMs: intent.skew_ms == null ? null : knownInstant(intent.sent_at_ms + intent.skew_ms),
    createdAs: createdAs(intent),
  };
  if (intent.protect) parts.isProtected = true;
  const effects = [effect(intent, liveId, parts)];
  for (const old of intent.supersedes)
    effects.push(effect(intent, old, { name: intent.name, supersededBy: liveId }));
  return effects;
}

/** What the create sent, wherever a reader keeps it. */
export function createdAs({ created_as, wanted, name }: IntentLine): number | null {
  return created_as ?? createdWith(name, wanted?.content.messages[0]?.text);
}

/** The same of a name and a first text. */
export function createdWith(name: string, text: string | null | undefined): number | null {
  return madeAs(name, isTextDigest(text) ? null : text);
}

/**
 * Lines of earlier versions do not say what an apply archived something for. It was an apply; as a duplicate, it does
 * not hide an older version that a person stopped.
 */
const ARCHIVED_BY_AN_APPLY = 'duplicate';

function changed(intent: IntentLine, { by_hand: meanwhile }: OutcomeLine): Partial<KnownObject> {
  const parts: Mutable<Partial<KnownObject>> = { name: intent.name };
  if (intent.purpose !== 'by_hand') {
    parts.ours = true;
    // What an apply changes, it knows as it is by then.
    parts.createdAs = null;
  }
  if (intent.call === 'unsend') {
    parts.recalled = true;
    return parts;
  }
  const target = targetStatusOf(intent.target);
  const isOn = startsSending(target);
  const stoppedFor = target === 'archived' ? (intent.purpose ?? ARCHIVED_BY_AN_APPLY) : intent.purpose;
  // A person has activated a recalled object.
  if (isOn) parts.recalled = false;
  parts.pausedFor = meanwhile === true ? 'by_hand' : isOn ? null : stoppedFor;
  // Assumed: a request for the status that it has starts no window again (CAMPAIGN-9, BROADCAST-17, BROADCAST-20).
  if (intent.already === true) return parts;
  // Each change of its status starts its 24 hours again.
  parts.recallRefused = false;
  // By the service's clock where it is known, which judges how long ago that was.
  const isPause = target === 'paused';
  parts.pausedAtMs = isPause ? knownInstant(intent.sent_at_ms + (intent.skew_ms ?? 0)) : null;
  return parts;
}

type Mutable<Of> = { -readonly [Member in keyof Of]: Of[Member] };
