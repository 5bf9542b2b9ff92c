import { type Change, writes } from '../domain/change.ts';
import { compareText } from '../domain/diagnostic.ts';
import { groupBy } from '../domain/group-by.ts';
import { HeraldError } from '../domain/herald-error.ts';
import type { Files } from '../domain/ports.ts';
import { compareIds } from '../domain/ids.ts';
import { formatAddress, KINDS_IN_FILES, type Observed } from '../domain/resource.ts';
import { recordKept, recordSeen, type Look } from '../engine/look.ts';
import type { RunState } from '../engine/run.ts';
import { NOTHING_SHOWN } from '../plan/compare/content.ts';
import { indexRows } from '../plan/facts.ts';
import { buildPlan } from '../plan/plan.ts';
import { loadDeclared, type LoadOptions, requireValid } from '../workspace/load.ts';
import { listTodos, ResourceFile } from './resource-file.ts';
import type { Scan } from './scan.ts';
import { type Entry, type Found, type ImportReport, leaveOut, type LeftOut } from './shape.ts';

/** New and changed files. Nothing is on the disk yet. */
interface Draft {
  /** Sorted by path. */
  readonly files: readonly DraftFile[];
  readonly entries: readonly Entry[];
}

type DraftFile = ImportReport['files'][number] & {
  readonly text: string;
  readonly entries: readonly Entry[];
};

interface Work {
  readonly files: Files;
  /** Directory of new files in the workspace. */
  readonly out: string;
  readonly mayChange: boolean;
  readonly options: LoadOptions;
  /** With the plan without the new files. */
  readonly scan: Scan;
}

/** A draft that a plan would leave as it is. */
interface Settled extends Draft {
  readonly report: Omit<ImportReport, 'schema' | 'not_read'>;
  /** The plan with the files of the draft. */
  readonly seen: Pick<Look, 'plan' | 'facts'>;
}

/** Drafts and plans again without what the plan would change. Each round removes something, so it ends. */
export async function draftUntilQuiet(work: Work, found: readonly Found[]): Promise<Settled> {
  let entries = found.flatMap((one) => one.entries);
  const leftOut = found.flatMap((one) => one.leftOut);
  for (;;) {
    const draft = { files: await draftFiles(work, entries), entries };
    const { seen, faults } =
      draft.files.length === 0
        ? { seen: work.scan, faults: new Map<string, string>() }
        : await checkDraft(work, draft);
    if (faults.size === 0) return { ...draft, report: reportDraft(draft, leftOut), seen };
    entries = entries.flatMap((entry) => {
      const faulty = entry.objects.filter((one) => faults.has(formatObject(entry, one)));
      const [first] = faulty;
      if (first === undefined) return [entry];
      const why = faults.get(formatObject(entry, first)) ?? '';
      // What is declared is changed for all of its accounts, or for none.
      const [code, left] =
        entry.place === null
          ? (['not-quiet', faulty] as const)
          : (['kept-as-written', entry.objects] as const);
      leftOut.push(...left.map(({ object }) => leaveOut(object, code, why)));
      const objects = entry.objects.filter((one) => !left.includes(one));
      return objects.length === 0 ? [] : [{ ...entry, objects }];
    });
  }
}

function reportDraft({ files, entries }: Draft, leftOut: readonly LeftOut[]): Settled['report'] {
  return {
    files: files.map(({ path, action, resources }) => ({ path, action, resources })),
    imported: entries.flatMap(({ place, objects }) => (place === null ? objects : [])).length,
    updated: entries.flatMap(({ place, kind, name, objects }) =>
      objects.flatMap(({ object: { account }, fields }) =>
        place === null ? [] : [{ account, kind, name, file: place.file, fields: [...fields] }],
      ),
    ),
    to_complete: files.flatMap(({ path: file, entries: own }) =>
      own.flatMap(({ kind, name, form, objects }) =>
        listTodos(form).flatMap((what) =>
          objects.map(({ object: { account } }) => ({ account, kind, name, file, what })),
        ),
      ),
    ),
    left_out: leftOut.toSorted(
      (left, right) =>
        compareText(left.account, right.account) ||
        compareText(left.kind, right.kind) ||
        compareText(left.name ?? '', right.name ?? '') ||
        compareIds(left.live_id, right.live_id),
    ),
  };
}

function formatObject({ kind, name }: Entry, { object: { account } }: Entry['objects'][number]): string {
  return formatAddress({ account, kind, name: name.normalize('NFC') });
}

function listAddresses({ entries }: Draft): ReadonlySet<string> {
  return new Set(entries.flatMap((entry) => entry.objects.map((one) => formatObject(entry, one))));
}

/**
 * Loads the files with the draft and plans, as if the state did not know the import. The plan must not change any
 * address of the draft: `faults` says by address why one cannot be declared like this.
 */
