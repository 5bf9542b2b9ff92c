import { compareText } from '../domain/diagnostic.ts';
import { canonical } from '../domain/digest.ts';
import { HeraldError } from '../domain/herald-error.ts';
import type { AccountId, LiveId } from '../domain/ids.ts';
import type { Files } from '../domain/ports.ts';
import { formatAddress, KINDS_IN_FILES, type Kind } from '../domain/resource.ts';
import type { YAMLMap } from 'yaml';
import { isForm, isList, type Folded, type Form, type Importable, type Plain } from './form.ts';
import { ResourceFile, survivesFile, type Place } from './resource-file.ts';
import type { ImportReport } from './shape.ts';

/** One file to write. */
export interface NewFile {
  /** Path in the workspace, with `/`. */
  readonly path: string;
  readonly text: string;
}

/** A live object with its name in the files. */
export interface LiveObject {
  readonly account: string;
  readonly accountId: AccountId;
  readonly kind: Kind;
  readonly name: string;
  readonly liveId: LiveId;
  /** True if its audience is not the one that Herald sent. */
  readonly changed: boolean;
}

/** The update of one declared resource. */
export interface ResourceUpdate {
  readonly file: string;
  readonly place: Place;
  /** The whole resource as it is to be written. Null if only its texts change. */
  readonly node: YAMLMap | null;
  /** Texts in their own files. */
  readonly texts: readonly NewFile[];
  /** `account/kind/name`, one per account. */
  readonly addresses: readonly string[];
  /** Its live objects. */
  readonly objects: readonly LiveObject[];
  readonly report: ImportReport['updated'];
  readonly toComplete: ImportReport['to_complete'];
}

/** The new and changed files, with their resources. */
export interface Draft {
  readonly files: readonly NewFile[];
  /** Files with resources. */
  readonly resourceFiles: readonly string[];
  readonly importables: readonly Importable[];
  /** Declared objects that were updated from live. */
  readonly refreshed: readonly LiveObject[];
  readonly written: ImportReport['files'];
  readonly updated: ImportReport['updated'];
  readonly toComplete: ImportReport['to_complete'];
  /** `account/kind/name` of all its resources. */
  readonly addresses: ReadonlySet<string>;
}

/** The place of a draft: new files next to existing ones, or changes of them. */
export interface DraftPlace {
  readonly files: Files;
  /** Directory of new files in the workspace. */
  readonly out: string;
  /** True if existing files may be changed. */
  readonly mayChange: boolean;
}

/** Writes new files for importable objects, and changes existing files for updates. Nothing is on the disk yet. */
export async function makeDraft(
  place: DraftPlace,
  importables: readonly Importable[],
  updates: readonly ResourceUpdate[],
): Promise<Draft> {
  const planned = await planFree(place, foldAlike(importables));
  const opened = new Map<string, ResourceFile>();
  const created = new Set<string>();
  const texts = new Map<string, string>();
  const open = async (path: string): Promise<ResourceFile> => {
    const file = opened.get(path) ?? new ResourceFile(await place.files.readText(path));
    opened.set(path, file);
    return file;
  };
  for (const update of updates) {
    if (update.node !== null) (await open(update.file)).replace(update.place, update.node);
    for (const { path, text } of update.texts) texts.set(path, text);
  }
  for (const { path, accounts, resources, texts: own } of planned) {
    if (!(await place.files.exists(path))) {
      created.add(path);
      opened.set(path, ResourceFile.create(accounts));
    }
    const file = await open(path);
    for (const resource of resources) file.append(resource);
    for (const text of own) {
      created.add(text.path);
      texts.set(text.path, text.text);
    }
  }
  const resourceFiles = [...opened].map(([path, file]) => ({
    path,
    text: file.toText(),
    resources: file.written,
  }));
  const all = [...resourceFiles, ...[...texts].map(([path, text]) => ({ path, text, resources: 0 }))];
  return {
    files: all.map(({ path, text }) => ({ path, text })),
    resourceFiles: resourceFiles.map(({ path }) => path),
    importables,
    refreshed: updates.flatMap(({ objects }) => objects),
    written: all
      .map(({ path, resources }) => ({
        path,
        action: created.has(path) ? ('created' as const) : ('updated' as const),
        resources,
      }))
      .toSorted((left, right) => compareText(left.path, right.path)),
    updated: updates.flatMap(({ report }) => report),
    toComplete: [
      ...updates.flatMap((update) => update.toComplete),
      ...planned.flatMap(({ path, resources }) => resources.flatMap((resource) => listMarks(path, resource))),
    ],
    addresses: new Set([
      ...importables.map(formatImportable),
      ...updates.flatMap(({ addresses }) => addresses),
    ]),
  };
}

function listMarks(file: string, { accounts, kind, name, marks }: Folded): ImportReport['to_complete'] {
  return marks.flatMap(({ comment }) =>
    accounts.map((account) => ({ account, kind, name, file, what: comment })),
  );
}

export function formatImportable({ account, kind, name }: Importable): string {
  return formatAddress({ account, kind, name });
}

