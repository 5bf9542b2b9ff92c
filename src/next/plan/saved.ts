import { parse } from 'lossless-json';
import * as z from 'zod';
import { ALLOWANCE_NAMES, type Allowance } from '../../domain/allowance.ts';
import { planShape, writes, type Change, type ChangeKind, type Plan } from '../../domain/change.ts';
import { canonical, digest, sha256Of } from '../../domain/digest.ts';
import { compareIds } from '../../domain/ids.ts';
import { formatAddress, type Observed, type ResolvedAccount } from '../../domain/resource.ts';
import { servicePlace, type ServiceIdentity } from '../../domain/service-identity.ts';
import { serviceIdentityShape } from '../../domain/service-identity-shape.ts';
import { groupBy } from '../../domain/group-by.ts';
import { mayBeSame, repositoryWords } from '../../domain/repository.ts';
import type { Targeting } from './facts.ts';

/** A reviewed plan and everything that must still hold when it is applied. */
const savedPlanShape = z.strictObject({
  schema: z.literal('herald/saved-plan/1'),
  /** The service's time, ISO 8601 in UTC. */
  created_at: z.string(),
  /** Compared by itself: a plan of another service is refused before anything is asked of this one. */
  service: serviceIdentityShape,
  workspace_digest: z.string(),
  allow: z.array(z.enum(ALLOWANCE_NAMES)),
  /** The patterns of `--target` and `--exclude`; a plan of everything has none. */
  target: z.array(z.string()),
  exclude: z.array(z.string()),
  /** The account id behind each alias that a change touches. */
  accounts: z.record(z.string(), z.string()),
  /** Ids, status and readable content of each group that a change touches, by address. */
  groups: z.record(z.string(), z.string()),
  plan: planShape,
});
export interface SavedPlan extends Readonly<z.infer<typeof savedPlanShape>> {}

/** `herald/saved-plan/1`: the same in a file, with a digest over everything in it, and a signature if it has one. */
export const sealedPlanShape = savedPlanShape.extend({
  digest: z.string(),
  signature: z.string().optional(),
});

/** What is about the content, and not a part of it. */
const SEALS: readonly string[] = ['digest', 'signature'];

/**
 * The digest of a saved plan's document, with or without a digest in it. It is not a secret: anyone who changes the file
 * can compute it again. So the reviewer keeps the digest of the reviewed plan (`apply --expect`), or signs it.
 */
export function sealOf(document: object): string {
  const content = Object.entries(document).filter(([name]) => !SEALS.includes(name));
  return sha256Of(Object.fromEntries(content));
}

/** The service tells whole seconds, so two estimates of its clock differ a little. */
const CLOCK_TOLERANCE_MS = 60_000;

export interface SaveInput {
  readonly plan: Plan;
  readonly workspaceDigest: string;
  readonly allow: ReadonlySet<Allowance>;
  readonly targeting: Targeting;
  readonly observed: readonly Observed[];
  readonly accounts: readonly ResolvedAccount[];
  readonly nowMs: number;
}

export function savePlan(input: SaveInput): SavedPlan {
  const { plan, workspaceDigest, allow, targeting, observed, accounts, nowMs } = input;
  return {
    schema: 'herald/saved-plan/1',
    created_at: new Date(nowMs).toISOString(),
    service: plan.service,
    workspace_digest: workspaceDigest,
    allow: [...allow].toSorted(),
    target: [...targeting.target],
    exclude: [...targeting.exclude],
    accounts: accountsOf(plan, accounts),
    groups: groupPrints(plan, observed),
    plan,
  };
}

export interface FreshState {
  readonly plan: Plan;
  readonly workspaceDigest: string;
  readonly observed: readonly Observed[];
  readonly accounts: readonly ResolvedAccount[];
  readonly nowMs: number;
  readonly maxAgeMs: number;
}

