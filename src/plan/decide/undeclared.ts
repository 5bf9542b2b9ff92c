import { LEAVING_MS } from '../../domain/broadcast.ts';
import { writes, type Change } from '../../domain/change.ts';
import { compareText, type Diagnostic } from '../../domain/diagnostic.ts';
import { KIND_ROWS, type Observed } from '../../domain/resource.ts';
import { isPaused, statusOf, STATUS_TRAITS } from '../../domain/status.ts';
import { unreadable } from '../compare/content.ts';
import type { PlanFacts } from '../facts.ts';
import { selectAddresses } from '../targets.ts';
import { change, type Decision } from './decision.ts';
import { broadcastState, campaignState, isNamedByItsText, readCreator, type Index } from './group.ts';

interface PruneCase {
  readonly index: Index;
  readonly facts: PlanFacts;
}

/** More than this share of an account's owned objects is never retired without `--allow large`. */
const SHARE_MAX_PERCENT = 30;

/** What becomes of everything live that no file declares: listed, or retired with `--allow prune`. */
export function decideUndeclared(index: Index, facts: PlanFacts): Decision {
  const the = { index, facts };
  const { selects, excludes } = selectAddresses(facts.targeting);
  // Its name in the files and its live name may differ: an exclusion of either one counts.
  const isExcluded = ({ account, kind, live }: Observed) =>
    excludes({ account, kind, name: live.name ?? '' });
  const changes = index.lists
    .flatMap(({ unclaimed }) => unclaimed)
    .filter(
      ({ live }) => (live.name ?? null) !== null && (STATUS_TRAITS[statusOf(live)].runs || isPaused(live)),
    )
    .filter((object) => !isExcluded(object))
    .map((object) => undeclared(object, the))
    .filter(({ address }) => selects(address));
  return { changes, diagnostics: pruneLimits(changes.filter(writes), the) };
}

/**
 * | the state says          | name begins with the prefix | its creator            | owned |
 * |-------------------------|-----------------------------|------------------------|-------|
 * | ours                    |                             |                        | yes   |
 * | nothing, or not adopted | yes                         | made an object of ours | yes   |
 * | nothing, or not adopted | otherwise                   |                        | no    |
 */
function isOwned(object: Observed, { index, facts: { ownershipPrefix: prefix } }: PruneCase): boolean {
  if (index.rowOf(object)?.ours === 1) return true;
  // A text that is shown as a name says nothing about the owner.
  if (prefix === null || isNamedByItsText(object)) return false;
  const isNamed = (object.live.name ?? '').startsWith(prefix);
  return isNamed && index.creators.has(readCreator(object) ?? '');
}

/**
 * What is not owned is only ever listed; what is owned is retired with `--allow prune`, unless there is a reason to leave it
 * (CONTENT-6, BROADCAST-15). A recall is never part of it.
 *
 * | live                                    | owned: retired by | otherwise                 |
 * |-----------------------------------------|-------------------|---------------------------|
 * | campaign active, or paused              | archive           |                           |
 * | campaign paused, of a finished replace  |                   | archived by the service   |
 * | broadcast scheduled                     | pause             |                           |
 * | broadcast paused                        |                   | sends nothing             |
 * | broadcast queued, sending, without hour |                   | has left: never touched   |
 * | unreadable, recalled, protected         |                   | left alone                |
 */
function undeclared(object: Observed, the: PruneCase): Change {
  const { allow } = the.facts;
  const listed = list(object, the);
  if (!isOwned(object, the)) return listed;
  const left = whyLeft(object, the);
  if (left !== null) return { ...listed, reasons: [...listed.reasons, left] };
  const action = KIND_ROWS[object.kind].retire;
  if (!allow.has('prune')) {
    const reason = `Owned: with --allow prune, Herald would ${action} it.`;
    return { ...listed, reasons: [...listed.reasons, reason], needs: ['prune'] };
  }
  const steps = action === 'archive' ? (['archive'] as const) : (['pause', 'read_back'] as const);
  return change(listed, action, {
    version: object.live,
    reasons: ['No longer declared.', 'Allowed by --allow prune.'],
    steps: steps.map((kind) => ({ kind, live_id: object.live.id })),
  });
}

