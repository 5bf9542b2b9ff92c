import type { YAMLMap } from 'yaml';
import { type Change, writes } from '../domain/change.ts';
import { compareText } from '../domain/diagnostic.ts';
import { canonical } from '../domain/digest.ts';
import { groupBy } from '../domain/group-by.ts';
import { HeraldError } from '../domain/herald-error.ts';
import type { Files } from '../domain/ports.ts';
import { formatAddress, KINDS_IN_FILES, type Kind, type SourcePlace } from '../domain/resource.ts';
import { recordKept, recordSeen, type Look } from '../engine/look.ts';
import type { RunState } from '../engine/run.ts';
import { NOTHING_SHOWN } from '../plan/compare/content.ts';
import { objectKey } from '../plan/facts.ts';
import { buildPlan } from '../plan/plan.ts';
import { loadDeclared, type LoadOptions, requireValid } from '../workspace/load.ts';
import type { Importable } from './from-live.ts';
import { type Form, formsIn, listTodos, ResourceFile } from './resource-file.ts';
import type { Scan } from './scan.ts';
import { leaveOut, type ImportReport, type LeftOut, type LeftOutCode } from './shape.ts';

/** A live object with its name in the files. */
type Live = Pick<Importable, 'object' | 'name'>;

/** The update of one declared resource. */
export interface Update {
  readonly place: SourcePlace;
  /** The whole resource as it is to be written. */
  readonly node: YAMLMap;
  /** One for each of its accounts, with the paths that differed. */
  readonly objects: readonly (Live & { readonly fields: readonly string[] })[];
  /** True if its audience is not the one that Herald sent. */
  readonly isAudienceNew: boolean;
}

/** New and changed files. Nothing is on the disk yet. */
interface Draft {
  readonly files: readonly (ImportReport['files'][number] & { readonly text: string })[];
  readonly importables: readonly Importable[];
  readonly updates: readonly Update[];
  readonly toComplete: ImportReport['to_complete'];
}

/** What a draft is made of and checked with. */
interface Work {
  readonly files: Files;
  /** Directory of new files in the workspace. */
  readonly out: string;
  /** True if existing files may be changed. */
  readonly mayChange: boolean;
  /** Options for loading the files. */
  readonly options: LoadOptions;
  /** With the plan without the new files. */
  readonly scan: Scan;
}

/** The plan with the files of a draft. */
type Seen = Pick<Look, 'plan' | 'facts'>;

/**
 * Writes a draft and plans with it. Resources that the plan would change are removed, and the rest is drafted again.
 * Each round removes something, so it ends.
 */
export async function draftUntilQuiet(
  work: Work,
  importables: readonly Importable[],
  updates: readonly Update[],
): Promise<Draft & { readonly leftOut: readonly LeftOut[]; readonly seen: Seen }> {
  const leftOut: LeftOut[] = [];
  for (;;) {
    const draft = await makeDraft(work, importables, updates);
    if (draft.files.length === 0) return { ...draft, leftOut, seen: work.scan };
    const { seen, faults } = await checkDraft(work, draft);
    if (faults.size === 0) return { ...draft, leftOut, seen };
    const keepOrLeave = (code: LeftOutCode, objects: readonly Live[]): boolean => {
      const fault = objects.map((one) => faults.get(formatObject(one))).find((why) => why !== undefined);
      if (fault !== undefined) leftOut.push(...objects.map(({ object }) => leaveOut(object, code, fault)));
      return fault === undefined;
    };
    importables = importables.filter((one) => keepOrLeave('not-quiet', [one]));
    updates = updates.filter(({ objects }) => keepOrLeave('kept-as-written', objects));
  }
}

function formatObject({ object: { account, kind }, name }: Live): string {
  return formatAddress({ account, kind, name });
}

function listAddresses({ importables, updates }: Draft): ReadonlySet<string> {
  return new Set([...importables, ...updates.flatMap(({ objects }) => objects)].map(formatObject));
}

/**
 * Loads the files with the draft and plans, as if the state did not know the import. The plan must not change any
 * address of the draft: `faults` says by address why one cannot be declared like this.
 */
