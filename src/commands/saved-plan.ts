import type { Context } from '../context.ts';
import { savedPlanShape, staleness, type SavedPlan } from '../plan/saved.ts';
import { EXIT } from './exit-codes.ts';
import { CommandError } from './failure.ts';
import type { Inspection, Opened } from './inspect.ts';

export async function readSavedPlan(context: Context, path: string): Promise<SavedPlan> {
  const hint = 'Make it with: herald plan --out plan.json';
  let document: unknown;
  try {
    document = JSON.parse(await context.files.readText(path));
  } catch (error) {
    throw new CommandError(
      'bad-plan-file',
      `The saved plan ${path} cannot be read: ${(error as Error).message}.`,
      hint,
    );
  }
  const parsed = savedPlanShape.safeParse(document);
  if (!parsed.success)
    throw new CommandError('bad-plan-file', `${path} is not a plan saved by this version of Herald.`, hint);
  return parsed.data;
}

/** Throws when what was reviewed is not what would be done now. */
export async function refuseStale(
  saved: SavedPlan,
  opened: Opened,
  fresh: Inspection,
  maxAgeHours: number,
  what: string,
): Promise<void> {
  const reasons = staleness(saved, {
    plan: fresh.plan,
    observed: fresh.observed,
    accounts: fresh.accounts,
    nowMs: fresh.nowMs,
    workspaceDigest: await opened.workspace.digest(),
    maxAgeMs: maxAgeHours * 3_600_000,
  });
  if (reasons.length === 0) return;
  throw new CommandError(
    'stale-plan',
    `${what}, so nothing was changed: ${reasons.join('; ')}.`,
    'Run herald plan again and review it.',
    EXIT.blocked,
    { reasons },
  );
}
