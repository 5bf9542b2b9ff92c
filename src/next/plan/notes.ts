import { RESUME_WINDOW_MS } from '../../domain/broadcast.ts';
import { ARCHIVED_AFTER_MS } from '../../domain/campaign.ts';
import { writes, type Change, type Dropped, type Queued, type StepKind } from '../../domain/change.ts';
import type { DiagnosticCode } from '../../domain/codes.ts';
import { formatCommand } from '../../domain/command-line.ts';
import type { Diagnostic } from '../../domain/diagnostic.ts';
import { canonical } from '../../domain/digest.ts';
import { groupBy } from '../../domain/group-by.ts';
import { isCreatable } from '../../domain/live-defaults.ts';
import type { CampaignReply } from '../../domain/replies.ts';
import { formatAddress, type Declared, type Observed } from '../../domain/resource.ts';
import { isPaused } from '../../domain/status.ts';
import { digestDeclared } from './compare/content.ts';
import { blocked, ignoredOf, warning, type Decision } from './decide/decision.ts';
import { creatorOf, isNamedByItsText, type Index, type List, type Version } from './decide/group.ts';
import { isOpenCreate, isOpenRecall, pauseCommand } from './decide/open.ts';
import type { PlanFacts, Unseen } from './facts.ts';

/** What a plan says in addition to its decisions. None of it changes one. */

/** Ignored differences, values that no file states, queues, and who created what was adopted. */
export function annotate(
  decision: Decision,
  declared: Declared,
  versions: readonly Version[],
  index: Index,
): Decision {
  const byId = new Map(versions.map((version) => [version.id, version]));
  const changes = decision.changes.map((change) => {
    const version = byId.get(change.live_id ?? '') ?? null;
    const told = [
      ignoredWords(change, version),
      editWords(change, declared, version),
      adoptionWords(change, version, index),
    ];
    const reasons = [...change.reasons, ...told.filter((words) => words !== null)];
    return withQueues({ ...change, reasons }, (id) => byId.get(id)?.observed);
  });
  const notes = changes.flatMap((change) => [
    ...ignoredNotes(change, declared, byId.get(change.live_id ?? '') ?? null),
    ...droppedWarnings(change, declared),
  ]);
  return { changes, diagnostics: [...decision.diagnostics, ...notes] };
}

function ignoredPaths(version: Version | null): string {
  return ignoredOf(version)
    .map(({ path }) => path)
    .join(', ');
}

function ignoredWords({ action }: Change, version: Version | null): string | null {
  const paths = ignoredPaths(version);
  if (paths === '') return null;
  if (action === 'replace')
    return `The new version takes the file's value also where a difference is ignored: ${paths}.`;
  return action === 'activate' || action === 'resume'
    ? `It goes out as it is; ignored differences: ${paths}.`
    : null;
}

function ignoredNotes(
  { action, live_id: id }: Change,
  declared: Declared,
  version: Version | null,
): readonly Diagnostic[] {
  const paths = ignoredPaths(version);
  if (paths === '' || (action !== 'keep' && action !== 'done')) return [];
  const message = `${paths}: ${id ?? 'the live object'} differs from the file here, but \`ignore\` has this field, so Herald does not change it.`;
  return [{ ...warning(declared, 'ignored', message), severity: 'info' }];
}

/** The file is as it was when Herald created the object, so someone changed the live one. */
function editWords({ action }: Change, declared: Declared, version: Version | null): string | null {
  if (action !== 'replace' || version?.known?.declared_digest !== digestDeclared(declared)) return null;
  return `The file is the same as when Herald created ${version.id}, so the service or a person has changed it since. If the new version differs again, Herald does not replace it again.`;
}

/** Nothing but the state says that an adopted object is ours, so a plan says who created it. */
function adoptionWords(change: Change, version: Version | null, { creators }: Index): string | null {
  if (version === null || !writes(change)) return null;
  const creator = creatorOf(version.observed);
  const isAdopted = version.known?.ours === 1 && version.known.declared_digest === null;
  return isAdopted && creator !== null && !creators.has(creator)
    ? `Herald adopted it: ${creator} created it.`
    : null;
}