async function checkDraft(
  { files, options, scan }: Work,
  draft: Draft,
): Promise<{ readonly seen: Seen; readonly faults: ReadonlyMap<string, string> }> {
  // A person may have broken another file meanwhile.
  const { declared, placeOf } = requireValid(await loadDeclared(addFiles(files, draft), options));
  const { known } = scan.facts;
  // What the state knows once the import is recorded.
  const changed = new Set(
    listNewAudiences(draft).map(({ object: { accountId, kind, live } }) =>
      objectKey(accountId, kind, live.id),
    ),
  );
  const objects = known.objects.map((row) => {
    const { account_id: accountId, kind, live_id: liveId } = row;
    return changed.has(objectKey(accountId, kind, liveId)) ? { ...row, ...FORGOTTEN } : row;
  });
  const facts = { ...scan.facts, declared, placeOf, known: { ...known, objects } };
  const plan = buildPlan(facts);
  const addresses = listAddresses(draft);
  const faults = new Map<string, string>();
  for (const change of plan.changes) {
    const address = formatAddress(change.address);
    if (!addresses.has(address) || change.action === 'unmanaged' || isQuiet(change)) continue;
    faults.set(address, `A plan would not leave it as it is (${change.action}): ${change.reasons.join(' ')}`);
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

/** Writes new files for importable objects, and changes existing files for updates. */
async function makeDraft(
  { files, out, mayChange }: Work,
  importables: readonly Importable[],
  updates: readonly Update[],
): Promise<Draft> {
  const planned = planFiles(foldAlike(importables), out);
  const opened = new Map<string, ResourceFile>();
  const open = async (path: string, accounts: readonly string[]): Promise<ResourceFile> => {
    const known = opened.get(path);
    if (known !== undefined) return known;
    const isThere = await files.exists(path);
    const file = isThere ? new ResourceFile(await files.readText(path)) : ResourceFile.create(accounts);
    opened.set(path, file);
    return file;
  };
  for (const { path, accounts } of planned) await open(path, accounts);
  const existing = [...opened].filter(([, file]) => !file.isNew).map(([path]) => path);
  if (existing.length > 0 && !mayChange) throw filesExist(existing);
  for (const { place, node } of updates) (await open(place.file, [])).replace(place, node);
  for (const { path, resources } of planned)
    for (const resource of resources) opened.get(path)?.append(resource);
  const written = [
    ...updates.map(({ place, node, objects }) => {
      return { file: place.file, objects, form: node.toJSON() as Form };
    }),
    ...planned.flatMap(({ path: file, resources }) => resources.map((resource) => ({ file, ...resource }))),
  ];
  return {
    files: [...opened]
      .map(([path, file]) => ({
        path,
        action: file.isNew ? ('created' as const) : ('updated' as const),
        resources: file.written,
        text: file.toText(),
      }))
      .toSorted((left, right) => compareText(left.path, right.path)),
    importables,
    updates,
    toComplete: written.flatMap(({ file, objects, form }) =>
      listTodos(form).flatMap((what) =>
        objects.map(({ object: { account, kind }, name }) => ({ account, kind, name, file, what })),
      ),
    ),
  };
}

function filesExist(files: readonly string[]): HeraldError {
  return new HeraldError(
    'files-exist',
    `${files.join(', ')} already exist${files.length === 1 ? 's' : ''}. Nothing was written.`,
    'Use --update to change existing files, or --out with another directory.',
    { details: { files } },
  );
}

/** One resource for all accounts with the same content. */
interface Folded extends Importable {
  readonly kind: Kind;
  /** Sorted. */
  readonly accounts: readonly string[];
  readonly objects: readonly Importable[];
}

/** Combines equal resources of several accounts. */
function foldAlike(importables: readonly Importable[]): readonly Folded[] {
  const folded = groupBy(importables, (one) => {
    const { object, name, form } = one;
    return canonical([object.kind, name, belongsToAccount(one) ? object.account : '', form]);
  });
  return [...folded.values()]
    .flatMap((objects) => {
      const [first] = objects;
      const accounts = objects.map(({ object }) => object.account).toSorted(compareText);
      return first === undefined ? [] : [{ ...first, kind: first.object.kind, accounts, objects }];
    })
    .toSorted(
      (left, right) =>
        KINDS_IN_FILES.indexOf(left.kind) - KINDS_IN_FILES.indexOf(right.kind) ||
        compareText(left.name, right.name) ||
        compareText(left.accounts.join(' '), right.accounts.join(' ')),
    );
}

/** Media and tags belong to one account each. What the service does not show may be another on every account. */
function belongsToAccount({ form }: Importable): boolean {
  const hasIds = formsIn(form['messages']).some(
    (message) => 'attachments' in message || 'tagged_platform_account_ids' in message,
  );
  return hasIds || listTodos(form).length > 0;
}

/** Name of the file for resources of several accounts. */
const SHARED = 'shared';

/**
 * One file per account and one for shared resources, below `out`, each with the `accounts:` that it gets if it is new. Paths
 * differ also on file systems that ignore case.
 */
function planFiles(folded: readonly Folded[], out: string) {
  const byOwner = groupBy(folded, ({ accounts: [only = '', second] }) => (second === undefined ? only : ''));
  const used = new Set<string>();
  // The shared file keeps its name, even if an account has the same name.
  return [...byOwner]
    .toSorted(([left], [right]) => compareText(left, right))
    .map(([owner, resources]) => {
      const wanted = `${out}/${owner === '' ? SHARED : owner}`;
      let path = `${wanted}.yaml`;
      for (let count = 2; used.has(path.toLowerCase()); count += 1) path = `${wanted}-${count}.yaml`;
      used.add(path.toLowerCase());
      return { path, accounts: findUsualAccounts(resources), resources };
    });
}

/** The most frequent accounts in a file, so that few resources need their own. */
function findUsualAccounts(resources: readonly Folded[]): readonly string[] {
  const alike = groupBy(resources, ({ accounts }) => accounts.join(' '));
  const [most] = [...alike.values()].toSorted((left, right) => right.length - left.length);
  return most?.[0]?.accounts ?? [];
}

/** What Herald sent once says nothing about an audience that someone has changed since. A null would leave a column as it is. */
const FORGOTTEN = { hidden_digest: '', shown: JSON.stringify(NOTHING_SHOWN) } as const;

function listNewAudiences({ updates }: Draft): readonly Live[] {
  return updates.flatMap(({ isAudienceNew, objects }) => (isAudienceNew ? objects : []));
}

/**
 * Records which live objects are declared now, so that later changes of them do not need `--allow adopt`. Do not call
 * it for files that are not included: owned, unmanaged objects may be pruned.
 */
export async function adopt(state: RunState, draft: Draft & { readonly seen: Seen }): Promise<void> {
  const { plan, facts } = draft.seen;
  await state.learn(
    listNewAudiences(draft).map(({ object: { accountId, kind, live }, name }) => ({
      kind: 'object',
      object: { account_id: accountId, kind, live_id: live.id, name, ...FORGOTTEN },
    })),
  );
  const addresses = listAddresses(draft);
  const changes = plan.changes.filter(({ address }) => addresses.has(formatAddress(address)));
  const seen = { plan: { ...plan, changes }, facts: { ...facts, allow: new Set(['adopt'] as const) } };
  await recordSeen({ state }, seen);
  await recordKept({ state }, seen);
}
