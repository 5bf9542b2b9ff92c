import { formatCommand } from '../domain/command-line.ts';
import type { Plan } from '../domain/change.ts';
import { compareDiagnostics } from '../domain/diagnostic.ts';
import { EXIT, type ExitCode } from '../domain/exit-codes.ts';
import { HeraldError, interruptedError } from '../domain/herald-error.ts';
import { apply } from '../engine/apply.ts';
import { explainDrift } from '../engine/drift.ts';
import { type Look, type LookOptions, look } from '../engine/look.ts';
import type { Reason } from '../engine/reasons.ts';
import type { Result, Run } from '../engine/run.ts';
import { findBlocked } from '../events/blocked.ts';
import { describePlan, type Circumstances } from '../page/document.ts';
import { withFingerprints } from '../plan/review.ts';
import { indexRows, parsePatterns, selectAddresses, type Targeting } from '../plan/facts.ts';
import { type SavedPlan, agePast, planConflicts, savePlan } from '../plan/saved.ts';
import { readHistory } from './history.ts';
import type { Opened } from './connect.ts';
import { servicePlace } from '../domain/service-identity.ts';
import { formatAddress } from '../domain/resource.ts';
import { didYouMean } from '../workspace/suggest.ts';

/** What a plan or a drift is about, and what it tells. */
export interface PlanWishes {
  readonly targeting: Targeting;
  /** Where, when and by whom it is made. Its `flags` are the allowances of this run, next to those of the files. */
  readonly circumstances: Circumstances;
  /** False where no output shows what the files declare. That saves a large plan time and memory. */
  readonly contents?: boolean | undefined;
  /** The targets come from a comparison: a branch may remove what is not live any more. */
  readonly isCompared?: boolean;
}

/** A plan, and how to keep it for a review and a later apply. */
export interface PlannedLook extends Look {
  readonly save: () => Promise<SavedPlan>;
}

/** Reads everything that a plan depends on, and plans. Sends only reads, and writes nothing. */
export async function planFiles(opened: Opened, wishes: PlanWishes): Promise<PlannedLook> {
  const seen = await opened.withReadingRun((run) => lookToShow(run, opened, wishes));
  const save = async () => savePlan(describeMade(seen, await opened.workspace.digest()), seen.facts);
  return { ...seen, save };
}

/** A look. Its plan has fingerprints, and what a person needs to review it without the files. */
async function lookToShow(
  run: Run,
  opened: Opened,
  { targeting, circumstances, contents = true, isCompared = false }: PlanWishes,
): Promise<Look> {
  const allow = new Set([...circumstances.flags, ...opened.workspace.allow]);
  const seen = await look(run, opened, { allow, targeting });
  if (!isCompared) refuseUnmatched(targeting, seen);
  const { plan, facts } = seen;
  const about = { ...circumstances, ...facts, contents, settings: opened.workspace };
  return {
    ...seen,
    plan: describePlan(withFingerprints(plan, facts), { ...about, nowMs: facts.time.latestMs }),
  };
}

/** Throws for a pattern without a match, such as a typo. Only `--exclude` may name what is only live. */
function refuseUnmatched(targeting: Targeting, { plan, facts }: Pick<Look, 'plan' | 'facts'>): void {
  const { declared, observed, known } = facts;
  const { isEverything, selects, excludes } = selectAddresses(targeting);
  if (isEverything) return;
  const split = declared.find(
    ({ address, renamedFrom }) =>
      renamedFrom !== null && selects(address) && excludes({ ...address, name: renamedFrom }),
  );
  if (split !== undefined)
    // Carrying out the rename would change an excluded object.
    throw new HeraldError(
      'excluded-rename',
      `--exclude leaves out "${split.renamedFrom ?? ''}", and ${formatAddress(split.address)} is renamed from it. Nothing was changed.`,
      'Exclude both names, or neither.',
    );
  const due = [...[...declared, ...plan.changes].map(({ address }) => address), ...facts.open];
  const rowOf = indexRows(known.objects);
  const live = observed.flatMap((object) =>
    [object.live.name, rowOf(object)?.name].flatMap((name) =>
      name == null || name === '' ? [] : [{ account: object.account, kind: object.kind, name }],
    ),
  );
  const { target, exclude } = targeting;
  for (const [flag, patterns, names] of [
    ['--target', target, due],
    ['--exclude', exclude, [...due, ...live]],
  ] as const)
    for (const pattern of patterns) {
      if (names.some(parsePatterns([pattern]).fits)) continue;
      const accounts = names.map(({ account }) => `${account}/*`);
      const known = [...new Set([...names.map(formatAddress), ...accounts])].toSorted();
      throw new HeraldError(
        'no-match',
        `${flag} ${JSON.stringify(pattern)} matches nothing. Nothing was changed.`,
        `${didYouMean(pattern, known)} A pattern is account/kind/name, with * for any characters. The account is an alias, not a group. ${seeAddresses()}`.trim(),
      );
    }
  if (due.some(selects) || plan.changes.length > 0) return;
  throw new HeraldError(
    'nothing-left',
    '--target and --exclude together leave nothing. Nothing was changed.',
    seeAddresses(),
  );
}

