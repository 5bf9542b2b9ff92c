import * as z from 'zod/mini';
import { formatCommand } from '../domain/command-line.ts';
import { compareText, type Diagnostic } from '../domain/diagnostic.ts';
import { digest } from '../domain/digest.ts';
import { fileProblem } from '../domain/file-problem.ts';
import { hasCode, HeraldError } from '../domain/herald-error.ts';
import type { ExamineMedia } from '../domain/media.ts';
import type { Env, Files } from '../domain/ports.ts';
import {
  compareAddresses,
  type Declared,
  formatAddress,
  KIND_ROWS,
  KINDS_IN_FILES,
  type PlaceOf,
  type SourcePlace,
} from '../domain/resource.ts';
import type { Workspace, WorkspaceSettings } from '../domain/workspace.ts';
import { loadPatternEngine } from '../policy/banned-words.ts';
import { prepareExpansion, type WrittenResource } from './expand.ts';
import { type Findings, Report } from './findings.ts';
import { checkResource } from './rules.ts';
import sampleBroadcast from './samples/news.yaml?text';
import sampleCampaign from './samples/welcome.yaml?text';
import { resourceFileShape } from './schema.ts';
import { checkShape } from './shape-check.ts';
import { didYouMean } from './suggest.ts';
import { nameKey } from './text.ts';
import {
  type AccountDirectory,
  PATTERNS_DEFAULT,
  readWorkspace,
  WORKSPACE_FILE,
  type WorkspaceDraft,
} from './workspace.ts';
import { readYaml, type YamlSource } from './yaml.ts';

export interface LoadOptions {
  readonly env: Env;
  /** Without the file, the service is that of HERALD_BASE_URL, and no account has an alias. */
  readonly mayLackFile?: boolean;
  /** Checks media files of attachments. Without it, files are not allowed. */
  readonly media?: ExamineMedia;
  /** One more file, outside of `files:`. Its broadcasts have no schedule, because they are sent at once. */
  readonly draft?: string;
}

type Outcome<Content> =
  | ({ readonly kind: 'loaded' } & Content)
  | { readonly kind: 'invalid'; readonly diagnostics: readonly Diagnostic[] };

export type Loaded = Outcome<{
  readonly workspace: Workspace;
  readonly declared: readonly Declared[];
  readonly placeOf: PlaceOf;
  readonly warnings: readonly Diagnostic[];
}>;

/** What was loaded. Throws with all problems of the files, and with warnings: nothing was sent. */
export function requireValid<Content>(loaded: Outcome<Content>): Content {
  if (loaded.kind === 'loaded') return loaded;
  const { diagnostics } = loaded;
  const errors = diagnostics.filter(({ severity }) => severity === 'error').length;
  const message = `${errors} problem${errors === 1 ? '' : 's'} in the files. Nothing was sent.`;
  throw new HeraldError('invalid-files', message, null, { details: { diagnostics } });
}

/** Reads only `herald.yaml`, for commands that do not plan. */
export async function loadSettings(
  files: Files,
  options: LoadOptions,
): Promise<Outcome<{ readonly settings: WorkspaceSettings }>> {
  const report = new Report();
  const text = await readWorkspaceText(files, options, report);
  const draft = text === null ? null : readWorkspace(text, options.env, report);
  if (draft === null || report.hasErrors) return { kind: 'invalid', diagnostics: report.sorted() };
  return { kind: 'loaded', settings: draft.settings };
}

/** The workspace of reads that have no file. */
const WORKSPACE_OF_ENVIRONMENT = 'version: 1\nservice: {}\naccounts: {}\n';

/** Null if it cannot be read, which is reported. */
async function readWorkspaceText(
  files: Files,
  { env, mayLackFile }: LoadOptions,
  report: Report,
): Promise<string | null> {
  const isGiven = mayLackFile !== true || !env['HERALD_BASE_URL'] || (await files.exists(WORKSPACE_FILE));
  const text = isGiven ? await readReported(files, WORKSPACE_FILE, report) : WORKSPACE_OF_ENVIRONMENT;
  if (text?.includes('banned_words') === true) await loadPatternEngine();
  return text;
}

