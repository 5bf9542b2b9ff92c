import type { Change, Queued, Step, StepKind } from '../domain/change.ts';
import { isCreatable } from './live-defaults.ts';
import type { DiagnosticCode } from '../domain/codes.ts';
import { formatCommand } from '../domain/command-line.ts';
import type { Diagnostic } from '../domain/diagnostic.ts';
import { canonical } from '../domain/digest.ts';
import { listFiles } from '../domain/media.ts';
import type { CampaignReply } from '../domain/replies.ts';
import {
  formatAddress,
  KIND_ROWS,
  type Declared,
  type Observed,
  type ResolvedAccount,
} from '../domain/resource.ts';
import type { Known } from '../state/shapes.ts';
import { listDropped } from './compare/shown.ts';
import { warning } from './decide/decision.ts';
import type { Version } from './decide/group.ts';
import { isOpenCreate, isOpenRecall, formatByHand } from './decide/open.ts';
import type { PlanFacts, Rates } from './facts.ts';

/** What a plan says in addition to its decisions. None of it changes one. */

/** A change that makes a new version, or would with another allowance, tells what the old ones have and the file does not. */
export function withDropped(change: Change, declared: Declared, versions: readonly Version[]): Change {
  const { action, live_id: id, steps, needs } = change;
  const isMaking = action === 'replace' || action === 'create' || needs.length > 0;
  if (!isMaking && action !== 'keep') return change;
  const ids = new Set([id, ...steps.map((step) => step.live_id)]);
  const old = versions.filter(
    (version) => ids.has(version.id) && version.comparison.verdict !== 'unknowable',
  );
  return { ...change, dropped: [...listDropped(declared, old, action === 'keep' ? declared.ignore : [])] };
}

/**
 * What of the fields is ignored, is not in the file, or cannot be compared: none of it is drift. And what an apply no longer
 * protects.
 */
export function noteFields(
  { action, live_id: id, dropped }: Change,
  declared: Declared,
  versions: readonly Version[],
): readonly Diagnostic[] {
  const version = versions.find((one) => one.id === id);
  const notes: Diagnostic[] = [];
  const note = (code: DiagnosticCode, message: string, severity?: Diagnostic['severity']) =>
    notes.push(warning(declared, code, message, severity));
  if (action === 'keep' && version?.known?.protect === 1 && !declared.protect) {
    const message = `The file no longer protects ${version.id}. The next apply lifts its protection.`;
    note('protection-lifted', message, 'info');
  }
  const ignored = (version?.comparison.ignored ?? []).map(({ path }) => path).join(', ');
  if (ignored !== '') {
    const message = `${ignored}: ${id ?? ''} differs from the file here, but \`ignore\` has this field. A replace takes the file's value.`;
    note('ignored', message, 'info');
  }
  const unverifiable = (version?.comparison.unverifiable ?? []).join(', ');
  if (unverifiable !== '' && ['keep', 'replace', 'create'].includes(action)) {
    const message = `${unverifiable}: cannot be compared. The service does not show it, and the state does not have what was sent.`;
    note('unverifiable', message, 'info');
  }
  if (dropped.length > 0) {
    const values = dropped.map(({ path, live }) => `${path} ${canonical(live)}`).join(', ');
    const effect = action === 'keep' ? 'A replace would drop it.' : 'The new version is created without it.';
    const next = dropped.some(({ path }) => isCreatable(declared.kind, path))
      ? `To keep it, add it to the file, or run: ${formatCommand('import', '--update')}.`
      : 'A file cannot have it. After a replace, set it again on the service.';
    const message = `${values}: set on the service and not in the file. ${effect} ${next}`;
    note(action === 'keep' ? 'not-in-file' : 'dropped', message);
  }
  return notes;
}

/** What of a campaign is still queued; null for nothing, or where the service does not show it (CONTENT-26). */
function findQueued(live: CampaignReply): Queued | null {
  const { id, targeted_sends_count: targeted, first_message_stats: stats } = live;
  const sent = stats?.sent_messages_count;
  if (!Number.isInteger(targeted) || !Number.isInteger(sent) || targeted == null || sent == null) return null;
  return targeted <= sent ? null : { live_id: id, about: targeted - sent, targeted, sent };
}