/** Only what a file says is compared, so nothing is done for these; but a replace makes the new version from the file alone. */
function droppedWarnings({ action, dropped }: Change, declared: Declared): readonly Diagnostic[] {
  const isKept = action === 'keep';
  const [code, effect]: readonly [DiagnosticCode, string] = isKept
    ? ['not-in-file', 'A replace would drop it.']
    : ['dropped', 'The new version is created without it.'];
  const tell = (some: readonly Dropped[], next: string) => {
    if (some.length === 0) return [];
    const values = some.map(({ path, live }) => `${path} ${canonical(live)}`).join(', ');
    return [warning(declared, code, `${values}: set on the service and not in the file. ${effect} ${next}`)];
  };
  const writable = dropped.filter(({ path }) => isCreatable(declared.kind, path));
  return [
    ...tell(writable, `To keep it, add it to the file, or run: ${formatCommand('import', '--update')}.`),
    ...tell(
      dropped.filter((one) => !writable.includes(one)),
      'A file cannot have it. After a replace, set it again on the service.',
    ),
  ];
}

/** What of a campaign is still queued; null for nothing, or where the service does not show it (CONTENT-26). */
function queuedOf(live: CampaignReply): Queued | null {
  const targeted = live.targeted_sends_count;
  const sent = live.first_message_stats?.sent_messages_count;
  if (targeted == null || sent == null || !Number.isInteger(targeted) || !Number.isInteger(sent)) return null;
  return targeted <= sent ? null : { live_id: live.id, about: targeted - sent, targeted, sent };
}

function queuedWords({ about, targeted, sent }: Queued): string {
  const sends = about === 1 ? '1 send is' : `${about} sends are`;
  return `about ${sends} still queued (${targeted} targeted, ${sent} sent)`;
}

const QUEUES = {
  cleared: 'The queue is cleared.',
  kept: 'Do not count on them: the campaign keeps them while it is paused, and the service clears them when it archives it after 7 days.',
  allowed: 'They wait or are lost after that.',
} as const;

/** What happens to the queue of each campaign that a step stops. An archive comes after the pause. */
const QUEUE_AFTER: Partial<Record<StepKind, 'cleared' | 'kept'>> = {
  pause: 'kept',
  archive: 'cleared',
  recall: 'cleared',
};

/** A change that stops campaigns tells what they have still queued, and what becomes of it. */
function withQueues(change: Change, observedOf: (id: string) => Observed | undefined): Change {
  if (change.address.kind !== 'campaign') return change;
  const ends = new Map<string, keyof typeof QUEUES>();
  for (const { kind, live_id: id } of change.steps) {
    const end = QUEUE_AFTER[kind];
    if (end !== undefined && id !== null) ends.set(id, end);
  }
  if (change.live_id !== null && !ends.has(change.live_id)) {
    // The create of a replace is still missing: its old version is paused already.
    if (change.action === 'create') ends.set(change.live_id, 'kept');
    if (change.action === 'blocked' && change.needs.length > 0) ends.set(change.live_id, 'allowed');
  }
  const queued = [...ends].flatMap(([id, end]) => {
    const object = observedOf(id);
    const found = object?.kind === 'campaign' ? queuedOf(object.live) : null;
    return found === null ? [] : [{ found, words: `${id}: ${queuedWords(found)}. ${QUEUES[end]}` }];
  });
  if (queued.length === 0) return change;
  return {
    ...change,
    reasons: [...change.reasons, ...queued.map(({ words }) => words)],
    queued: queued.map(({ found }) => found),
  };
}

/** The queues of what no file declares. */
export function withOwnQueue(change: Change, object: Observed | undefined): Change {
  return withQueues(change, (id) => (object?.live.id === id ? object : undefined));
}

/** Steps after which an object is not paused any more. */
const ENDS_PAUSE: readonly StepKind[] = ['activate', 'reactivate', 'resume', 'archive', 'recall'];

