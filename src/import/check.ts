import { writes, type Change, type Plan } from '../domain/change.ts';
import { groupBy } from '../domain/group-by.ts';
import { HeraldError } from '../domain/herald-error.ts';
import type { Files } from '../domain/ports.ts';
import { formatAddress } from '../domain/resource.ts';
import type { Look } from '../engine/look.ts';
import { recordSeen } from '../engine/record-seen.ts';
import type { RunState } from '../engine/run.ts';
import { digestHidden } from '../plan/compare/content.ts';
import { NOTHING_SHOWN } from '../plan/compare/shown.ts';
import { objectKey } from '../plan/facts.ts';
import { buildPlan } from '../plan/plan.ts';
import type { ObjectRow } from '../state/shapes.ts';
import { loadDeclared, type LoadOptions } from '../workspace/load.ts';
import {
  formatImportable,
  makeDraft,
  type Draft,
  type DraftPlace,
  type LiveObject,
  type NewFile,
  type ResourceUpdate,
} from './draft.ts';
import type { Importable } from './form.ts';
import type { LeftOut } from './left-out.ts';
import type { Scan } from './scan.ts';

/** The place of a draft, and what it is checked with. */
interface Work {
  readonly files: Files;
  /** Options for loading the files. */
  readonly options: LoadOptions;
  /** With the plan without the new files. */
  readonly scan: Scan;
  readonly place: DraftPlace;
}

/** A draft that a plan would not change. */
export interface UnchangedDraft extends Draft {
  readonly leftOut: readonly LeftOut[];
  /** The plan with its files. */
  readonly seen: Pick<Look, 'plan' | 'facts'>;
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
    const isLoud = (one: Importable) => faults.has(formatImportable(one));
    const isLoudUpdate = ({ addresses }: ResourceUpdate) => addresses.some((one) => faults.has(one));
    if (!importables.some(isLoud) && !updates.some(isLoudUpdate))
      throw new HeraldError(
        'import-disturbs',
        `With these files, the plan would change for ${[...faults.keys()].join(', ')}. Nothing was written.`,
        'Apply or remove these resources first.',
      );
    leftOut.push(...importables.filter(isLoud).map((one) => wouldChange(one, checked)));
    leftOut.push(...updates.flatMap((update) => updateWouldChange(update, faults)));
    importables = importables.filter((one) => !isLoud(one));
    updates = updates.filter((update) => !isLoudUpdate(update));
  }
}

/** The plan with the files of a draft. */
interface Checked extends Pick<Look, 'plan' | 'facts'> {
  /**
   * The reason why an address cannot be declared like this, by `account/kind/name`. Empty if the plan would change
   * nothing.
   */
  readonly faults: ReadonlyMap<string, string>;
}

/**
 * Loads the files with the draft and plans, as if the state did not know the import. The plan must not change any
 * address of the draft, and must decide the same as before about all others.
 */
async function checkDraft({ files, options, scan }: Work, draft: Draft): Promise<Checked> {
  const loaded = await loadDeclared(addFiles(files, draft), options);
  if (loaded.kind === 'invalid')
    throw new HeraldError(
      'import-not-loadable',
      'The new files would not be valid, so nothing was written.',
      'This is a bug in Herald. Please report the lines above.',
      { details: { diagnostics: loaded.diagnostics } },
    );
  const { declared, placeOf } = loaded;
  const { known } = scan.facts;
  const objects = forgetSent(known.objects, draft.refreshed);
  const facts = { ...scan.facts, declared, placeOf, known: { ...known, objects } };
  const plan = buildPlan(facts);
  const earlier = groupChanges(scan.plan);
  const faults = new Map<string, string>();
  for (const [address, changes] of groupChanges(plan)) {
    if (draft.addresses.has(address)) {
      const loud = changes.find((change) => !isQuiet(change));
      if (loud !== undefined) faults.set(address, describeChange(loud));
    } else if (changes.some(writes) && listDecisions(earlier.get(address)) !== listDecisions(changes))
      faults.set(address, 'The decision about a declared resource would change.');
  }
  for (const { severity, address, message } of plan.diagnostics)
    if (severity === 'error' && address !== undefined && draft.addresses.has(address))
      faults.set(address, `A policy blocks it: ${message}`);
  return { plan, facts, faults };
}

