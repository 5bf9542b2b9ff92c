import { writes, type Change } from '../domain/change.ts';
import { HeraldError } from '../domain/herald-error.ts';
import type { Files } from '../domain/ports.ts';
import { formatAddress } from '../domain/resource.ts';
import type { Look } from '../engine/look.ts';
import { recordSeen } from '../engine/record-seen.ts';
import type { RunState } from '../engine/run.ts';
import { NOTHING_SHOWN } from '../plan/compare/content.ts';
import { objectKey } from '../plan/facts.ts';
import { buildPlan } from '../plan/plan.ts';
import { loadDeclared, type LoadOptions } from '../workspace/load.ts';
import {
  makeDraft,
  type Draft,
  type DraftPlace,
  type Importable,
  type LiveObject,
  type Update,
} from './draft.ts';
import { listTodos } from './resource-file.ts';
import type { Scan } from './scan.ts';
import type { LeftOut } from './shape.ts';

/** The place of a draft, and what it is checked with. */
interface Work extends DraftPlace {
  /** Options for loading the files. */
  readonly options: LoadOptions;
  /** With the plan without the new files. */
  readonly scan: Scan;
}

type Seen = Pick<Look, 'plan' | 'facts'>;

/** A draft that a plan would not change. */
interface UnchangedDraft extends Draft {
  readonly leftOut: readonly LeftOut[];
  /** The plan with its files. */
  readonly seen: Seen;
}

/**
 * Writes a draft and plans with it. Resources that the plan would change are removed, and the rest is drafted again.
 * Each round removes something, so it ends.
 */
export async function draftUntilQuiet(
  work: Work,
  importables: readonly Importable[],
  updates: readonly Update[],
): Promise<UnchangedDraft> {
  const leftOut: LeftOut[] = [];
  for (;;) {
    const draft = await makeDraft(work, importables, updates);
    if (draft.files.length === 0) return { ...draft, leftOut, seen: work.scan };
    const { seen, faults } = await checkDraft(work, draft);
    if (faults.size === 0) return { ...draft, leftOut, seen };
    const findFault = (objects: readonly LiveObject[]) =>
      objects.map((one) => faults.get(formatObject(one))).find((fault) => fault !== undefined);
    importables = importables.filter((one) => {
      const fault = findFault([one]);
      if (fault !== undefined) leftOut.push(leave(one, 'not-quiet', fault));
      return fault === undefined;
    });
    updates = updates.filter(({ objects }) => {
      const fault = findFault(objects);
      if (fault !== undefined) leftOut.push(...objects.map((one) => leave(one, 'kept-as-written', fault)));
      return fault === undefined;
    });
  }
}

const NOT_READ_BACK =
  'Its audience cannot be read back. It has names of fan lists or days, which the service never returns, or someone changed it since. Declare it by hand.';

function leave(object: LiveObject, code: LeftOut['code'], reason: string): LeftOut {
  const { account, kind, name, liveId } = object;
  return { account, kind, name, live_id: liveId, code, reason };
}

function formatObject({ account, kind, name }: LiveObject): string {
  return formatAddress({ account, kind, name });
}

function listAddresses({ importables, updates }: Draft): ReadonlySet<string> {
  return new Set([...importables, ...updates.flatMap(({ objects }) => objects)].map(formatObject));
}

/** Why addresses cannot be declared like this, by `account/kind/name`. Empty if the plan would change nothing. */
type Faults = ReadonlyMap<string, string>;

/**
 * Loads the files with the draft and plans, as if the state did not know the import. The plan must not change any
 * address of the draft.
 */
async function checkDraft(
  { files, options, scan }: Work,
  draft: Draft,
): Promise<{ readonly seen: Seen; readonly faults: Faults }> {
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
  // What the state knows once the import is recorded.
  const changed = new Set(listNewAudiences(draft).map(objectKey));
  const objects = known.objects.map((row) => {
    const { account_id: accountId, kind, live_id: liveId } = row;
    return changed.has(objectKey({ accountId, kind, liveId })) ? { ...row, ...FORGOTTEN } : row;
  });
  const facts = { ...scan.facts, declared, placeOf, known: { ...known, objects } };
  const plan = buildPlan(facts);
  const addresses = listAddresses(draft);
  const incomplete = new Set(
    draft.importables.filter(({ form }) => listTodos(form).length > 0).map(formatObject),
  );
  const faults = new Map<string, string>();
  for (const change of plan.changes) {
    const address = formatAddress(change.address);
    if (!addresses.has(address) || change.action === 'unmanaged' || isQuiet(change)) continue;
    // The plan's reason would be about a placeholder in a file that is not written.
    faults.set(address, incomplete.has(address) ? NOT_READ_BACK : describeChange(change));
  }
  for (const { severity, address, message } of plan.diagnostics)
    if (severity === 'error' && address !== undefined && addresses.has(address))
      faults.set(address, `A policy blocks it: ${message}`);
  return { seen: { plan, facts }, faults };
}

/**
 * The workspace with the files of a draft, for reading only. They count as included; `files:` is checked after they are
 * written.
 */
function addFiles(files: Files, draft: Draft): Files {
  const texts = new Map(draft.files.map(({ path, text }) => [path, text]));
  return {
    ...files,
    readText: async (path) => texts.get(path) ?? files.readText(path),
    glob: async (patterns) => [...new Set([...(await files.glob(patterns)), ...texts.keys()])].toSorted(),
    exists: async (path) => texts.has(path) || files.exists(path),
  };
}

/** True if nothing is to be done about it, now or later. */
export function isQuiet(change: Change): boolean {
  return !writes(change) && change.action !== 'blocked' && change.action !== 'missed';
}

function describeChange({ action, reasons, fields }: Change): string {
  const paths = fields.map(({ path }) => path).join(', ');
  const about = paths === '' ? '' : ` (${paths})`;
  return `A plan would change it: ${action}${about}. ${reasons.join(' ')}`.trim();
}

/** Files of the draft that `files:` does not include, so their resources are not declared. */
export async function findUnreadFiles(
  files: Files,
  options: LoadOptions,
  draft: Draft,
): Promise<readonly string[]> {
  if (draft.files.length === 0) return [];
  const loaded = await loadDeclared(files, options);
  const read = new Set(loaded.kind === 'loaded' ? loaded.workspace.files : []);
  return draft.files.map(({ path }) => path).filter((path) => !read.has(path));
}

/** What Herald sent once says nothing about an audience that someone has changed since. A null would leave a column as it is. */
const FORGOTTEN = { hidden_digest: '', shown: JSON.stringify(NOTHING_SHOWN) } as const;

function listNewAudiences({ updates }: Draft): readonly LiveObject[] {
  return updates.flatMap(({ isAudienceNew, objects }) => (isAudienceNew ? objects : []));
}

/**
 * Records which live objects are declared now, so that later changes of them do not need `--allow adopt`. Do not call
 * it for files that are not included: owned, unmanaged objects may be pruned.
 */
export async function adopt(state: RunState, draft: UnchangedDraft): Promise<void> {
  const { plan, facts } = draft.seen;
  await state.learn(
    listNewAudiences(draft).map(({ accountId, kind, name, liveId }) => ({
      kind: 'object',
      object: { account_id: accountId, kind, live_id: liveId, name, ...FORGOTTEN },
    })),
  );
  const addresses = listAddresses(draft);
  const changes = plan.changes.filter(({ address }) => addresses.has(formatAddress(address)));
  await recordSeen(
    { state },
    { plan: { ...plan, changes }, facts: { ...facts, allow: new Set(['adopt'] as const) } },
  );
}