/** What happens to the queue of a campaign that a step stops. An archive comes after the pause. */
const QUEUE_AFTER: Partial<Record<StepKind, string>> = {
  pause: 'The campaign keeps them while it is paused, and the service clears them after 7 days.',
  archive: 'The queue is cleared.',
  recall: 'The queue is cleared.',
};

/** A change that stops campaigns tells what they have still queued, and what becomes of it. */
export function withQueues(change: Change, findObject: (id: string) => Observed | undefined): Change {
  const ends = new Map(
    change.steps.flatMap(({ kind, live_id: id }) => {
      const end = QUEUE_AFTER[kind];
      return end === undefined || id === null ? [] : [[id, end] as const];
    }),
  );
  const queued = [...ends.keys()].flatMap((id) => {
    const object = findObject(id);
    return (object?.kind === 'campaign' ? findQueued(object.live) : null) ?? [];
  });
  if (queued.length === 0) return change;
  const words = queued.map(
    ({ live_id: id, about, targeted, sent }) =>
      `${id}: about ${about} ${about === 1 ? 'send is' : 'sends are'} still queued (${targeted} targeted, ${sent} sent). ${ends.get(id) ?? ''}`,
  );
  return { ...change, reasons: [...change.reasons, ...words], queued };
}

/** Unconfirmed requests, in every plan. */
export function noteOpen({ open }: PlanFacts): readonly Diagnostic[] {
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

/** Objects on record as running on accounts that this workspace no longer names. */
export function noteAccountsLeft({ left = [] }: PlanFacts): readonly Diagnostic[] {
  return left.map(({ account_id: account, kind, live_id: id, name }): Diagnostic => ({
    severity: 'warning',
    code: 'account-left',
    message: `${id} may still reach fans, and herald.yaml does not name account ${account} any more. To stop it: ${formatByHand('pause', kind, id, account)}`,
    address: formatAddress({ account, kind, name }),
  }));
}

/** The call of each step that the rates limit most. Reads come on top. */
const CALLS: Partial<Record<StepKind, string>> = {
  create: 'create',
  pause: 'set-status',
  archive: 'set-status',
  activate: 'set-status',
  resume: 'set-status',
  recall: 'unsend',
};

/** The time below which the published rates do not let these changes happen, in whole seconds. */
export function etaSec(changes: readonly Change[], rates: Rates): number {
  const counts = new Map<string, number>();
  let [total, uploadSec] = [0, 0];
  for (const { address, steps } of changes)
    for (const step of steps) {
      // Accounts go side by side.
      if (step.kind === 'upload') uploadSec = Math.max(uploadSec, step.about_sec);
      const call = CALLS[step.kind];
      if (call === undefined) continue;
      const operation = `${KIND_ROWS[address.kind].plural}.${call}`;
      counts.set(operation, (counts.get(operation) ?? 0) + 1);
      total += 1;
    }
  const bounds = [...counts].map(([operation, count]) => count / (rates.endpoint[operation] ?? rates.token));
  return Math.ceil(Math.max(total / rates.token, ...bounds)) + uploadSec;
}

/** An estimate: what a connection takes in a second, and what the service needs in addition to the bytes. */
const BYTES_PER_SECOND = 10_000_000;
const PROCESSING_SEC = 5;

/**
 * Puts the uploads before everything else of a change that creates, so that nothing is stopped for what cannot be brought
 * into the vault.
 */
export function addUploads(
  accounts: readonly ResolvedAccount[],
  media: Known['media'],
): (change: Change, declared: Declared) => Change {
  const idOf = new Map(accounts.map(({ alias, accountId }) => [alias, accountId]));
  const there = new Set(media.map(({ account_id: id, digest }) => `${id}/${digest}`));
  return (change, { address, content }) => {
    if (!change.steps.some(({ kind }) => kind === 'create')) return change;
    const uploads = listFiles(content)
      .filter(({ digest }) => !there.has(`${idOf.get(address.account) ?? ''}/${digest}`))
      .map(({ path, size }): Step => {
        const seconds = PROCESSING_SEC + Math.ceil(size / BYTES_PER_SECOND);
        return { kind: 'upload', live_id: null, file: path, size, about_sec: seconds };
      });
    return uploads.length === 0 ? change : { ...change, steps: [...uploads, ...change.steps] };
  };
}