/**
 * The workspace with the files of a draft, for reading only. Resource files count as included; `files:` is checked after
 * they are written.
 */
function addFiles(files: Files, draft: Draft): Files {
  const texts = new Map(draft.files.map(({ path, text }: NewFile) => [path, text]));
  return {
    ...files,
    readText: async (path) => texts.get(path) ?? files.readText(path),
    glob: async (patterns) =>
      [...new Set([...(await files.glob(patterns)), ...draft.resourceFiles])].toSorted(),
    exists: async (path) => texts.has(path) || files.exists(path),
  };
}

/** True if nothing is to be done about it, now or later. */
export function isQuiet(change: Change): boolean {
  return !writes(change) && change.action !== 'blocked' && change.action !== 'missed';
}

/** The changes of each declared address. */
export function groupChanges({ changes }: Plan): ReadonlyMap<string, readonly Change[]> {
  const managed = changes.filter(({ action }) => action !== 'unmanaged');
  return groupBy(managed, ({ address }) => formatAddress(address));
}

function listDecisions(changes: readonly Change[] = []): string {
  return changes.map(({ action, live_id: id }) => `${action} ${id ?? ''}`).join(', ');
}

function describeChange({ action, reasons, fields }: Change): string {
  const paths = fields.map(({ path }) => path).join(', ');
  const about = paths === '' ? '' : ` (${paths})`;
  return `A plan would change it: ${action}${about}. ${reasons.join(' ')}`.trim();
}

function wouldChange(one: Importable, checked: Checked): LeftOut {
  const { account, kind, name, liveId: live_id } = one;
  // The plan's reason is about a placeholder in a file that is not written.
  const reason = isSentOtherwise(one, checked)
    ? 'Its audience cannot be read back. It has names of fan lists or days, which the service never returns, or someone changed it since. Declare it by hand.'
    : (checked.faults.get(formatImportable(one)) ?? '');
  return { account, kind, name, live_id, code: 'not-quiet', reason };
}

/** True if the state has the digest of another audience than the one that would be written. */
function isSentOtherwise(one: Importable, { facts }: Checked): boolean {
  if (one.marks.length === 0) return false;
  const key = objectKey(one);
  const row = facts.known.objects.find((object) => rowKey(object) === key);
  const address = formatImportable(one);
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

/** Files of the draft that `files:` does not include, so their resources are not declared. */
export async function findUnreadFiles(
  files: Files,
  options: LoadOptions,
  { resourceFiles }: Draft,
): Promise<readonly string[]> {
  if (resourceFiles.length === 0) return [];
  const loaded = await loadDeclared(files, options);
  const read = new Set(loaded.kind === 'loaded' ? loaded.workspace.files : []);
  return resourceFiles.filter((path) => !read.has(path));
}

/** What Herald sent once says nothing about an audience that someone has changed since. A null would leave a column as it is. */
const FORGOTTEN = { hidden_digest: '', shown: JSON.stringify(NOTHING_SHOWN) } as const;

/** What the state knows once the import is recorded. */
function forgetSent(rows: readonly ObjectRow[], refreshed: readonly LiveObject[]): readonly ObjectRow[] {
  const changed = new Set(refreshed.filter((one) => one.changed).map(objectKey));
  return rows.map((row) => (changed.has(rowKey(row)) ? { ...row, ...FORGOTTEN } : row));
}

function rowKey({ account_id: accountId, kind, live_id: liveId }: ObjectRow): string {
  return objectKey({ accountId, kind, liveId });
}

/**
 * Records which live objects are declared now, so that later changes of them do not need `--allow adopt`. Do not call
 * it for files that are not included: owned, unmanaged objects may be pruned.
 */
export async function adopt(state: RunState, { addresses, refreshed, seen }: UnchangedDraft): Promise<void> {
  const changed = refreshed.filter((one) => one.changed);
  await state.learn(
    changed.map(({ accountId, kind, name, liveId }) => ({
      kind: 'object',
      object: { account_id: accountId, kind, live_id: liveId, name, ...FORGOTTEN },
    })),
  );
  const changes = seen.plan.changes.filter(({ address }) => addresses.has(formatAddress(address)));
  const facts = { ...seen.facts, allow: new Set(['adopt'] as const) };
  await recordSeen({ state }, { plan: { ...seen.plan, changes }, facts });
}
