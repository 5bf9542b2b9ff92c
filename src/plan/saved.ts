import * as z from 'zod';
import { type Change, type Plan, planShape, writes } from '../domain/change.ts';
import { digest } from '../domain/digest.ts';
import { groupBy } from '../domain/group-by.ts';
import { formatAddress, type ResolvedAccount } from '../domain/resource.ts';
import type { Targeting } from './facts.ts';
import { ALLOWANCE_NAMES, type Allowance } from '../domain/change-kinds.ts';

/** A reviewed plan and everything that must still hold when it is applied. */
const savedPlanShape = z.strictObject({
  schema: z.literal('herald/saved-plan/1'),
  /** The service's time, ISO 8601 in UTC. */
  created_at: z.string(),
  workspace_digest: z.string(),
  allow: z.array(z.enum(ALLOWANCE_NAMES)),
  /** The patterns of `--target` and `--exclude`; a plan of everything has none. */
  target: z.array(z.string()),
  exclude: z.array(z.string()),
  /** The account id behind each alias that a change touches. */
  accounts: z.record(z.string(), z.string()),
  plan: planShape,
});
export interface SavedPlan extends Readonly<z.infer<typeof savedPlanShape>> {}

/** `herald/saved-plan/1`: the same in a file, with a digest over everything in it, and a signature if it has one. */
export const sealedPlanShape = savedPlanShape.extend({
  digest: z.string(),
  signature: z.string().optional(),
});
export interface SealedPlan extends Readonly<z.infer<typeof sealedPlanShape>> {}

/**
 * The digest of a saved plan's document, with or without a digest in it. It is not a secret: anyone who changes the file
 * can compute it again. So the reviewer keeps the digest of the reviewed plan (`apply --expect`), or signs it.
 */
export function computeSeal(document: object): string {
  const content = Object.entries(document).filter(([name]) => name !== 'digest' && name !== 'signature');
  return digest(Object.fromEntries(content), 'whole');
}

/** A document as a saved plan; null if it is none of this version. `isIntact`: its content is that of its digest. */
export function parseSealed(document: unknown) {
  const { digest, signature, ...saved } = sealedPlanShape.safeParse(document).data ?? {};
  if (digest === undefined) return null;
  const isIntact = digest === computeSeal(document as object);
  return { saved: saved as SavedPlan, digest, signature, isIntact };
}

/** A plan with fingerprints (`withFingerprints`), and what it was made from. */
interface Made {
  readonly plan: Plan;
  readonly accounts: readonly ResolvedAccount[];
  readonly workspaceDigest: string;
  readonly nowMs: number;
}

export function savePlan(
  { plan, workspaceDigest, accounts, nowMs }: Made,
  { allow, targeting }: { readonly allow: ReadonlySet<Allowance>; readonly targeting: Targeting },
): SavedPlan {
  return {
    schema: 'herald/saved-plan/1',
    created_at: new Date(nowMs).toISOString(),
    workspace_digest: workspaceDigest,
    allow: [...allow].toSorted(),
    target: [...targeting.target],
    exclude: [...targeting.exclude],
    accounts: listAccounts(plan, accounts),
    plan,
  };
}

/** Reasons to refuse a saved plan of this service. Empty if it can be applied exactly as it was reviewed. */
export function planConflicts(
  saved: SavedPlan,
  fresh: Made & { readonly maxAgeMs: number },
): readonly string[] {
  const reasons = [agePast(saved, fresh) ?? []].flat();
  if (saved.workspace_digest !== fresh.workspaceDigest) reasons.push('the files have changed since');
  const accounts = listAccounts(saved.plan, fresh.accounts);
  const moved = Object.entries(saved.accounts).filter(([alias, was]) => accounts[alias] !== was);
  reasons.push(
    ...moved.map(([alias, was]) => `${alias} was account ${was} and is ${accounts[alias] ?? 'none'} now`),
  );
  // What follows differs because of that.
  if (reasons.length > 0) return reasons;
  const [reviewed, current] = [listFingerprints(saved.plan), listFingerprints(fresh.plan)];
  return [...new Set([...reviewed.keys(), ...current.keys()])]
    .filter((address) => reviewed.get(address) !== current.get(address))
    .map((address) => {
      const now = fresh.plan.changes.filter((one) => formatAddress(one.address) === address);
      const actions = new Set(now.map(({ action }) => action));
      actions.delete('keep');
      const says = [...actions].join(' and ') || 'unchanged';
      const why = now.map(({ reasons: told }) => told[0] ?? '').find((words) => words !== '');
      const end = why === undefined ? '' : `. ${why.replace(/\.$/, '')}`;
      return `${address} has changed on the service since, or its time has come: a new plan says ${says}${end}`;
    });
}

/** Why its age is not one that is allowed; null if it is. */
export function agePast(
  { created_at: at }: Pick<SavedPlan, 'created_at'>,
  { nowMs, maxAgeMs }: { readonly nowMs: number; readonly maxAgeMs: number },
): string | null {
  const ageMs = nowMs - Date.parse(at);
  return ageMs <= maxAgeMs ? null : `it was made at ${at}, longer ago than --max-plan-age allows`;
}

function listAccounts(plan: Plan, accounts: readonly ResolvedAccount[]): Record<string, string> {
  const touched = new Set(plan.changes.filter(writes).map(({ address }) => address.account));
  return Object.fromEntries(
    accounts.filter(({ alias }) => touched.has(alias)).map(({ alias, accountId }) => [alias, accountId]),
  );
}

/** Of the changes that write, by address. */
function listFingerprints({ changes }: Plan): ReadonlyMap<string, string> {
  const byAddress = groupBy(changes.filter(writes), ({ address }) => formatAddress(address));
  const list = (own: readonly Change[]) => own.map((one) => one.fingerprint ?? '').toSorted();
  return new Map([...byAddress].map(([address, own]) => [address, list(own).join(' ')]));
}
