import { LEAVING_MS } from '../../domain/content.ts';
import { writes, type Change } from '../../domain/change.ts';
import type { DiagnosticCode } from '../../domain/codes.ts';
import type { Diagnostic } from '../../domain/diagnostic.ts';
import { groupBy } from '../../domain/group-by.ts';
import { formatAddress, KIND_ROWS, type Observed } from '../../domain/resource.ts';
import { isPaused, isRunning } from '../../domain/status.ts';
import { isUnconfirmed } from '../../state/shapes.ts';
import { unreadable } from '../compare/content.ts';
import { readName, selectAddresses, type PlanFacts } from '../facts.ts';
import { change, listStopSteps, type Decision } from './decision.ts';
import { isNamedByItsText, type Index } from './group.ts';

/** More than this share of an account's owned objects is never retired without `--allow large`. */
const SHARE_MAX_PERCENT = 30;

/** What becomes of everything live that no file declares: listed, or retired with `--allow prune`. */
export function decideUndeclared(index: Index, facts: PlanFacts): Decision {
  const { selects, excludes } = selectAddresses(facts.targeting);
  const changes = index.lists
    .flatMap(({ unclaimed }) => unclaimed)
    .filter(({ live }) => (live.name ?? null) !== null && (isRunning(live) || isPaused(live)))
    // Its name in the files and its live name may differ: an exclusion of either one counts.
    .filter(({ account, kind, live }) => !excludes({ account, kind, name: live.name ?? '' }))
    .map((object) => decideObject(object, index, facts.ownershipPrefix))
    .filter(({ address }) => selects(address));
  return [...changes, ...warnProtected(changes), ...limitPrune(changes.filter(writes), index, facts)];
}

/**
 * | the state says          | name begins with the prefix | its creator            | owned |
 * |-------------------------|-----------------------------|------------------------|-------|
 * | ours                    |                             |                        | yes   |
 * | nothing, or not adopted | yes                         | made an object of ours | yes   |
 * | nothing, or not adopted | otherwise                   |                        | no    |
 */
function isOwned(object: Observed, index: Index, prefix: string | null): boolean {
  if (index.rowOf(object)?.ours === 1) return true;
  // A text that is shown as a name says nothing about the owner.
  if (prefix === null || isNamedByItsText(object)) return false;
  return (object.live.name ?? '').startsWith(prefix) && index.isByUs(object);
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
function decideObject(object: Observed, index: Index, prefix: string | null): Change {
  const { account, kind, live } = object;
  const known = index.rowOf(object);
  const name = readName(object, known);
  const about = { address: { account, kind, name } };
  const list = (...more: readonly string[]) => {
    const alias = name === live.name ? '' : ` Its live name is ${JSON.stringify(live.name)}.`;
    const owner = known?.ours === 1 ? ' Herald created or adopted it.' : '';
    const what = `Live (${live.status ?? 'no status'}) and unmanaged.${alias}${owner}`;
    return change(about, 'unmanaged', { version: live, reasons: [what, ...more] });
  };
  if (!isOwned(object, index, prefix)) return list();
  const left = explainLeft(object, index);
  if (left !== null) return list(left);
  const action = KIND_ROWS[kind].retire;
  if (!index.facts.allow.has('prune'))
    return { ...list(`Owned: with --allow prune, Herald would ${action} it.`), needs: ['prune'] };
  const reasons = ['No longer declared.', 'Allowed by --allow prune.'];
  return change(about, action, { version: live, reasons, steps: listStopSteps(kind, action, live) });
}

/** Why an owned object is not pruned; null if it may be. */
function explainLeft(object: Observed, index: Index): string | null {
  const { accountId, kind, live } = object;
  const known = index.rowOf(object);
  if (known?.protect === 1) return PROTECTED;
  const isOpen = index.facts.open
    .filter(isUnconfirmed)
    .some((one) => one.account_id === accountId && one.kind === kind && one.live_id === live.id);
  const state = index.stateOf(object);
  const hour =
    kind === 'broadcast' && state === 'runs' ? Date.parse(object.live.scheduled_at ?? '') : Infinity;
  const isCampaign = kind === 'campaign';
  const [why] = [
    known?.recalled === 1 && 'the state has a recall of it',
    isOpen && 'an earlier request about it got no answer',
    unreadable(object),
    isCampaign && !isAlive(object, index) && 'it was replaced, and the service archives it',
    !isCampaign && state === 'left' && 'it was sent',
    !isCampaign && state !== 'runs' && 'it is paused already, so it sends nothing',
    !(hour - index.facts.time.latestMs >= LEAVING_MS) && 'it is about to be sent',
  ].filter((reason) => typeof reason === 'string');
  return why === undefined ? null : `Herald does not change it: ${why}.`;
}

const PROTECTED =
  'It was applied with protect: true, so it is protected. To remove it, put the block back without protect, apply, then remove the block and apply again.';

/** A plan counts what is unmanaged. Who removed the block of what is protected may expect that it stops. */
function warnProtected(changes: readonly Change[]): readonly Diagnostic[] {
  const kept = changes.filter(({ reasons }) => reasons.includes(PROTECTED));
  return kept.map(({ address, live_id: id }) => {
    const message = `${id ?? ''} is live, and no file declares it. ${PROTECTED}`;
    return { severity: 'warning', code: 'protected-unmanaged', message, address: formatAddress(address) };
  });
}

/** Whether it still sends or waits to: what a prune retires a share of. */
function isAlive(object: Observed, index: Index): boolean {
  const state = index.stateOf(object);
  const isKept = object.kind === 'campaign' && (index.rowOf(object)?.replaced_by ?? null) === null;
  return state === 'runs' || (state === 'paused' && isKept);
}

/**
 * What holds back a whole run that prunes: files that declare nothing (a wrong directory, a pattern that matches nothing),
 * one pattern of several that matches nothing, and a large part of an account at once.
 */
function limitPrune(pruned: readonly Change[], index: Index, facts: PlanFacts): readonly Diagnostic[] {
  const { declared, observed, unmatched, allow, ownershipPrefix: prefix } = facts;
  const refuse = (code: DiagnosticCode, message: string) => ({ severity: 'error', code, message }) as const;
  if (pruned.length === 0) return [];
  if (declared.length === 0) {
    const message = `No resources found, so --allow prune would stop all owned objects (${pruned.length}). Nothing was done. Check -C and files:. To stop a resource, set status: archived or paused.`;
    return [refuse('prune-everything', message)];
  }
  const missing = unmatched.map((pattern) => {
    const message = `No file matches the pattern "${pattern}" of files:, so its resources would look removed. Nothing was done. Correct the pattern, or remove it.`;
    return refuse('prune-missing-files', message);
  });
  if (allow.has('large')) return missing;
  const owned = observed.filter((object) => isAlive(object, index) && isOwned(object, index, prefix));
  const counts = groupBy(pruned, ({ address }) => address.account);
  const large = [...counts].flatMap(([account, { length: count }]) => {
    const all = Math.max(owned.filter((object) => object.account === account).length, count);
    const percent = Math.round((count * 100) / all);
    if (count * 100 <= all * SHARE_MAX_PERCENT) return [];
    const message = `${count} of ${all} owned objects on account ${account} would be stopped: ${percent} %, more than ${SHARE_MAX_PERCENT} %. Review them, then use --allow large.`;
    return [refuse('prune-large', message)];
  });
  return [...missing, ...large];
}
