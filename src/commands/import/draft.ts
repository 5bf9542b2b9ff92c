import type { Context } from '../../context.ts';
import { declaredFilterShape } from '../../domain/audience.ts';
import type { Plan } from '../../domain/change.ts';
import { hiddenDigest } from '../../domain/hidden.ts';
import { objectKey, type Knowledge } from '../../domain/knowledge.ts';
import { formatAddress } from '../../domain/resource.ts';
import { drawFile } from '../../import/document.ts';
import { foldAlike } from '../../import/fold.ts';
import type { Importable } from '../../import/form.ts';
import { planFiles, type NewFile, type PlannedFile } from '../../import/layout.ts';
import type { LeftOut } from '../../import/left-out.ts';
import { CommandError } from '../failure.ts';
import type { Opened } from '../inspect.ts';
import { withChanges } from './adopt.ts';
import { checkDraft, type Faults } from './check.ts';
import { FileEdits, type LiveObject, type ResourceUpdate } from './file-edits.ts';
import type { ImportReport } from './shape.ts';
import type { Scan } from './scan.ts';

/** What a draft is made for and judged by. */
export interface Work {
  readonly context: Context;
  readonly opened: Opened;
  readonly scan: Scan;
  readonly before: Plan;
  readonly knowledge: Knowledge;
  /** The directory of new files, from the workspace's own. */
  readonly out: string;
  /** Whether files that exist may be changed. */
  readonly mayChange: boolean;
}

/** A draft that the plan leaves alone. */
export interface Settled {
  readonly files: readonly NewFile[];
  /** The ones of `files` that hold resources. */
  readonly resourceFiles: readonly string[];
  readonly importables: readonly Importable[];
  /** Declared objects whose files say now what they are. */
  readonly refreshed: readonly LiveObject[];
  readonly written: ImportReport['files'];
  readonly updated: ImportReport['updated'];
  readonly toComplete: ImportReport['to_complete'];
  readonly leftOut: readonly LeftOut[];
}

/**
 * Drafts the files and looks at what a plan would do with them; what it would not leave alone is taken out, and
 * the rest is drafted again. Each round takes something out, so there is an end to it.
 */
export async function settleDraft(
  work: Work,
  importables: readonly Importable[],
  updates: readonly ResourceUpdate[],
): Promise<Settled> {
  const leftOut: LeftOut[] = [];
  for (;;) {
    const draft = await makeDraft(work, importables, updates);
    const { context, opened, scan, before } = work;
    const knowledge = withChanges(work.knowledge, draft.refreshed);
    if (draft.files.length === 0) return { ...draft, leftOut };
    const faults = await checkDraft(context, opened, scan, draft, before, knowledge);
    if (faults.size === 0) return { ...draft, leftOut };
    const kept = importables.filter((one) => !faults.has(addressOf(one)));
    const keptUpdates = updates.filter(({ addresses }) => !addresses.some((one) => faults.has(one)));
    if (kept.length === importables.length && keptUpdates.length === updates.length) throw disturbs(faults);
    const loudOnes = importables.filter((one) => faults.has(addressOf(one)));
    leftOut.push(...loudOnes.map((one) => loud(one, faults, knowledge)));
    leftOut.push(...updates.flatMap((update) => loudUpdate(update, faults)));
    importables = kept;
    updates = keptUpdates;
  }
}

function addressOf({ account, kind, name }: Importable): string {
  return formatAddress({ account, kind, name });
}

function loud(one: Importable, faults: Faults, knowledge: Knowledge): LeftOut {
  const { account, kind, name, liveId: live_id } = one;
  // What the plan says of it is about a line that would have been left open in a file that is not written.
  const reason = isSentOtherwise(one, knowledge) ? SENT_OTHERWISE : (faults.get(addressOf(one)) ?? '');
  return { account, kind, name, live_id, code: 'not-quiet', reason };
}

const SENT_OTHERWISE =
  'What Herald sent as its audience cannot be read back: it has names of fan lists or days, which the service never shows, or somebody changed it since. Declare it by hand.';

/** Whether the ledger has the fingerprint of another audience than the one that can be written. */
function isSentOtherwise(
  { accountId, kind, liveId, form, marks }: Importable,
  knowledge: Knowledge,
): boolean {
  const sent = knowledge.objects.get(objectKey(accountId, kind, liveId))?.hiddenDigest ?? null;
  if (sent === null || marks.length === 0) return false;
  const { data } = declaredFilterShape.array().safeParse(form['audience_filters']);
  return data !== undefined && sent !== hiddenDigest(data);
}

function loudUpdate({ addresses, objects }: ResourceUpdate, faults: Faults): readonly LeftOut[] {
  const reason = addresses.map((address) => faults.get(address)).find((fault) => fault !== undefined);
  if (reason === undefined) return [];
  return objects.map(({ account, kind, name, liveId: live_id }): LeftOut => {
    return { account, kind, name, live_id, code: 'kept-as-written', reason };
  });
}

/** Whatever import does, it must not make anything else happen. */
function disturbs(faults: Faults): CommandError {
  return new CommandError(
    'import-disturbs',
    `With these files a plan would decide otherwise about ${[...faults.keys()].join(', ')}. Nothing was written.`,
    'Apply or remove what is declared for it first.',
  );
}

async function makeDraft(
  work: Work,
  importables: readonly Importable[],
  updates: readonly ResourceUpdate[],
): Promise<Omit<Settled, 'leftOut'> & { readonly addresses: ReadonlySet<string> }> {
  const { files: ports } = work.context;
  const folded = foldAlike(importables);
  const planned = await planFree(work, folded);
  const edits = new FileEdits(ports);
  for (const update of updates) await edits.update(update);
  const made: NewFile[] = [];
  const written: ImportReport['files'] = [];
  for (const file of planned) {
    const isNew = !(await ports.exists(file.path));
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

/** Texts get names that no file has. Resource files that exist are added to, if they may be. */
async function planFree(
  work: Work,
  folded: Parameters<typeof planFiles>[0],
): Promise<readonly PlannedFile[]> {
  const { context, out, mayChange } = work;
  const taken = new Set<string>();
  for (;;) {
    const planned = planFiles(folded, out, (path) => taken.has(path));
    const paths = planned.flatMap(({ path, texts }) => [
      ...(mayChange ? [] : [path]),
      ...texts.map((text) => text.path),
    ]);
    const inTheWay: string[] = [];
    for (const path of paths) if (await context.files.exists(path)) inTheWay.push(path);
    if (inTheWay.length === 0) return planned;
    if (!mayChange) throw refuseOverwrite(inTheWay);
    for (const path of inTheWay) taken.add(path);
  }
}

function refuseOverwrite(paths: readonly string[]): CommandError {
  return new CommandError(
    'files-exist',
    `${paths.join(', ')} exist${paths.length === 1 ? 's' : ''} already. Nothing was written.`,
    'Use --update to add to existing files and refresh them, or --out with another directory.',
    1,
    { files: paths },
  );
}

function toComplete({ path, resources }: PlannedFile): ImportReport['to_complete'] {
  return resources.flatMap(({ accounts, kind, name, marks }) =>
    marks.flatMap(({ comment }) =>
      accounts.map((account) => ({ account, kind, name, file: path, what: comment })),
    ),
  );
}
