import { escapeGlob } from '../domain/glob.ts';
import { EVERYTHING, type Targeting } from '../plan/facts.ts';
import type { ReviewMarker } from './marker.ts';

/** Nothing at all. */
const NOTHING: Targeting = { target: [], exclude: ['*'] };

/** What several reviewed plans are about together. */
export function joinedTargets(plans: readonly Pick<Targeting, 'target' | 'exclude'>[]): Targeting {
  const [only, ...others] = plans;
  if (only !== undefined && others.length === 0) return { target: only.target, exclude: only.exclude };
  if (plans.some(({ target, exclude }) => target.length === 0 && exclude.length === 0)) return EVERYTHING;
  // One without a target excludes everything: no file of it differed.
  const target = [...new Set(plans.flatMap((plan) => plan.target))];
  return target.length === 0 ? NOTHING : { target, exclude: [] };
}

/** The addresses of a comment, where the plan itself is gone. */
export function targetsOfMarker({ changes = {} }: ReviewMarker): Targeting {
  const target = Object.keys(changes).map(escapeGlob);
  return target.length === 0 ? NOTHING : { target, exclude: [] };
}
