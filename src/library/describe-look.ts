import type { Look, LookOptions } from '../engine/look.ts';
import { describePlan, type Circumstances } from '../plan/describe.ts';
import { withFingerprints } from '../plan/fingerprint.ts';
import { savePlan, type SavedPlan } from '../plan/saved.ts';
import type { Opened } from './open.ts';

export type { Circumstances };

/**
 * Adds to the plan of a look its fingerprints, and what a person needs to review it without the files. Where no output
 * shows what the files declare, `contents: false` leaves it out and saves a large plan time and memory.
 */
export function describeLook(
  { workspace }: Pick<Opened, 'workspace'>,
  seen: Look,
  circumstances: Circumstances,
  { contents = true }: { readonly contents?: boolean } = {},
): Look {
  const { facts } = seen;
  const nowMs = facts.time.latestMs;
  const printed = withFingerprints(seen.plan, facts);
  return {
    ...seen,
    plan: describePlan(printed, { ...circumstances, ...facts, contents, settings: workspace, nowMs }),
  };
}

/** A plan to review and apply later. */
export async function saveLook(
  { workspace }: Pick<Opened, 'workspace'>,
  { allow, targeting }: Pick<LookOptions, 'allow' | 'targeting'>,
  { plan, facts }: Look,
): Promise<SavedPlan> {
  const workspaceDigest = await workspace.digest();
  const { accounts, time } = facts;
  return savePlan({ plan, accounts, workspaceDigest, nowMs: time.latestMs }, { allow, targeting });
}