/**
 * Warns of paused objects that the run leaves paused, if their window closes soon.
 *
 * | the object                                         | its window                                           |
 * |----------------------------------------------------|------------------------------------------------------|
 * | a campaign                                         | archived 7 days after its pause (CAMPAIGN-9)         |
 * | the same, replaced by another version              | the same, if sends are still queued                  |
 * | a broadcast, stopped half-way or before its hour   | resumed up to 5 days after its pause (BROADCAST-17)  |
 */
export function closingWindows(
  declared: Declared,
  versions: readonly Version[],
  changes: readonly Change[],
  { past, time, warnBeforeMs }: PlanFacts,
): readonly Diagnostic[] {
  return versions.flatMap((version) => {
    const { id, observed, known } = version;
    const pausedAtMs = known === null ? null : (past?.stoppedAtMs(known) ?? null);
    const isEnded = changes.some(({ steps }) =>
      steps.some(({ kind, live_id: liveId }) => liveId === id && ENDS_PAUSE.includes(kind)),
    );
    if (pausedAtMs === null || isEnded || !isPaused(observed.live)) return [];
    const closesMs = pausedAtMs + (observed.kind === 'campaign' ? ARCHIVED_AFTER_MS : RESUME_WINDOW_MS);
    const leftMs = closesMs - time.latestMs;
    if (!(leftMs > 0 && leftMs <= warnBeforeMs)) return [];
    const message = windowMessage(version, closesMs, time.latestMs);
    if (message === null) return [];
    const words = `${id} is paused since ${instant(pausedAtMs)}. ${message}`;
    return [{ ...warning(declared, 'window-closes', words), at: instant(closesMs) }];
  });
}

function windowMessage({ id, observed, known }: Version, closesMs: number, nowMs: number): string | null {
  const { account } = observed;
  if (observed.kind === 'broadcast') {
    const hour = observed.live.scheduled_at ?? null;
    if (hour !== null && Date.parse(hour) <= nowMs) return null;
    return `It can be resumed until about ${instant(closesMs)}, and never after that. To send it: ${formatCommand('broadcasts', 'resume', id, '--account', account)}`;
  }
  const queued = queuedOf(observed.live);
  const isReplaced = (known?.replaced_by ?? null) !== null;
  if (isReplaced && queued === null) return null;
  const lost = queued === null ? '' : ` Then its queue is cleared: ${queuedWords(queued)}.`;
  const activate = formatCommand('campaigns', 'activate', id, '--account', account);
  const ways = isReplaced
    ? `Another version replaced it, and only this one can send the queue, with its own text, while the new version is paused: ${activate}`
    : `To keep it: ${activate}. Otherwise declare status: archived.`;
  return `The service archives it about ${instant(closesMs)}.${lost} ${ways}`;
}

function instant(ms: number): string {
  return new Date(ms).toISOString().replace(/\.\d+Z$/, 'Z');
}

/** Names that differ only in case or space from a declared one: maybe the same, never adopted. */
export function nearMatches({ facts, rowOf }: Index): readonly Diagnostic[] {
  const folded = (name: string) => name.trim().toLowerCase();
  const byFolded = groupBy(
    facts.observed.filter((object) => (object.live.name ?? null) !== null && rowOf(object) === null),
    ({ account, kind, live }) => `${account}/${kind}/${folded(live.name ?? '')}`,
  );
  return facts.declared.flatMap((declared) => {
    const { account, kind, name } = declared.address;
    return (byFolded.get(`${account}/${kind}/${folded(name)}`) ?? [])
      .filter(({ live }) => live.name !== name && live.name !== declared.renamedFrom)
      .map(({ live }) =>
        warning(
          declared,
          'near-match',
          `A live ${kind} has almost the same name: ${JSON.stringify(live.name)} (${live.id}). Herald treats it as a different one.`,
        ),
      );
  });
}