/** Reads the workspace and all its resource files. Returns all problems at once. */
export async function loadDeclared(files: Files, options: LoadOptions): Promise<Loaded> {
  const report = new Report();
  const text = await readWorkspaceText(files, options, report);
  if (text === null) return { kind: 'invalid', diagnostics: report.sorted() };
  const draft = readWorkspace(text, options.env, report);
  const { found: matched, unmatched } = await findResourceFiles(files, draft, report);
  const found = withDraft(matched, options.draft, report);
  const { declared: read, placeOf } = await readAndExpand(files, found, draft, options, report);
  checkAcross(read, placeOf, report);
  if (draft === null || report.hasErrors) return { kind: 'invalid', diagnostics: report.sorted() };
  const { settings, patterns } = draft;
  const declared = read.sort((left, right) => compareAddresses(left.address, right.address));
  const digestAll = async () => fingerprint(settings, declared);
  return {
    kind: 'loaded',
    workspace: { ...settings, digest: digestAll, files: found, patterns, unmatched },
    declared,
    placeOf,
    warnings: report.sorted(),
  };
}

/** Of everything declared, in any layout of the files. A saved plan names its service separately. */
function fingerprint(settings: WorkspaceSettings, declared: readonly Declared[]): string {
  const accounts = settings.accounts.map(({ alias, selector }) => ({ alias, selector }));
  // As text, because that is faster: the shapes have already sorted the keys.
  const resources = JSON.stringify(
    declared.map(({ source: _source, written: _written, ...resource }) => resource),
  );
  const { identity, target, ...service } = settings.service;
  // Settings that the origin does not show must be part of the fingerprint, too.
  const unshown =
    target.kind === 'http' && target.baseUrl !== identity.origin ? digest(target.baseUrl) : null;
  return digest({ ...settings, service: { ...service, unshown }, accounts, resources: digest(resources) });
}

/** A file of the workspace is applied, so nothing in it is sent at once. */
function withDraft(found: readonly string[], draft: string | undefined, report: Report): readonly string[] {
  if (draft === undefined) return found;
  const message =
    'This file is one of `files:`, so apply sends it at its schedule. Move the broadcast to a file outside of them.';
  if (found.includes(draft)) report.error('draft-in-files', message, placeWholeFile(draft));
  return [...new Set([...found, draft])];
}

function placeWholeFile(file: string): SourcePlace {
  return { file, line: 1, column: 1 };
}

/** The files of all patterns. A pattern without files is reported, because its resources would look removed. */
async function findResourceFiles(
  files: Files,
  draft: WorkspaceDraft | null,
  report: Report,
): Promise<Pick<Workspace, 'unmatched'> & { readonly found: readonly string[] }> {
  const { patterns } = draft ?? { patterns: PATTERNS_DEFAULT };
  // Patterns with a leading "!" remove files from all others, so they are added to each.
  const takenAway = patterns.filter((pattern) => pattern.startsWith('!'));
  const wanted = patterns.filter((pattern) => !pattern.startsWith('!'));
  const match = (pattern: string) => files.glob([pattern, ...takenAway]);
  const placeOf = (pattern = '') => draft?.placePattern(pattern) ?? placeWholeFile(WORKSPACE_FILE);
  if (wanted.length === 0) {
    const message =
      'Each pattern of `files:` leaves files out, so nothing is declared. Add one such as "campaigns/**/*.yaml".';
    report.error('no-resource-files', message, placeOf(takenAway[0]));
  }
  try {
    const lists = await Promise.all(wanted.map(match));
    const found = [...new Set(lists.flat())].filter((file) => file !== WORKSPACE_FILE).sort(compareText);
    const isEnough = patterns === PATTERNS_DEFAULT && found.length > 0;
    const unmatched = isEnough ? [] : wanted.filter((_, index) => (lists[index] ?? []).length === 0);
    if (draft === null) return { found, unmatched };
    const nearby = [...wanted.map((pattern) => pattern.replace(/\.yaml$/, '.yml')), ...PATTERNS_DEFAULT];
    for (const file of new Set((await Promise.all(nearby.map(match))).flat()))
      if (!found.includes(file)) report.warning('skipped-file', SKIPPED, placeWholeFile(file));
    for (const pattern of unmatched) {
      const message = `No file matches "${pattern}". Correct or remove it. Until then, nothing is pruned.`;
      report.warning('no-resource-files', message, placeOf(pattern));
    }
    return { found, unmatched };
  } catch (cause) {
    const detail = cause instanceof Error ? cause.message : String(cause);
    const message = `Some files cannot be found: ${detail.replace(/\.$/, '')}. Their resources would look removed. Fix the cause, then run the command again.`;
    report.error('files-unreadable', message, placeWholeFile(WORKSPACE_FILE));
    return { found: [], unmatched: [] };
  }
}