const seeAddresses = () => `To see the addresses: ${formatCommand('plan', '--format', 'json')}`;

/** Looks at what differs between live and the files, and at messages that were blocked. Sends only reads. */
export function findDrift(opened: Opened, wishes: PlanWishes): Promise<Plan> {
  return opened.withReadingRun(async (run) => {
    const seen = await lookToShow(run, opened, wishes);
    const { accounts, time, targeting } = seen.facts;
    const plan = await explainDrift(run.state, seen);
    const { selects } = selectAddresses(targeting);
    // Events may be about an account that the plan does not read.
    const declared = opened.workspace.accounts.flatMap(({ alias, selector }) =>
      selector.by === 'id' ? [[selector.value, alias] as const] : [],
    );
    const blocked = await findBlocked(opened.ports.events, {
      nowMs: time.latestMs,
      aliases: new Map([...declared, ...accounts.map(({ alias, accountId }) => [accountId, alias] as const)]),
      readPast: async (since) =>
        (await readHistory(run.state, { since })).map(({ item }) => item).filter((item) => selects(item)),
    });
    return { ...plan, diagnostics: [...plan.diagnostics, ...blocked].toSorted(compareDiagnostics) };
  });
}

/** What a saved plan has of a look. The plan has its fingerprints already. */
function describeMade({ plan, facts: { accounts, time } }: Look, workspaceDigest: string) {
  return { plan, accounts, workspaceDigest, nowMs: time.latestMs };
}

/** What an apply of the files may do, and how people agree to it. */
export interface ApplyTerms extends LookOptions {
  /** Plans that people reviewed before. `isExact`: exactly this one is applied, or nothing. */
  readonly reviewed?:
    | { readonly plans: readonly SavedPlan[]; readonly isExact: boolean; readonly maxAgeMs: number | null }
    | undefined;
  /** What a person does if the plan is stale. */
  readonly again: string;
  /** Nothing is asked. Then declared stops leave while the run waits for requests without an answer. */
  readonly isAgreed: boolean;
  /** The targets were typed: one without a match ends the run before anything is sent. */
  readonly mustMatch?: boolean;
  /** Shows the plan, throws if it must not be carried out, and asks. `waited`: a person took time to answer. */
  readonly agree: (seen: Look) => Promise<'at-once' | 'waited'>;
  readonly writesBranch?: boolean;
}

/** Files that were loaded longer ago are read again before anything is agreed to: the run may have waited. */
const FILES_SERVE_MS = 2_000;

/**
 * One apply, from the lease to its results. Rejects with `locked` while another run has the lease, with `stale-plan`
 * if the plan is not what people agreed to, and with `held-back` if a policy denies it.
 */
export async function applyFiles(opened: Opened, terms: ApplyTerms): Promise<readonly Result[]> {
  const { reviewed, again, agree, isAgreed, writesBranch, mustMatch = false, ...limits } = terms;
  const { plans = [], isExact = false, maxAgeMs = null } = reviewed ?? {};
  const { workspace, ports } = opened;
  // Before any request.
  for (const plan of plans) refuseStale(findMoved(plan, workspace), again);
  const begunMs = ports.clock.monotonicMs();
  const digest = await workspace.digest();
  const madeFrom = (seen: Look) =>
    describeMade({ ...seen, plan: withFingerprints(seen.plan, seen.facts) }, digest);
  const refuseOldFiles = async () => {
    if (ports.clock.monotonicMs() - begunMs > FILES_SERVE_MS) await refuseChangedFiles(opened, digest);
  };
  return opened.withLeasedRun({ command: 'apply', writesBranch }, async (run) => {
    // Before the stops that leave early.
    await refuseOldFiles();
    return apply(endReadingOnInterrupt(run), opened, {
      ...limits,
      uploads: opened.uploads(run),
      mode: 'declared',
      ...(mustMatch ? { check: (seen: Look) => refuseUnmatched(limits.targeting, seen) } : {}),
      // Stops of a saved plan that may be refused wait until it was compared.
      isAgreed: isAgreed && !isExact && maxAgeMs === null,
      agree: async (seen) => {
        for (const plan of plans) {
          const made = { ...madeFrom(seen), maxAgeMs: maxAgeMs ?? Number.POSITIVE_INFINITY };
          // By whichever clock it is older.
          const nowMs = Math.max(made.nowMs, run.clock.now());
          if (isExact) refuseStale(planConflicts(plan, made), again);
          else if (maxAgeMs !== null) refuseStale(agePast(plan, { maxAgeMs, nowMs }), again);
        }
        await refuseOldFiles();
        return agree(seen);
      },
      // A person took time to answer.
      refuseChanged: (agreed, now) => {
        const shown = savePlan(madeFrom(agreed), limits);
        refuseStale(planConflicts(shown, { ...madeFrom(now), maxAgeMs: Number.POSITIVE_INFINITY }), again);
      },
    });
  });
}

