import { HeraldError } from '../domain/herald-error.ts';
import { formatAddress } from '../domain/resource.ts';
import { digestHidden } from '../plan/compare/content.ts';
import { objectKey } from '../plan/facts.ts';
import { checkDraft, type Checked, type DraftCheckInput } from './check.ts';
import { addressOf, makeDraft, type Draft, type DraftPlace } from './draft.ts';
import type { ResourceUpdate } from './file-edits.ts';
import type { Importable } from './form.ts';
import type { LeftOut } from './left-out.ts';

/** The place of a draft, and the inputs for its check. */
interface Work extends DraftCheckInput {
  readonly place: DraftPlace;
}

/** A draft that a plan would not change. */
export interface UnchangedDraft extends Draft {
  readonly leftOut: readonly LeftOut[];
  /** The plan with its files. */
  readonly seen: Pick<Checked, 'plan' | 'facts'>;
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
    if (draft.files.length === 0) return { ...draft, leftOut, seen: work.scan };
    const checked = await checkDraft(work, draft);
    const { faults } = checked;
    if (faults.size === 0) return { ...draft, leftOut, seen: checked };
    const kept = importables.filter((one) => !faults.has(addressOf(one)));
    const keptUpdates = updates.filter(({ addresses }) => !addresses.some((one) => faults.has(one)));
    if (kept.length === importables.length && keptUpdates.length === updates.length)
      throw changesOthers(faults);
    const loudOnes = importables.filter((one) => faults.has(addressOf(one)));
    leftOut.push(...loudOnes.map((one) => wouldChange(one, checked)));
    leftOut.push(...updates.flatMap((update) => updateWouldChange(update, faults)));
    importables = kept;
    updates = keptUpdates;
  }
}

function wouldChange(one: Importable, checked: Checked): LeftOut {
  const { account, kind, name, liveId: live_id } = one;
  // The plan's reason is about a placeholder in a file that is not written.
  const reason = isSentOtherwise(one, checked) ? SENT_OTHERWISE : (checked.faults.get(addressOf(one)) ?? '');
  return { account, kind, name, live_id, code: 'not-quiet', reason };
}

const SENT_OTHERWISE =
  'Its audience cannot be read back. It has names of fan lists or days, which the service never returns, or someone changed it since. Declare it by hand.';

/** True if the state has the digest of another audience than the one that would be written. */
function isSentOtherwise(one: Importable, { facts }: Checked): boolean {
  if (one.marks.length === 0) return false;
  const key = objectKey(one);
  const row = facts.known.objects.find(
    ({ account_id: accountId, kind, live_id: liveId }) => objectKey({ accountId, kind, liveId }) === key,
  );
  const address = addressOf(one);
  const written = facts.declared.find((declared) => formatAddress(declared.address) === address);
  if (row?.hidden_digest == null || written === undefined) return false;
  return row.hidden_digest !== digestHidden(written);
}

function updateWouldChange(
  { addresses, objects }: ResourceUpdate,
  faults: Checked['faults'],
): readonly LeftOut[] {
  const reason = addresses.map((address) => faults.get(address)).find((fault) => fault !== undefined);
  if (reason === undefined) return [];
  return objects.map(({ account, kind, name, liveId: live_id }): LeftOut => {
    return { account, kind, name, live_id, code: 'kept-as-written', reason };
  });
}

/** The error if the import would change the plan for other resources. */
function changesOthers(faults: Checked['faults']): HeraldError {
  return new HeraldError(
    'import-disturbs',
    `With these files, the plan would change for ${[...faults.keys()].join(', ')}. Nothing was written.`,
    'Apply or remove these resources first.',
  );
}