const SKIPPED =
  'This file is not read, because no pattern of `files:` matches it. Add one that does, or one with "!" that leaves it out.';

/** Ten times the largest agency, with each account of a resource counted. A few kilobytes can declare millions. */
const RESOURCES_MAX = 100_000;

async function readAndExpand(
  files: Files,
  resourceFiles: readonly string[],
  draft: WorkspaceDraft | null,
  options: LoadOptions,
  report: Report,
): Promise<{ readonly declared: Declared[]; readonly placeOf: PlaceOf }> {
  const expand = prepareExpansion(files, options.media, draft, report);
  const { target, identity } = draft?.settings.service ?? {};
  // A simulator that runs on its own is on this machine, where http:// is enough.
  const isReal = target?.kind === 'http' && target.baseUrl.startsWith('https:');
  const declared: Declared[] = [];
  const origins = new Map<SourcePlace, Origin>();
  const read = { declared, placeOf: placeFields(origins) };
  for (const file of resourceFiles) {
    const text = await readReported(files, file, report);
    if (text === null) continue;
    for (const resource of readResources(file, text, draft, file === options.draft, report)) {
      const { source, path, place, aliases } = resource;
      if (isReal) refuseSample(resource, identity?.source ?? '', report);
      if (declared.length + aliases.length > RESOURCES_MAX) {
        const message = `The workspace has more than ${RESOURCES_MAX} resources, each account counted. Declare less here, or split the workspace.`;
        report.error('workspace-too-large', message, place);
        return read;
      }
      const { own, textFiles } = await expand(resource);
      origins.set(place, { source, path, textFiles });
      for (const one of own) declared.push(one);
    }
  }
  return read;
}

const SAMPLE_TEXTS = [sampleCampaign, sampleBroadcast].flatMap((sample) =>
  [...sample.matchAll(/text: "(.*)"/g)].map(([, text]) => text),
);

/** Fans would get the text of a sample, whatever else was changed around it. */
function refuseSample({ written, source, path }: WrittenResource, named: string, report: Report): void {
  const { messages = [] } = written;
  const index = messages.findIndex(({ text }) => SAMPLE_TEXTS.includes(text?.trim()));
  if (index === -1) return;
  const message = `This is the text of a sample of \`${formatCommand('init')}\`, and ${named} names a real service, where fans would get it. Write your own text, or delete it.`;
  report.error('sample-content', message, source.placeOf([...path, 'messages', index, 'text']));
}

/** Where a resource is written. What is written there is not kept: a large workspace would hold all of it twice. */
interface Origin extends Pick<WrittenResource, 'source' | 'path'> {
  /** Indexes of the messages of which the text is in its own file. */
  readonly textFiles: readonly number[];
}

