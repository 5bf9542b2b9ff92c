import { KIND_ROWS } from '../../domain/kind.ts';
import type { Allowance } from '../../domain/allowance.ts';
import { LEAVING_MS } from '../../domain/broadcast.ts';
import type { Change } from '../../domain/change.ts';
import { wasReplaced, type Knowledge, type KnownObject } from '../../domain/knowledge.ts';
import type { Observed, ObservedBroadcast, ObservedCampaign } from '../../domain/resource.ts';
import { statusOf, STATUS_TRAITS } from '../../domain/status.ts';
import { classifyBroadcast } from '../broadcast/column.ts';
import { classifyCampaign } from '../campaign/column.ts';
import { unreadable } from '../compare/compare.ts';
import { NOTHING_DROPPED } from '../decision.ts';
import { adoptionWords, creatorOf, isOurs, knownOf } from '../match.ts';
import type { Ownership, OwnershipOf } from '../ownership.ts';
import { guardRemoved } from './protect.ts';
import { undoOfPrune } from '../undo.ts';

/** What decides about objects that no file declares. */
export interface PruneCase {
  readonly knowledge: Knowledge;
  readonly ownershipOf: OwnershipOf;
  readonly allow: ReadonlySet<Allowance>;
  /** Ids that a blocked create looks like a rename of, with the declared name, by account, kind and id. */
  readonly renames: ReadonlyMap<string, string>;
  /** The service's time, epoch milliseconds. */
  readonly nowMs: number;
}

/**
 * Live objects that may send and stand in no file. What is not owned is only ever listed; what is owned is
 * retired with `--allow prune`, unless there is a reason to leave it (CONTENT-6, BROADCAST-15):
 *
 * | live                                    | owned: retired by | otherwise                 |
 * |-----------------------------------------|-------------------|---------------------------|
 * | campaign active, or paused              | archive           |                           |
 * | campaign paused, of a finished replace  |                   | archived by the service   |
 * | broadcast scheduled                     | pause             |                           |
 * | broadcast paused                        |                   | sends nothing             |
 * | broadcast queued, sending, without hour |                   | has left: never touched   |
 * | unreadable, being unsent                |                   | left alone                |
 *
 * A recall is never part of it.
 */
export function undeclaredChanges(unclaimed: readonly Observed[], the: PruneCase): readonly Change[] {
  return unclaimed
    .filter(({ live }) => live.name !== null && live.name !== undefined)
    .filter(({ live }) => STATUS_TRAITS[statusOf(live)].listed)
    .map((object) => guardRemoved(undeclared(object, the), knownOf(object, the.knowledge)));
}

function undeclared(object: Observed, the: PruneCase): Change {
  const known = knownOf(object, the.knowledge);
  const listed = list(object, known, the);
  const ownership = the.ownershipOf(object);
  if (ownership === null) return listed;
  const left = whyLeft(object, known, the);
  if (left !== null) return { ...listed, reasons: [...listed.reasons, left] };
  const action = KIND_ROWS[object.kind].retire;
  const origin = spaced(originWords(object, ownership, the.knowledge));
  if (!the.allow.has('prune')) {
    const reasons = [...listed.reasons, `Owned: with --allow prune it is ${DONE[action]}.${origin}`];
    return { ...listed, reasons, needs: ['prune'] };
  }
  const id = object.live.id;
  return {
    ...listed,
    action,
    reasons: [`No longer declared.${origin}`, 'Allowed by --allow prune.'],
    steps:
      action === 'archive'
        ? [{ kind: 'archive', live_id: id }]
        : [
            { kind: 'check_not_left', live_id: id },
            { kind: 'pause', live_id: id },
            { kind: 'read_back', live_id: id },
          ],
    ...undoOfPrune(action),
  };
}

