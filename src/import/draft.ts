import type { Files } from '../domain/ports.ts';
import { formatAddress } from '../domain/resource.ts';
import { drawFile } from './document.ts';
import { foldAlike } from './fold.ts';
import type { Importable } from './form.ts';
import { planFiles, type NewFile, type PlannedFile } from './layout.ts';
import { FileEdits, type LiveObject, type ResourceUpdate } from './file-edits.ts';
import type { ImportReport } from './shape.ts';
import { HeraldError } from '../domain/herald-error.ts';

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

/** Writes new files for importable objects and edits existing files for updates. Nothing is on the disk yet. */
export async function makeDraft(
  place: DraftPlace,
  importables: readonly Importable[],
  updates: readonly ResourceUpdate[],
): Promise<Draft> {
  const planned = await planFree(place, foldAlike(importables));
  const edits = new FileEdits(place.files);
  for (const update of updates) await edits.update(update);
  const made: NewFile[] = [];
  const written: ImportReport['files'] = [];
  for (const file of planned) {
    const isNew = !(await place.files.exists(file.path));
    if (isNew) made.push(drawFile(file));
    else await edits.append(file);
    if (isNew) written.push({ path: file.path, action: 'created', resources: file.resources.length });
    for (const text of file.texts) {
      made.push(text);
      written.push({ path: text.path, action: 'created', resources: 0 });
    }
  }
  const changed = edits.end();
  const files = [...made, ...changed.map(({ path, text }) => ({ path, text }))];
  const all = [
    ...written,
    ...changed.map(({ path, resources }) => ({ path, action: 'updated' as const, resources })),
  ];
  return {
    files,
    resourceFiles: files.map(({ path }) => path).filter((path) => !path.endsWith('.md')),
    importables,
    refreshed: updates.flatMap(({ objects }) => objects),
    written: all.toSorted((left, right) => (left.path < right.path ? -1 : 1)),
    updated: updates.flatMap(({ report }) => report),
    toComplete: [...updates.flatMap((update) => update.toComplete), ...planned.flatMap(toComplete)],
    addresses: new Set([...importables.map(addressOf), ...updates.flatMap(({ addresses }) => addresses)]),
  };
}

/** Text files get unused names. Existing resource files are extended, if allowed. */
async function planFree(
  { files, out, mayChange }: DraftPlace,
  folded: Parameters<typeof planFiles>[0],
): Promise<readonly PlannedFile[]> {
  const taken = new Set<string>();
  for (;;) {
    const planned = planFiles(folded, out, (path) => taken.has(path));
    const paths = planned.flatMap(({ path, texts }) => [
      ...(mayChange ? [] : [path]),
      ...texts.map((text) => text.path),
    ]);
    const inTheWay: string[] = [];
    for (const path of paths) if (await files.exists(path)) inTheWay.push(path);
    if (inTheWay.length === 0) return planned;
    if (!mayChange) throw refuseOverwrite(inTheWay);
    for (const path of inTheWay) taken.add(path);
  }
}

function refuseOverwrite(paths: readonly string[]): HeraldError {
  return new HeraldError(
    'files-exist',
    `${paths.join(', ')} already exist${paths.length === 1 ? 's' : ''}. Nothing was written.`,
    'Use --update to change existing files, or --out with another directory.',
    { details: { files: paths } },
  );
}

function toComplete({ path, resources }: PlannedFile): ImportReport['to_complete'] {
  return resources.flatMap(({ accounts, kind, name, marks }) =>
    marks.flatMap(({ comment }) =>
      accounts.map((account) => ({ account, kind, name, file: path, what: comment })),
    ),
  );
}

export function addressOf({ account, kind, name }: Importable): string {
  return formatAddress({ account, kind, name });
}