/** Why a saved plan is no longer what was reviewed; empty when exactly that can still be applied. */
export function planConflicts(saved: SavedPlan, fresh: FreshState): readonly string[] {
  const other = otherService(saved, fresh.plan.service);
  // Everything else differs because of that.
  if (other !== null) return [other];
  const reasons: string[] = [];
  const age = agePast(saved, fresh);
  if (age !== null) reasons.push(age);
  if (saved.workspace_digest !== fresh.workspaceDigest) reasons.push('the files have changed since');
  const accounts = accountsOf(saved.plan, fresh.accounts);
  for (const alias of new Set([...Object.keys(saved.accounts), ...Object.keys(accounts)])) {
    const [was, is] = [saved.accounts[alias], accounts[alias]];
    if (was !== is) reasons.push(`${alias} was account ${was ?? 'none'} and is ${is ?? 'none'} now`);
  }
  const groups = groupPrints(saved.plan, fresh.observed);
  for (const address of new Set([...Object.keys(saved.groups), ...Object.keys(groups)])) {
    if (groups[address] !== saved.groups[address])
      reasons.push(`${address} has changed on the service since`);
  }
  if (reasons.length === 0) reasons.push(...otherDecisions(saved.plan, fresh.plan));
  return reasons;
}

/** Why its age is not one that is allowed; null if it is. */
export function agePast(
  { created_at: at }: Pick<SavedPlan, 'created_at'>,
  { nowMs, maxAgeMs }: Pick<FreshState, 'nowMs' | 'maxAgeMs'>,
): string | null {
  const ageMs = nowMs - Date.parse(at);
  if (ageMs < -CLOCK_TOLERANCE_MS) return `it was made at ${at}, which is in the future`;
  return ageMs <= maxAgeMs ? null : `it was made at ${at}, longer ago than --max-plan-age allows`;
}

/**
 * Why a plan was made in another workspace; null when it was not, or when git does not tell. `remotes` are those of this
 * workspace.
 */
export function otherWorkspace({ plan }: SavedPlan, remotes: readonly string[]): string | null {
  const { repository = [] } = plan;
  if (mayBeSame({ remotes: repository, service: null }, { remotes, service: null })) return null;
  return `this plan was made in the workspace ${placeWords(repository)}, and this one is ${placeWords(remotes)}`;
}

function placeWords(remotes: readonly string[]): string {
  return repositoryWords({ remotes, service: null });
}

/** Why a plan was made for another service than this run works with; null when it was not. */
export function otherService({ service }: SavedPlan, now: ServiceIdentity): string | null {
  if (service.origin === now.origin) return null;
  const from = now.source === 'herald.yaml' ? '' : ` (from ${now.source})`;
  return `this plan was made for ${servicePlace(service)}, and this run works with ${servicePlace(now)}${from}`;
}

function accountsOf(plan: Plan, accounts: readonly ResolvedAccount[]): Record<string, string> {
  const touched = new Set(plan.changes.filter(writes).map(({ address }) => address.account));
  return Object.fromEntries(
    accounts.filter(({ alias }) => touched.has(alias)).map(({ alias, accountId }) => [alias, accountId]),
  );
}

/** One fingerprint for each touched address: every live object of its name or id, as far as it can be read. */
function groupPrints(plan: Plan, observed: readonly Observed[]): Record<string, string> {
  const byName = groupBy(observed, (object) => keyOf(object, object.live.name ?? ''));
  const byId = new Map(observed.map((object) => [keyOf(object, object.live.id), object]));
  const changesOf = groupBy(plan.changes.filter(writes), ({ address }) => formatAddress(address));
  const prints: Record<string, string> = {};
  for (const [key, changes] of changesOf) {
    const touched = changes.flatMap(({ address, live_id, steps }) =>
      [live_id, ...steps.map((step) => step.live_id)]
        .map((id) => byId.get(keyOf(address, id ?? '')))
        .filter((object) => object !== undefined),
    );
    const group = [...new Set([...(byName.get(key) ?? []), ...touched])];
    // Lists come in any order, which says nothing about what is live.
    prints[key] = digest(
      group.toSorted((left, right) => compareIds(left.live.id, right.live.id)).map(readablePart),
    );
  }
  return prints;
}

function keyOf({ account, kind }: { account: string; kind: string }, nameOrId: string): string {
  return `${account}/${kind}/${nameOrId}`;
}

function readablePart({ kind, live }: Observed): unknown {
  const shared = {
    id: live.id,
    name: live.name,
    status: live.status,
    rules: live.rules,
    audience: live.audience_filters?.map(canonical).toSorted(),
    messages: live.messages,
  };
  if (kind === 'campaign') return { ...shared, trigger: live.trigger, action: live.action };
  return { ...shared, scheduled_at: live.scheduled_at };
}

