import type { YAMLMap } from 'yaml';
import { compareText } from '../domain/diagnostic.ts';
import { canonical } from '../domain/digest.ts';
import { groupBy } from '../domain/group-by.ts';
import { HeraldError } from '../domain/herald-error.ts';
import type { AccountId, LiveId } from '../domain/ids.ts';
import type { Files } from '../domain/ports.ts';
import { KINDS_IN_FILES, type Kind, type SourcePlace } from '../domain/resource.ts';
import { formsIn, listTodos, ResourceFile, type Folded, type Form } from './resource-file.ts';
import type { ImportReport } from './shape.ts';

/** A live object with its name in the files. */
export interface LiveObject {
  readonly account: string;
  readonly accountId: AccountId;
  readonly kind: Kind;
  readonly name: string;
  readonly liveId: LiveId;
}

/** A live object with its form for a file. */
export interface Importable extends LiveObject {
  readonly form: Form;
}

/** The update of one declared resource. */
export interface Update {
  readonly place: SourcePlace;
  /** The whole resource as it is to be written. */
  readonly node: YAMLMap;
  /** One for each of its accounts, with the paths that differed. */
  readonly objects: readonly (LiveObject & { readonly fields: readonly string[] })[];
  /** True if its audience is not the one that Herald sent. */
  readonly isAudienceNew: boolean;
}

/** New and changed files. Nothing is on the disk yet. */
export interface Draft {
  readonly files: readonly (ImportReport['files'][number] & { readonly text: string })[];
  readonly importables: readonly Importable[];
  readonly updates: readonly Update[];
  readonly toComplete: ImportReport['to_complete'];
}

/** The place of a draft: new files next to existing ones, or changes of them. */
export interface DraftPlace {
  readonly files: Files;
  /** Directory of new files in the workspace. */
  readonly out: string;
  /** True if existing files may be changed. */
  readonly mayChange: boolean;
}

/** Writes new files for importable objects, and changes existing files for updates. */
export async function makeDraft(
  { files, out, mayChange }: DraftPlace,
  importables: readonly Importable[],
  updates: readonly Update[],
): Promise<Draft> {
  const planned = planFiles(foldAlike(importables), out);
  const existing = new Set<string>();
  for (const { path } of planned) if (await files.exists(path)) existing.add(path);
  if (existing.size > 0 && !mayChange) throw filesExist([...existing]);
  const opened = new Map<string, ResourceFile>();
  const open = async (path: string): Promise<ResourceFile> => {
    const file = opened.get(path) ?? new ResourceFile(await files.readText(path));
    opened.set(path, file);
    return file;
  };
  for (const { place, node } of updates) (await open(place.file)).replace(place, node);
  for (const { path, accounts, resources } of planned) {
    if (!existing.has(path)) opened.set(path, ResourceFile.create(accounts));
    const file = await open(path);
    for (const resource of resources) file.append(resource);
  }
  const written = [
    ...updates.map(({ place: { file }, node, objects }) => ({ file, objects, value: node.toJSON() as Form })),
    ...planned.flatMap(({ path: file, resources }) =>
      resources.map(({ accounts, kind, name, form: value }) => {
        return { file, objects: accounts.map((account) => ({ account, kind, name })), value };
      }),
    ),
  ];
  const isNew = (path: string) => planned.some((file) => file.path === path) && !existing.has(path);
  return {
    files: [...opened]
      .map(([path, file]) => ({
        path,
        action: isNew(path) ? ('created' as const) : ('updated' as const),
        resources: file.written,
        text: file.toText(),
      }))
      .toSorted((left, right) => compareText(left.path, right.path)),
    importables,
    updates,
    toComplete: written.flatMap(({ file, objects, value }) =>
      listTodos(value).flatMap((what) =>
        objects.map(({ account, kind, name }) => ({ account, kind, name, file, what })),
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

/** Combines equal resources of several accounts. */
function foldAlike(importables: readonly Importable[]): readonly Folded[] {
  const folded = groupBy(importables, (one) => {
    const { account, kind, name, form } = one;
    return canonical([kind, name, belongsToAccount(one) ? account : '', form]);
  });
  return [...folded.values()]
    .flatMap(([first, ...others]): Folded[] => {
      if (first === undefined) return [];
      const accounts = [first, ...others].map(({ account }) => account).toSorted(compareText);
      const { kind, name, form } = first;
      return [{ accounts, kind, name, form }];
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

/** The resources of one file. */
interface PlannedFile {
  readonly path: string;
  /** The file's own `accounts:`, if it is new. */
  readonly accounts: readonly string[];
  readonly resources: readonly Folded[];
}

/** Name of the file for resources of several accounts. */
const SHARED = 'shared';

/** One file per account and one for shared resources, below `out`. Paths differ also on file systems that ignore case. */
function planFiles(folded: readonly Folded[], out: string): readonly PlannedFile[] {
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