/** A nameless broadcast reads with its text as its name; one that reads like a declared name is a stranger. */
export function textNames({ declared, unclaimed }: List): readonly Diagnostic[] {
  const byName = groupBy(unclaimed.filter(isNamedByItsText), ({ live }) => live.name ?? '');
  return declared.flatMap((resource) =>
    (byName.get(resource.address.name) ?? []).map(({ live }) =>
      warning(
        resource,
        'text-as-name',
        `${live.id} has no name, so the service shows its text as the name, which equals this one. Herald treats it as a different one and does not change it.`,
      ),
    ),
  );
}

/** Objects that can never be matched, because neither their name nor their content can be read. */
export function unnamedNotes({ observed }: PlanFacts): readonly Diagnostic[] {
  const unreadable = observed.filter(
    ({ kind, live }) =>
      kind === 'broadcast' && (live.messages ?? []).length === 0 && (live.name ?? null) === null,
  );
  return [...groupBy(unreadable, ({ account }) => account)].map(
    ([account, { length: count }]): Diagnostic => ({
      severity: 'info',
      code: 'unreadable-unnamed',
      message: `${count} unreadable unnamed broadcast${count === 1 ? '' : 's'} on account ${account}. Herald does not compare or change them.`,
    }),
  );
}

/** Unconfirmed requests, in every plan. */
export function openNotes({ open }: PlanFacts): readonly Diagnostic[] {
  return open.flatMap((request): readonly Diagnostic[] => {
    const { account, kind, name, live_id: id } = request;
    if (kind !== 'campaign' && kind !== 'broadcast') return [];
    const call = isOpenCreate(request) ? 'create' : isOpenRecall(request) ? 'recall' : 'status change';
    const about = id === null ? '' : ` of ${id}`;
    const message = `Unconfirmed: a ${call}${about}, sent at ${new Date(request.sent_at).toISOString()}, got no answer and may have succeeded.`;
    return [
      { severity: 'warning', code: 'open-entry', message, address: formatAddress({ account, kind, name }) },
    ];
  });
}

/** Objects on record as running on accounts that this workspace no longer reads. */
export function accountsLeft({ known, accounts }: PlanFacts): readonly Diagnostic[] {
  const read = new Set(accounts.map(({ accountId }) => accountId));
  return known.objects
    .filter(({ account_id: id, ours, recalled }) => ours === 1 && recalled === 0 && !read.has(id))
    .filter(
      ({ status_set: status, replaced_by: by }) =>
        by === null && status !== 'paused' && status !== 'archived',
    )
    .map(({ account_id: account, kind, live_id: id, name }): Diagnostic => ({
      severity: 'warning',
      code: 'account-left',
      message: `${id} may still reach fans, and herald.yaml does not name account ${account} any more. To stop it: ${pauseCommand(kind, id, account)}`,
      address: formatAddress({ account, kind, name }),
    }));
}

/** Nothing is created, started or called unchanged on a list that was not read. */
export function leaveUnseen(
  declared: readonly Declared[],
  unseen: Unseen = new Map(),
): {
  readonly seen: readonly Declared[];
  readonly changes: readonly Change[];
  readonly notes: readonly Diagnostic[];
} {
  const listOf = ({ address: { account, kind } }: Declared) => `${account}/${kind}`;
  const whyOf = (one: Declared) => unseen.get(listOf(one)) ?? unseen.get(one.address.account);
  const words = (list: string, why: string) =>
    `${why} To leave it out: ${formatCommand('plan', '--exclude', list)}`;
  const changes = declared.flatMap((one) => {
    const why = whyOf(one);
    return why === undefined ? [] : [blocked(one, words(one.address.account, why))];
  });
  // Where nothing is declared, Herald may have something live all the same.
  const isBlocked = new Set(declared.flatMap((one) => [one.address.account, listOf(one)]));
  const notes = [...unseen]
    .filter(([list]) => !isBlocked.has(list))
    .map(([list, why]): Diagnostic => ({
      severity: 'warning',
      code: 'account-not-seen',
      message: `Herald does not know what is live on ${list}. ${words(list, why)}`,
    }));
  return { seen: declared.filter((one) => whyOf(one) === undefined), changes, notes };
}