/** Places of the fields of declared resources, or of the nearest written value around them. All accounts of one share its place. */
function placeFields(origins: ReadonlyMap<SourcePlace, Origin>): PlaceOf {
  return (place, field) => {
    const { source, path = [], textFiles = [] } = origins.get(place) ?? {};
    const [, index] = field;
    // A text may be in its own file. Then the place is that of the reference.
    const isInFile = field.at(-1) === 'text' && typeof index === 'number' && textFiles.includes(index);
    const written = isInFile ? [...field.slice(0, -1), 'text_file'] : field;
    return source?.placeOf([...path, ...written]) ?? place;
  };
}

/** The file without its resources. Each resource is checked alone, so that one cannot hide problems of another. */
const frameShape = z.extend(resourceFileShape, {
  campaigns: z.optional(z.array(z.unknown())),
  broadcasts: z.optional(z.array(z.unknown())),
});

/** All problems are reported. Rules across the fields of a resource wait until each field is right. */
function readResources(
  file: string,
  text: string,
  draft: WorkspaceDraft | null,
  atOnce: boolean,
  report: Report,
): readonly WrittenResource[] {
  const { source, diagnostics } = readYaml(file, text);
  report.addAll(diagnostics);
  if (source === null) return [];
  const select = (names: readonly string[], found: Findings): readonly string[] =>
    draft === null ? [] : selectAccounts(names, draft.directory, found);
  const frame = readFrame(source, report);
  // Without accounts of the file, each resource needs its own.
  const usual = frame.accounts === undefined ? null : select(frame.accounts, report.within(source, []));
  const resources = KINDS_IN_FILES.flatMap((kind) =>
    (frame[KIND_ROWS[kind].plural] ?? []).flatMap((item, index): WrittenResource[] => {
      const path = [KIND_ROWS[kind].plural, index];
      const found = report.within(source, path);
      const written = checkResource(kind, item, draft?.settings.service.knownWords ?? null, found, atOnce);
      if (written === null) return [];
      const aliases = written.accounts === undefined ? usual : select(written.accounts, found);
      if (aliases === null) {
        const message = '`accounts` is missing. Write `accounts: [alice]` here or at the top of the file.';
        found.error('accounts-missing', ['accounts'], message);
      }
      const cursor = { source, path, place: source.placeOf(path), aliases: aliases ?? [] };
      // The shape of its kind was checked.
      return [{ kind, written, atOnce, ...cursor } as WrittenResource];
    }),
  );
  source.release();
  return resources;
}

/** With an error next to them, the lists of resources are read all the same. */
function readFrame(source: YamlSource, report: Report): z.infer<typeof frameShape> {
  const frame = checkShape(frameShape, source.value ?? {}, report.within(source, []));
  // An empty file is an error, or `--allow prune` would archive everything.
  if (frame !== null && KINDS_IN_FILES.every((kind) => frame[KIND_ROWS[kind].plural] === undefined)) {
    const message =
      'This file is empty. Write campaigns or broadcasts, or `campaigns: []` if it should be empty.';
    report.error('empty-file', message, source.placeOf([]));
  }
  if (frame !== null) return frame;
  const lists = KINDS_IN_FILES.map((kind): [string, unknown] => {
    const list: unknown = Reflect.get(Object(source.value), KIND_ROWS[kind].plural);
    return [KIND_ROWS[kind].plural, Array.isArray(list) ? list : []];
  });
  return { accounts: [], ...Object.fromEntries(lists) };
}

