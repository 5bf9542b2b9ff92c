import { type Change, writes } from '../domain/change.ts';
import { compareText } from '../domain/diagnostic.ts';
import { groupBy } from '../domain/group-by.ts';
import { HeraldError } from '../domain/herald-error.ts';
import type { Files } from '../domain/ports.ts';
import { compareIds } from '../domain/ids.ts';
import { compareAddresses, formatAddress, KINDS_IN_FILES, type Observed } from '../domain/resource.ts';
import { recordSeen, type Look } from '../engine/look.ts';
import type { RunState } from '../engine/run.ts';
import { isPaused } from '../domain/status.ts';
import { NOTHING_SHOWN } from '../plan/compare/content.ts';
import { indexRows } from '../plan/facts.ts';
import { buildPlan } from '../plan/plan.ts';
import type { Fact } from '../state/shapes.ts';
import { loadDeclared, type LoadOptions, requireValid } from '../workspace/load.ts';
import { listTodos, ResourceFile } from './resource-file.ts';
import type { Scan } from './scan.ts';
import { type Entry, type Found, type ImportReport, leaveOut, type LeftOut } from './shape.ts';

/** A new or changed file. Nothing is on the disk yet. */
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

/** Files that a plan would leave as they are. */
interface Settled {
  readonly files: readonly DraftFile[];
  readonly report: Omit<ImportReport, 'schema' | 'not_read'>;
  /**
   * Records which live objects are declared now, so that later changes of them do not need `--allow adopt`. Do not call it for
   * files that are not included: owned, unmanaged objects may be pruned.
   */
  readonly adopt: (state: RunState) => Promise<void>;
}

type Seen = Pick<Look, 'plan' | 'facts'>;