/** Combines equal resources of several accounts. Media, lists and tags belong to one account each. */
function foldAlike(importables: readonly Importable[]): readonly Folded[] {
  const folded = new Map<string, Folded & { readonly accounts: string[] }>();
  for (const { account, kind, name, form, marks, belongsToAccount } of importables) {
    const key = canonical([kind, name, belongsToAccount ? account : '', form]);
    const one = folded.get(key) ?? { accounts: [], kind, name, form, marks };
    folded.set(key, one);
    one.accounts.push(account);
  }
  for (const { accounts } of folded.values()) accounts.sort(compareText);
  return [...folded.values()].toSorted(
    (left, right) =>
      KINDS_IN_FILES.indexOf(left.kind) - KINDS_IN_FILES.indexOf(right.kind) ||
      compareText(left.name, right.name) ||
      compareText(left.accounts.join(' '), right.accounts.join(' ')),
  );
}

/** The resources of one file, with its text files. */
interface PlannedFile {
  readonly path: string;
  /** The file's own `accounts:`, if it is new. */
  readonly accounts: readonly string[];
  readonly resources: readonly Folded[];
  readonly texts: readonly NewFile[];
}

/** Text files get unused names. Existing resource files are extended, if allowed. */
async function planFree(
  { files, out, mayChange }: DraftPlace,
  folded: readonly Folded[],
): Promise<readonly PlannedFile[]> {
  const taken = new Set<string>();
  for (;;) {
    const planned = planFiles(folded, out, taken);
    const paths = planned.flatMap(({ path, texts }) => [
      ...(mayChange ? [] : [path]),
      ...texts.map((text) => text.path),
    ]);
    const inTheWay: string[] = [];
    for (const path of paths) if (await files.exists(path)) inTheWay.push(path);
    if (inTheWay.length === 0) return planned;
    if (!mayChange)
      throw new HeraldError(
        'files-exist',
        `${inTheWay.join(', ')} already exist${inTheWay.length === 1 ? 's' : ''}. Nothing was written.`,
        'Use --update to change existing files, or --out with another directory.',
        { details: { files: inTheWay } },
      );
    for (const path of inTheWay) taken.add(path.toLowerCase());
  }
}

/** Name of the file for resources of several accounts. */
const SHARED = 'shared';

/** One file per account and one for shared resources, below `out`. */
function planFiles(
  folded: readonly Folded[],
  out: string,
  taken: ReadonlySet<string>,
): readonly PlannedFile[] {
  // The shared file keeps its name, even if an account has the same name.
  const owners = [...new Set(folded.map(nameOwner))].toSorted(compareText);
  const [usedNames, usedTexts] = [new Set<string>(), new Set(taken)];
  return owners.map((owner) => {
    const path = takePath(`${out}/${owner === '' ? SHARED : owner}`, '.yaml', usedNames);
    const folder = `messages/${path.slice(out.length + 1, -'.yaml'.length)}/`;
    const texts: NewFile[] = [];
    const own = folded.filter((resource) => nameOwner(resource) === owner);
    const resources = own.map((resource) => {
      const form = moveLongTexts(resource.form, (text, index) => {
        const wanted = `${out}/${folder}${chooseFileName(resource.name, resource.kind)}-${index + 1}`;
        const textPath = takePath(wanted, '.md', usedTexts);
        texts.push({ path: textPath, text: `${text}\n` });
        return textPath.slice(out.length + 1);
      });
      return { ...resource, form };
    });
    return { path, accounts: findUsualAccounts(resources), resources, texts };
  });
}

function nameOwner({ accounts }: Folded): string {
  const [only = '', second] = accounts;
  return second === undefined ? only : '';
}

/** The wanted path or one with a number, unused also on file systems that ignore case. */
function takePath(wanted: string, ending: string, used: Set<string>): string {
  for (let count = 1; ; count += 1) {
    const path = `${wanted}${count === 1 ? '' : `-${count}`}${ending}`;
    if (used.has(path.toLowerCase())) continue;
    used.add(path.toLowerCase());
    return path;
  }
}

const FILE_NAME_LENGTH_MAX = 40;

/** A name with letters that every file system accepts. `otherwise` if nothing is left. */
export function chooseFileName(name: string, otherwise: string): string {
  const letters = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, FILE_NAME_LENGTH_MAX)
    .replace(/^-+|-+$/g, '');
  return letters === '' ? otherwise : letters;
}

/** Longer texts get their own file. */
const INLINE_LENGTH_MAX = 200;

/** Moves long texts to files. `place` stores a text and returns its reference. */
function moveLongTexts(form: Form, place: (text: string, index: number) => string): Form {
  const { messages } = form;
  if (!isList(messages)) return form;
  const moved = messages.map((message, index): Plain => {
    if (!isForm(message)) return message;
    const { text, ...rest } = message;
    const isLong = typeof text === 'string' && text.length > INLINE_LENGTH_MAX && survivesFile(text);
    return isLong ? { text_file: place(text, index), ...rest } : message;
  });
  return { ...form, messages: moved };
}

/** The most frequent accounts in a file, so that few resources need their own. */
function findUsualAccounts(resources: readonly Folded[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const { accounts } of resources) {
    const key = accounts.join(' ');
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  const [most] = [...counts].toSorted(([, left], [, right]) => right - left);
  return most === undefined ? [] : most[0].split(' ');
}