async function checkDraft(
  { files, options, scan }: Work,
  draft: Draft,
): Promise<Pick<Settled, 'seen'> & { readonly faults: ReadonlyMap<string, string> }> {
  // A person may have broken another file meanwhile.
  const { declared, placeOf } = requireValid(await loadDeclared(addFiles(files, draft), options));
  const { known } = scan.facts;
  // What the state knows once the import is recorded.
  const changed = new Set(listNewAudiences(draft).map(indexRows(known.objects)));
  const objects = known.objects.map((row) => (changed.has(row) ? { ...row, ...FORGOTTEN } : row));
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

/** The files with a draft, to read. They count as included; `files:` is checked after they are written. */
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

/** Appends new resources to files, and changes those that are declared. */
async function draftFiles(
  { files, out, mayChange }: Work,
  entries: readonly Entry[],
): Promise<readonly DraftFile[]> {
  const planned = planFiles(
    entries.filter(({ place }) => place === null),
    out,
  );
  const changed = entries.flatMap(({ place }) => (place === null ? [] : [place.file]));
  const exist = new Set(changed);
  for (const { path } of planned) if (await files.exists(path)) exist.add(path);
  if (exist.size > 0 && !mayChange) throw filesExist([...exist]);
  const paths = new Set([...changed, ...planned.map(({ path }) => path)]);
  const drafted = [...paths].toSorted(compareText).map(async (path): Promise<DraftFile> => {
    const added = planned.find((one) => one.path === path)?.entries ?? [];
    const own = entries.filter(({ place }) => place?.file === path);
    const isThere = exist.has(path);
    const file = isThere
      ? new ResourceFile(await files.readText(path))
      : ResourceFile.create(findUsualAccounts(added));
    for (const { place, form } of own) if (place !== null) file.replace(place, form);
    for (const entry of added) file.append(entry.kind, listAccounts(entry), entry.form);
    return {
      path,
      action: isThere ? 'updated' : 'created',
      resources: own.length + added.length,
      text: file.toText(),
      entries: [...own, ...added],
    };
  });
  return Promise.all(drafted);
}

function filesExist(files: readonly string[]): HeraldError {
  return new HeraldError(
    'files-exist',
    `${files.join(', ')} already exist${files.length === 1 ? 's' : ''}. Nothing was written.`,
    'Use --update to change existing files, or --out with another directory.',
    { details: { files } },
  );
}

function listAccounts({ objects }: Entry): readonly string[] {
  return objects.map(({ object }) => object.account).toSorted(compareText);
}

/** One file per account, and one for shared resources. A file system that ignores case must lose none. */
function planFiles(entries: readonly Entry[], out: string) {
  const sorted = entries.toSorted(
    (left, right) =>
      KINDS_IN_FILES.indexOf(left.kind) - KINDS_IN_FILES.indexOf(right.kind) ||
      compareText(left.name, right.name) ||
      compareText(listAccounts(left).join(' '), listAccounts(right).join(' ')),
  );
  const byOwner = groupBy(sorted, ({ objects: [first, second] }) =>
    first === undefined || second !== undefined ? '' : first.object.account,
  );
  const used = new Set<string>();
  // The shared file keeps its name, even if an account has the same name.
  return [...byOwner]
    .toSorted(([left], [right]) => compareText(left, right))
    .map(([owner, own]) => {
      const wanted = `${out}/${owner === '' ? 'shared' : owner}`;
      let path = `${wanted}.yaml`;
      for (let count = 2; used.has(path.toLowerCase()); count += 1) path = `${wanted}-${count}.yaml`;
      used.add(path.toLowerCase());
      return { path, entries: own };
    });
}

/** The most frequent accounts in a file, so that few resources need their own. */
function findUsualAccounts(entries: readonly Entry[]): readonly string[] {
  const alike = groupBy(entries, (entry) => listAccounts(entry).join(' '));
  const [most] = [...alike.values()].toSorted((left, right) => right.length - left.length);
  return most?.[0] === undefined ? [] : listAccounts(most[0]);
}

/** What Herald sent once says nothing about an audience that someone has changed since. A null would leave a column as it is. */
const FORGOTTEN = { hidden_digest: '', shown: JSON.stringify(NOTHING_SHOWN) } as const;

function listNewAudiences({ entries }: Draft): readonly Observed[] {
  return entries.flatMap(({ isAudienceNew, objects }) =>
    isAudienceNew ? objects.map(({ object }) => object) : [],
  );
}

/**
 * Records which live objects are declared now, so that later changes of them do not need `--allow adopt`. Do not call
 * it for files that are not included: owned, unmanaged objects may be pruned.
 */
export async function adopt(state: RunState, draft: Settled): Promise<void> {
  const { plan, facts } = draft.seen;
  await state.learn(
    listNewAudiences(draft).map(({ accountId, kind, live }) => ({
      kind: 'object',
      object: { account_id: accountId, kind, live_id: live.id, name: live.name ?? '', ...FORGOTTEN },
    })),
  );
  const addresses = listAddresses(draft);
  const changes = plan.changes.filter(({ address }) => addresses.has(formatAddress(address)));
  const seen = { plan: { ...plan, changes }, facts: { ...facts, allow: new Set(['adopt'] as const) } };
  await recordSeen({ state }, seen);
  await recordKept({ state }, seen);
}