/** Drafts and plans again without what the plan would change. Each round removes something, so it ends. */
export async function draftUntilQuiet(work: Work, found: readonly Found[]): Promise<Settled> {
  let entries = found.flatMap((one) => one.entries);
  const leftOut = found.flatMap((one) => one.leftOut);
  for (;;) {
    const files = await draftFiles(work, entries);
    const { seen, faults } = await checkDraft(work, files);
    if (faults.size === 0)
      return { files, report: reportDraft(files, leftOut), adopt: (state) => adopt(state, files, seen) };
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

function reportDraft(files: readonly DraftFile[], leftOut: readonly LeftOut[]): Settled['report'] {
  const objects = files.flatMap(({ path: file, entries }) =>
    entries.flatMap((entry) =>
      entry.objects.map(({ object: { account }, fields }) => {
        const address = { account, kind: entry.kind, name: entry.name, file };
        return { entry, fields, address };
      }),
    ),
  );
  return {
    files: files.map(({ path, action, resources }) => ({ path, action, resources })),
    imported: objects.filter(({ entry }) => entry.place === null).length,
    updated: objects.flatMap(({ entry, fields, address }) =>
      entry.place === null ? [] : [{ ...address, fields: [...fields] }],
    ),
    to_complete: objects.flatMap(({ entry, address }) =>
      listTodos(entry.form).map((what) => ({ ...address, what })),
    ),
    left_out: leftOut.toSorted(
      (left, right) =>
        compareAddresses({ ...left, name: left.name ?? '' }, { ...right, name: right.name ?? '' }) ||
        compareIds(left.live_id, right.live_id),
    ),
  };
}

function formatObject({ kind, name }: Entry, { object: { account } }: Entry['objects'][number]): string {
  return formatAddress({ account, kind, name: name.normalize('NFC') });
}

function listAddresses(files: readonly DraftFile[]): ReadonlySet<string> {
  const entries = files.flatMap((file) => file.entries);
  return new Set(entries.flatMap((entry) => entry.objects.map((one) => formatObject(entry, one))));
}

/**
 * Loads the files with the draft and plans, as if the state did not know the import. The plan must not change any
 * address of the draft: `faults` says by address why one cannot be declared like this.
 */
async function checkDraft(
  { files: there, options, scan }: Work,
  files: readonly DraftFile[],
): Promise<{ readonly seen: Seen; readonly faults: ReadonlyMap<string, string> }> {
  const faults = new Map<string, string>();
  if (files.length === 0) return { seen: scan, faults };
  // A person may have broken another file meanwhile.
  const { declared, placeOf } = requireValid(await loadDeclared(addFiles(there, files), options));
  const { known } = scan.facts;
  // What the state knows once the import is recorded.
  const changed = new Set(listObjects(files, (entry) => entry.isAudienceNew).map(indexRows(known.objects)));
  const objects = known.objects.map((row) => (changed.has(row) ? { ...row, ...FORGOTTEN } : row));
  const facts = { ...scan.facts, declared, placeOf, known: { ...known, objects } };
  const plan = buildPlan(facts);
  const addresses = listAddresses(files);
  for (const change of plan.changes) {
    const address = formatAddress(change.address);
    if (!addresses.has(address) || isQuiet(change)) continue;
    faults.set(address, `A plan would not leave it as it is (${change.action}): ${change.reasons.join(' ')}`);
  }
  for (const { severity, address, message } of plan.diagnostics)
    if (severity === 'error' && address !== undefined && addresses.has(address))
      faults.set(address, `A policy blocks it: ${message}`);
  return { seen: { plan, facts }, faults };
}

/** The files with a draft, to read. They count as included; `files:` is checked after they are written. */
function addFiles(files: Files, drafted: readonly DraftFile[]): Files {
  const texts = new Map(drafted.map(({ path, text }) => [path, text]));
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

async function draftFiles(
  { files, out, mayChange }: Work,
  entries: readonly Entry[],
): Promise<readonly DraftFile[]> {
  const sorted = entries.toSorted(
    (left, right) =>
      KINDS_IN_FILES.indexOf(left.kind) - KINDS_IN_FILES.indexOf(right.kind) ||
      compareText(left.name, right.name) ||
      compareText(listAccounts(left).join(' '), listAccounts(right).join(' ')),
  );
  const newPaths = nameFiles(out, sorted);
  const byPath = groupBy(sorted, (entry) => entry.place?.file ?? newPaths.get(readOwner(entry)) ?? '');
  const paths = [...byPath.keys()].toSorted(compareText);
  const exist = new Set<string>();
  for (const path of paths) if (await files.exists(path)) exist.add(path);
  if (exist.size > 0 && !mayChange)
    throw new HeraldError(
      'files-exist',
      `${[...exist].join(', ')} already exist${exist.size === 1 ? 's' : ''}. Nothing was written.`,
      'Use --update to change existing files, or --out with another directory.',
      { details: { files: [...exist] } },
    );
  return Promise.all(
    paths.map(async (path) => {
      const own = byPath.get(path) ?? [];
      const isThere = exist.has(path);
      const file = isThere
        ? new ResourceFile(await files.readText(path))
        : ResourceFile.create(findUsualAccounts(own));
      for (const { place, form } of own) if (place !== null) file.replace(place, form);
      for (const entry of own)
        if (entry.place === null) file.append(entry.kind, listAccounts(entry), entry.form);
      const action = isThere ? 'updated' : 'created';
      return { path, action, resources: own.length, text: file.toText(), entries: own };
    }),
  );
}

function listAccounts({ objects }: Entry): readonly string[] {
  return objects.map(({ object }) => object.account).toSorted(compareText);
}

/** The account of a new resource; empty if several share it. */
function readOwner({ objects: [first, second] }: Entry): string {
  return first === undefined || second !== undefined ? '' : first.object.account;
}

/** One file per account, and one for shared resources. A file system that ignores case must lose none. */
function nameFiles(out: string, entries: readonly Entry[]): ReadonlyMap<string, string> {
  const paths = new Map<string, string>();
  const used = new Set<string>();
  const owners = entries.flatMap((entry) => (entry.place === null ? [readOwner(entry)] : []));
  // The shared file keeps its name, even if an account has the same name.
  for (const owner of [...new Set(owners)].toSorted(compareText)) {
    const wanted = `${out}/${owner === '' ? 'shared' : owner}`;
    let path = `${wanted}.yaml`;
    for (let count = 2; used.has(path.toLowerCase()); count += 1) path = `${wanted}-${count}.yaml`;
    used.add(path.toLowerCase());
    paths.set(owner, path);
  }
  return paths;
}

/** The most frequent accounts in a file, so that few resources need their own. */
function findUsualAccounts(entries: readonly Entry[]): readonly string[] {
  const alike = groupBy(entries, (entry) => listAccounts(entry).join(' '));
  const [most] = [...alike.values()].toSorted((left, right) => right.length - left.length);
  return most === undefined ? [] : listAccounts(most[0]);
}

/** What Herald sent once says nothing about an audience that someone has changed since. A null would leave a column as it is. */
const FORGOTTEN = { hidden_digest: '', shown: JSON.stringify(NOTHING_SHOWN) } as const;

function listObjects(files: readonly DraftFile[], isWanted: (entry: Entry) => boolean): readonly Observed[] {
  const entries = files.flatMap((file) => file.entries.filter(isWanted));
  return entries.flatMap(({ objects }) => objects.map(({ object }) => object));
}

async function adopt(state: RunState, files: readonly DraftFile[], { plan, facts }: Seen): Promise<void> {
  const rowOf = indexRows(facts.known.objects);
  const identify = ({ accountId, kind, live }: Observed) => {
    return { account_id: accountId, kind, live_id: live.id, name: live.name ?? '' };
  };
  const forget = (one: Observed): Fact => ({ kind: 'object', object: { ...identify(one), ...FORGOTTEN } });
  const pause = { kind: 'status', status: 'paused', by: 'hand', why: null, seq: null } as const;
  // A person has stopped what is new here, so a start that follows is known as one.
  const stopped = listObjects(files, () => true).filter((one) => rowOf(one) === null && isPaused(one.live));
  await state.learn([
    ...listObjects(files, (entry) => entry.isAudienceNew).map(forget),
    ...stopped.map((one) => ({ ...pause, object: identify(one) })),
  ]);
  const addresses = listAddresses(files);
  const changes = plan.changes.filter(({ address }) => addresses.has(formatAddress(address)));
  const seen = { plan: { ...plan, changes }, facts: { ...facts, allow: new Set(['adopt'] as const) } };
  await recordSeen(state, seen);
}