/** Resolves aliases and groups to distinct aliases, in the given order. */
function selectAccounts(
  names: readonly string[],
  { accounts, groups }: AccountDirectory,
  found: Findings,
): readonly string[] {
  // Thousands of resources may name one group of thousands: they share its array.
  const [only = '', second] = names;
  const group = groups.get(only);
  if (second === undefined && group !== undefined) return group;
  const aliases = new Set<string>();
  for (const [index, name] of names.entries()) {
    const members = groups.get(name) ?? (accounts.has(name) ? [name] : null);
    for (const alias of members ?? []) aliases.add(alias);
    if (members !== null) continue;
    const known = [...accounts.keys(), ...groups.keys()];
    const message = `Unknown account or group "${name}".${didYouMean(name, known)} Known: ${known.join(', ')}. Add it to herald.yaml, or correct the name.`;
    found.error('unknown-account', ['accounts', index], message);
  }
  return [...aliases];
}

/** The text of a file. Null if it cannot be read, which is reported. */
async function readReported(files: Files, file: string, report: Report): Promise<string | null> {
  try {
    return await files.readText(file);
  } catch (cause) {
    const message = `Cannot read this file: ${fileProblem(cause)}. Check it and its permissions.`;
    // A file that is missing has no lines.
    if (file === WORKSPACE_FILE && cause instanceof Error && 'code' in cause && cause.code === 'ENOENT')
      report.error('workspace-missing', await adviseMissing(files), { file });
    else if (hasCode(cause, 'path-outside'))
      report.error('path-outside', cause.message, placeWholeFile(file));
    else report.error('file-unreadable', message, placeWholeFile(file));
    return null;
  }
}

async function adviseMissing(files: Files): Promise<string> {
  if (files.findAbove !== undefined && !(await files.exists('.')))
    return 'This directory does not exist. Check the path of -C.';
  const above = files.findAbove?.(WORKSPACE_FILE) ?? null;
  if (above !== null)
    return `No herald.yaml in this directory. The nearest one is in ${above}: run the command with \`-C ${above}\`.`;
  return `No herald.yaml in this directory. Run \`${formatCommand('init')}\`, or use \`-C DIR\`.`;
}

/**
 * Checks the rules between resources of all files. Names are unique per account and kind; names that look alike count
 * as equal, because people read them as one name (CONTENT-1). A former name must not be declared, and only one resource
 * is renamed from it (CONTENT-4).
 */
function checkAcross(all: readonly Declared[], placeOf: PlaceOf, report: Report): void {
  const declared = new Map(all.map((one) => [formatAddress(one.address), one]));
  const byName = new Map<string, Declared>();
  const byFormerName = new Map<string, Declared>();
  const locate = ({ source }: Declared) => {
    const { file, line, column } = placeOf(source, ['name']);
    return `${file}:${line}:${column}`;
  };
  for (const here of all) {
    const { address, renamedFrom, source } = here;
    const twin = findEarlier(byName, nameKey(address), here);
    if (twin !== undefined) {
      const other = twin.address.name;
      const what =
        address.name === other
          ? `"${address.name}" is already declared`
          : `"${address.name}" counts as the same name as "${other}", which is declared`;
      const message = `${what} at ${locate(twin)}. Names must be unique per account and kind. Rename one.`;
      report.error('duplicate-name', message, placeOf(source, ['name']));
    }
    if (renamedFrom === null) continue;
    const former = formatAddress({ ...address, name: renamedFrom });
    const still = declared.get(former);
    if (still !== undefined) {
      const message = `"${renamedFrom}" is still declared at ${locate(still)}. Remove that block, or this renamed_from.`;
      report.error('renamed-from-declared', message, placeOf(source, ['renamed_from']));
    }
    const other = findEarlier(byFormerName, former, here);
    if (other === undefined) continue;
    const message = `"${renamedFrom}" is already renamed at ${locate(other)}. Remove one of the two renamed_from.`;
    report.error('renamed-from-twice', message, placeOf(source, ['renamed_from']));
  }
}

/** The first one with this key. If there is none, this one is the first. */
function findEarlier(first: Map<string, Declared>, key: string, here: Declared): Declared | undefined {
  const earlier = first.get(key);
  if (earlier === undefined) first.set(key, here);
  return earlier;
}