/** Same files and same live state, yet another decision, each with its reason: time has passed a schedule or a window. */
function otherDecisions(saved: Plan, fresh: Plan): readonly string[] {
  const [was, is] = [byObject(saved), byObject(fresh)];
  const keys = [...new Set([...was.keys(), ...is.keys()])].toSorted();
  return keys.flatMap((key) => {
    const [before, after] = [was.get(key), is.get(key)];
    if (canonical(comparablePart(before)) === canonical(comparablePart(after))) return [];
    const planned =
      before === undefined ? 'the plan leaves it as it is' : `the plan would ${before.action} it`;
    return [
      `${key}: ${planned}, and now ${before === undefined ? '' : reasonIn(fresh, before)}${would(before, after)}`,
    ];
  });
}

function would(before: Change | undefined, after: Change | undefined): string {
  if (after === undefined) return 'Herald would leave it as it is';
  return before?.action === after.action
    ? `Herald would ${after.action} it in another way`
    : `Herald would ${after.action} it`;
}

const NOTHING_SENT: readonly ChangeKind[] = ['missed', 'blocked', 'done'];

/** Why nothing would be sent for it. Empty where something else is decided. */
function reasonIn(fresh: Plan, { address }: Change): string {
  const key = formatAddress(address);
  const found = fresh.changes.find(
    (change) => formatAddress(change.address) === key && NOTHING_SENT.includes(change.action),
  );
  if (found === undefined) return '';
  const warning = fresh.diagnostics.find((one) => one.address === key && one.severity === 'warning');
  const why = (found.reasons[0] ?? warning?.message ?? '').replace(/\.$/, '');
  return `it is ${found.action}${why === '' ? '' : ` (${why})`}, so `;
}

function byObject(plan: Plan): ReadonlyMap<string, Change> {
  return new Map(
    plan.changes
      .filter(writes)
      .map((change) => [
        `${formatAddress(change.address)}${change.live_id === null ? '' : ` (${change.live_id})`}`,
        change,
      ]),
  );
}

function comparablePart(change: Change | undefined): unknown {
  if (change === undefined) return null;
  // What was uploaded meanwhile need not be uploaded any more: nothing else is decided otherwise for it.
  const steps = change.steps.filter(({ kind }) => kind !== 'upload');
  return { action: change.action, steps, fields: change.fields };
}

/** A saved plan with its digest, which fits its content. */
export interface Sealed {
  readonly kind: 'sealed';
  readonly saved: SavedPlan;
  readonly digest: string;
  readonly signature: string | undefined;
}

/** What the text of a saved plan is. `problem` follows the name of its file. */
export type SealedText =
  Sealed | { readonly kind: 'changed' } | { readonly kind: 'bad'; readonly problem: string };

/** Reads the text of a saved plan, and compares its content with its digest. */
export function parseSaved(text: string): SealedText {
  const read = parseStrictJson(text);
  if ('problem' in read) return { kind: 'bad', problem: `is not a saved plan: ${read.problem}` };
  const { document } = read;
  const parsed = sealedPlanShape.safeParse(document);
  if (!parsed.success) return { kind: 'bad', problem: 'is not a plan saved by this version of Herald' };
  const { digest, signature, ...saved } = parsed.data;
  if (digest !== sealOf(document as object)) return { kind: 'changed' };
  return { kind: 'sealed', saved, digest, signature };
}

/** Larger files are not plans. */
const LENGTH_MAX = 256 * 1024 * 1024;

/** Parsed JSON, or what is wrong with it, as the end of a sentence. */
type StrictJson = { readonly document: unknown } | { readonly problem: string };

/**
 * Parses a document of which every reader has to see the same: no key occurs twice, and it is not nested without end.
 * A problem never quotes the file, which may be a key by mistake.
 */
function parseStrictJson(text: string): StrictJson {
  if (text.length > LENGTH_MAX) return { problem: 'it is larger than 256 MB' };
  let isDouble = false;
  try {
    parse(text, null, {
      parseNumber: Number,
      onDuplicateKey: ({ newValue }) => {
        isDouble = true;
        return newValue;
      },
    });
    if (isDouble) return { problem: 'a key occurs twice in it' };
    return { document: JSON.parse(text) as unknown };
  } catch (error) {
    return { problem: error instanceof RangeError ? 'it is nested too deeply' : 'it is not valid JSON' };
  }
}
