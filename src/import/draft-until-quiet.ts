import * as z from 'zod';
import { declaredFilterShape } from '../domain/audience.ts';
import { hiddenDigest } from '../domain/hidden.ts';
import { objectKey, type Knowledge } from '../domain/knowledge.ts';
import type { Importable } from './form.ts';
import type { LeftOut } from './left-out.ts';
import { ReconcileError } from '../errors.ts';
import { withChanges } from './adopt.ts';
import { checkDraft, type Faults, type DraftCheckInput } from './check.ts';
import { addressOf, makeDraft, type Draft, type DraftPlace } from './draft.ts';
import type { ResourceUpdate } from './file-edits.ts';

/** The place of a draft, and the inputs for its check. */
interface Work extends DraftCheckInput {
  readonly place: DraftPlace;
}

/** A draft that a plan would not change. */
export interface UnchangedDraft extends Draft {
  readonly leftOut: readonly LeftOut[];
}

/**
 * Writes a draft and plans with it. Resources that the plan would change are removed, and the rest is drafted again.
 * Each round removes something, so it ends.
 */
export async function draftUntilQuiet(
  work: Work,
  importables: readonly Importable[],
  updates: readonly ResourceUpdate[],
): Promise<UnchangedDraft> {
  const leftOut: LeftOut[] = [];
  for (;;) {
    const draft = await makeDraft(work.place, importables, updates);
    const knowledge = withChanges(work.knowledge, draft.refreshed);
    if (draft.files.length === 0) return { ...draft, leftOut };
    const faults = await checkDraft({ ...work, knowledge }, draft);
    if (faults.size === 0) return { ...draft, leftOut };
    const kept = importables.filter((one) => !faults.has(addressOf(one)));
    const keptUpdates = updates.filter(({ addresses }) => !addresses.some((one) => faults.has(one)));
    if (kept.length === importables.length && keptUpdates.length === updates.length)
      throw changesOthers(faults);
    const loudOnes = importables.filter((one) => faults.has(addressOf(one)));
    leftOut.push(...loudOnes.map((one) => wouldChange(one, faults, knowledge)));
    leftOut.push(...updates.flatMap((update) => updateWouldChange(update, faults)));
    importables = kept;
    updates = keptUpdates;
  }
}

function wouldChange(one: Importable, faults: Faults, knowledge: Knowledge): LeftOut {
  const { account, kind, name, liveId: live_id } = one;
  // The plan's reason is about a placeholder in a file that is not written.
  const reason = isSentOtherwise(one, knowledge) ? SENT_OTHERWISE : (faults.get(addressOf(one)) ?? '');
  return { account, kind, name, live_id, code: 'not-quiet', reason };
}

const SENT_OTHERWISE =
  'Its audience cannot be read back. It has names of fan lists or days, which the service never returns, or someone changed it since. Declare it by hand.';

const declaredFilters = z.array(declaredFilterShape);

/** True if the ledger has the fingerprint of another audience than the one that would be written. */
function isSentOtherwise(
  { accountId, kind, liveId, form, marks }: Importable,
  knowledge: Knowledge,
): boolean {
  const sent = knowledge.objects.get(objectKey(accountId, kind, liveId))?.hiddenDigest ?? null;
  if (sent === null || marks.length === 0) return false;
  const { data } = declaredFilters.safeParse(form['audience_filters']);
  return data !== undefined && sent !== hiddenDigest(data);
}

function updateWouldChange({ addresses, objects }: ResourceUpdate, faults: Faults): readonly LeftOut[] {
  const reason = addresses.map((address) => faults.get(address)).find((fault) => fault !== undefined);
  if (reason === undefined) return [];
  return objects.map(({ account, kind, name, liveId: live_id }): LeftOut => {
    return { account, kind, name, live_id, code: 'kept-as-written', reason };
  });
}

/** The error if the import would change the plan for other resources. */
function changesOthers(faults: Faults): ReconcileError {
  return new ReconcileError(
    'import-disturbs',
    `With these files, the plan would change for ${[...faults.keys()].join(', ')}. Nothing was written.`,
    'Apply or remove these resources first.',
  );
}