function list(object: Observed, { index }: PruneCase): Change {
  const { account, kind, live } = object;
  const known = index.rowOf(object);
  const isOurs = known?.ours === 1;
  // The name that the files knew it by: a rename keeps the object's old one.
  const name = isOurs && known.name !== '' ? known.name : (live.name ?? '');
  const alias = name === live.name ? '' : ` Its live name is ${JSON.stringify(live.name)}.`;
  const what = `Live (${live.status ?? 'no status'}) and unmanaged.${alias}`;
  const reasons = [isOurs ? `${what} Herald created or adopted it.` : what];
  return change({ address: { account, kind, name } }, 'unmanaged', { version: live, reasons });
}

/** Why an owned object is not pruned; null if it may be. */
function whyLeft(object: Observed, { index, facts }: PruneCase): string | null {
  const known = index.rowOf(object);
  if (known?.protect === 1)
    return 'It was applied with protect: true, so it is protected. To remove it, put the block back without protect, apply, then remove the block and apply again.';
  const isAbout = facts.open.some(
    ({ account_id: id, kind, live_id: liveId }) =>
      id === object.accountId && kind === object.kind && liveId === object.live.id,
  );
  if (known?.recalled === 1) return 'The state has a recall of it, so Herald does not change it.';
  if (isAbout) return 'An earlier request about it got no answer, so Herald does not change it yet.';
  const content = unreadable(object);
  if (content !== null) return `Herald does not change it: ${content}.`;
  if (object.kind === 'campaign')
    return isAlive(object, index)
      ? null
      : 'An older version, paused when it was replaced. The service archives it.';
  const state = broadcastState(object);
  if (state === 'paused' || state === 'halted') return 'It is paused already, so it sends nothing.';
  if (state !== 'waits') return 'It was sent, so Herald does not change it.';
  const leadMs = Date.parse(object.live.scheduled_at ?? '') - facts.time.latestMs;
  return leadMs >= LEAVING_MS ? null : 'It is about to be sent, so Herald does not change it any more.';
}

/** Whether it still sends or waits to: what a prune retires a share of. */
function isAlive(object: Observed, index: Index): boolean {
  if (object.kind === 'broadcast') return broadcastState(object) === 'waits';
  const state = campaignState(object);
  return state === 'active' || (state === 'paused' && (index.rowOf(object)?.replaced_by ?? null) === null);
}

/**
 * What holds back a whole run that prunes: files that declare nothing (a wrong directory, a pattern that matches nothing),
 * one pattern of several that matches nothing, and a large part of an account at once.
 */
function pruneLimits(pruned: readonly Change[], the: PruneCase): readonly Diagnostic[] {
  const { declared, unmatched, allow } = the.facts;
  if (pruned.length === 0) return [];
  if (declared.length === 0) {
    const what = pruned.length === 1 ? 'the 1 owned object' : `all ${pruned.length} owned objects`;
    const message = `No resources found, so --allow prune would stop ${what}. Nothing was done. Check -C and files:. To stop a resource, set status: archived or paused.`;
    return [{ severity: 'error', code: 'prune-everything', message }];
  }
  const missing = unmatched.map((pattern): Diagnostic => {
    const message = `No file matches the pattern "${pattern}" of files:, so its resources would look removed. Nothing was done. Correct the pattern, or remove it.`;
    return { severity: 'error', code: 'prune-missing-files', message };
  });
  return [...missing, ...(allow.has('large') ? [] : largeShares(pruned, the))];
}

function largeShares(pruned: readonly Change[], the: PruneCase): readonly Diagnostic[] {
  const owned = the.facts.observed.filter((object) => isAlive(object, the.index) && isOwned(object, the));
  const accounts = [...new Set(pruned.map(({ address }) => address.account))].toSorted(compareText);
  return accounts.flatMap((account): readonly Diagnostic[] => {
    const count = pruned.filter(({ address }) => address.account === account).length;
    const all = Math.max(owned.filter((object) => object.account === account).length, count);
    if (count * 100 <= all * SHARE_MAX_PERCENT) return [];
    const share = Math.round((count * 100) / all);
    const message = `${count} of ${all} owned object${all === 1 ? '' : 's'} on account ${account} would be stopped: ${share} %, more than ${SHARE_MAX_PERCENT} %. Review them, then use --allow large.`;
    return [{ severity: 'error', code: 'prune-large', message }];
  });
}