/** Why it counts as owned, where that is not simply a create of Herald's own. */
function originWords(object: Observed, ownership: Ownership, knowledge: Knowledge): string | null {
  switch (ownership) {
    case 'ledger':
      return adoptionWords(object, knowledge);
    case 'prefix':
      return 'Its name has the prefix of this workspace, and the same API key created it.';
    case 'inferred': {
      const creator = creatorOf(object) ?? '';
      return `Its name has the prefix of this workspace. The ledger does not say who creates for it, but ${creator} created this and all that equals the files.`;
    }
  }
}

function spaced(words: string | null): string {
  return words === null ? '' : ` ${words}`;
}

const DONE = { archive: 'archived', pause: 'paused' } as const;

function list(object: Observed, known: KnownObject | null, { knowledge }: PruneCase): Change {
  const { live } = object;
  const name = nameOf(object, known);
  const alias = name === live.name ? '' : ` Its live name is ${JSON.stringify(live.name)}.`;
  const what = `Live (${live.status ?? 'no status'}) and unmanaged.${alias}`;
  return {
    address: { account: object.account, kind: object.kind, name },
    action: 'unmanaged',
    live_id: live.id,
    reasons: [isOurs(object, known, knowledge) ? `${what} Herald created or adopted it.` : what],
    fields: [],
    dropped: NOTHING_DROPPED,
    steps: [],
    needs: [],
    reversible: true,
    undo: '',
  };
}

/** The name that the files knew it by: a rename keeps the object's old one. */
function nameOf({ live }: Observed, known: KnownObject | null): string {
  return known?.ours === true && known.name !== '' ? known.name : (live.name ?? '');
}

/** Why an owned object is not pruned; null if it may be. */
function whyLeft(object: Observed, known: KnownObject | null, the: PruneCase): string | null {
  const renamed = the.renames.get(renameKey(object));
  if (renamed !== undefined)
    return `It stays, because ${JSON.stringify(renamed)} looks like a new name for it. If you renamed it, add renamed_from there.`;
  if (known?.recalled === true || isBeingUnsent(object, the.knowledge))
    return 'The ledger has a recall of it, so Herald does not change it.';
  const content = unreadable(object);
  if (content !== null) return `Herald does not change it: ${content}.`;
  return object.kind === 'campaign' ? campaignLeft(object, known) : broadcastLeft(object, the.nowMs);
}

export function renameKey({ account, kind, live }: Observed): string {
  return `${account}/${kind}/${live.id}`;
}

function isBeingUnsent({ accountId, kind, live }: Observed, { open }: Knowledge): boolean {
  return open.some(
    (entry) =>
      entry.call === 'unsend' &&
      entry.liveId === live.id &&
      entry.accountId === accountId &&
      entry.address.kind === kind,
  );
}

/** Whether it still sends or waits to: what a prune retires a share of. */
export function isAlive(object: Observed, knowledge: Knowledge): boolean {
  if (object.kind === 'broadcast') return classifyBroadcast({ observed: object }) === 'scheduled';
  const state = classifyCampaign({ observed: object });
  const known = knownOf(object, knowledge);
  return state === 'active' || (state === 'paused' && !(known !== null && wasReplaced(known)));
}

function campaignLeft(object: ObservedCampaign, known: KnownObject | null): string | null {
  const state = classifyCampaign({ observed: object });
  if (state === 'paused' && known !== null && wasReplaced(known))
    return 'An older version, paused when it was replaced. The service archives it.';
  return state === 'active' || state === 'paused' ? null : 'Herald does not change it.';
}

function broadcastLeft(object: ObservedBroadcast, nowMs: number): string | null {
  const state = classifyBroadcast({ observed: object });
  if (state === 'paused_pending' || state === 'paused_left')
    return 'It is paused already, so it sends nothing.';
  if (state !== 'scheduled') return 'It was sent, so Herald does not change it.';
  const leadMs = Date.parse(object.live.scheduled_at ?? '') - nowMs;
  return leadMs >= LEAVING_MS ? null : 'It is about to be sent, so Herald does not change it any more.';
}