/** A plan of another service, and one of accounts that the files do not name any more: its changes would look as if they were done. */
function findMoved({ plan, accounts }: SavedPlan, workspace: Opened['workspace']): readonly string[] {
  const { service } = plan;
  const now = workspace.service.identity;
  const from = now.source === 'herald.yaml' ? '' : ` (from ${now.source})`;
  if (service.origin !== now.origin)
    return [
      `this plan was made for ${servicePlace(service)}, and this run works with ${servicePlace(now)}${from}`,
    ];
  const aliases = new Set(workspace.accounts.map(({ alias }) => alias));
  const lost = Object.keys(accounts).filter((alias) => !aliases.has(alias));
  return lost.map((alias) => `herald.yaml does not have the account ${alias} any more`);
}

/** An interrupt ends the reading of lists as long as nothing was sent. After that, the run ends with its report. */
function endReadingOnInterrupt(run: Run): Run {
  let hasSent = false;
  return {
    ...run,
    report: (event) => {
      hasSent ||= event.kind === 'applying';
      if (event.kind === 'reading' && !hasSent && run.interrupted.aborted) throw interruptedError();
      run.report(event);
    },
  };
}

/** Throws if the files say something else than when they were loaded: a run may wait for minutes after that. */
async function refuseChangedFiles({ digestNow }: Opened, digest: string): Promise<void> {
  const now = await digestNow();
  if (now !== digest)
    refuseStale(
      'the files changed while Herald waited',
      now === null ? `They are not valid now: ${formatCommand('validate')}` : 'Run the command again.',
    );
}

/** Throws before anything is sent, if what would be done now is not what people agreed to. */
function refuseStale(found: readonly string[] | string | null, again: string): void {
  const reasons = [found ?? []].flat();
  if (reasons.length === 0) return;
  const message = `The plan is stale, so it is not carried out: ${reasons.join('; ')}.`;
  throw new HeraldError('stale-plan', message, again, { details: { reasons } });
}

/**
 * A failed change counts as applied if it changed live state, for example if it paused the old version. A state that misses
 * what was sent counts as a failed change, because a later run cannot know what this one did. After a lost lease, that other
 * run may have changed something as well.
 *
 * | unknown | interrupted | failed, or not on record | applied or left behind | blocked | exit |
 * |---------|-------------|--------------------------|------------------------|---------|------|
 * | yes     |             |                          |                        |         | 3    |
 * | lease lost            |                          |                        |         | 4    |
 * |         | yes         |                          |                        |         | 130  |
 * |         |             | yes                      | yes                    |         | 4    |
 * |         |             | yes                      | no                     |         | 1    |
 * |         |             |                          |                        | yes     | 5    |
 * |         |             |                          |                        |         | 0    |
 */
export function applyExit(results: readonly Result[], interrupted: boolean): ExitCode {
  const has = (outcome: Result['outcome']) => results.some((result) => result.outcome === outcome);
  const reasons = results.flatMap((result) => result.reasons);
  if (has('unknown')) return EXIT.unknown;
  if (reasons.some((reason) => reason.kind === 'hindered' && reason.hindrance.kind === 'lease-lost'))
    return EXIT.partly;
  const isBlocked = ({ change: { action } }: Result) => action === 'blocked';
  const isCutShort = (result: Result) =>
    result.outcome === 'not_attempted' &&
    (!isBlocked(result) || result.reasons.some(({ kind }) => kind === 'interrupted'));
  if (interrupted && results.some(isCutShort)) return EXIT.interrupted;
  const failures: readonly Reason['kind'][] = ['unrecorded', 'not-on-record', 'broke-off'];
  if (has('failed') || reasons.some(({ kind }) => failures.includes(kind)))
    return results.some(changedSomething) ? EXIT.partly : EXIT.failed;
  return results.some(isBlocked) ? EXIT.blocked : EXIT.done;
}

/** An object adopted by a `keep` or as `done` was created by an earlier run. Any other adopted object was created by this one. */
function changedSomething({
  outcome,
  change: { action, live_id: before },
  liveId,
  reasons,
}: Result): boolean {
  return (
    outcome === 'applied' ||
    // A person has stopped what was created.
    (liveId !== before &&
      reasons.some((one) => one.kind === 'hindered' && one.hindrance.kind === 'stopped-by-hand')) ||
    (outcome === 'adopted' && action !== 'keep' && action !== 'done') ||
    reasons.some(
      ({ kind }) => kind === 'old-stays-paused' || kind === 'not-on-record' || kind === 'new-is-live',
    )
  );
}
