import type { DiagnosticCode } from '../domain/codes.ts';
import { formatCommand } from '../domain/command-line.ts';
import { compareText, type Diagnostic } from '../domain/diagnostic.ts';
import type { ExamineMedia } from '../domain/media.ts';
import { fileProblem } from '../domain/file-problem.ts';
import { hasCode } from '../domain/herald-error.ts';
import type { Files } from '../domain/ports.ts';
import { compareAddresses, type Declared, type PlaceOf, type SourcePlace } from '../domain/resource.ts';
import type { Workspace, WorkspaceSettings } from '../domain/workspace.ts';
import { checkAcross } from './across.ts';
import { expandResource, type Expanded } from './expand.ts';
import { Report, type Path } from './findings.ts';
import { isMissing, OutsideFiles } from './outside.ts';
import { loadEngines } from './policy.ts';
import { readResources, type WrittenResource } from './resources.ts';
import { isSample } from './scaffold.ts';
import { Suggestions } from './suggest.ts';
import { readWorkspace, type WorkspaceDraft } from './workspace.ts';

export interface LoadOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Default: `herald.yaml`. */
  readonly workspaceFile?: string;
  /** Without the file, the service is that of HERALD_BASE_URL, and no account has an alias. */
  readonly mayLackFile?: boolean;
  /** Checks media files of attachments. Without it, files are not allowed. */
  readonly media?: ExamineMedia;
  /** One more file, outside of `files:`. Its broadcasts have no schedule, because they are sent at once. */
  readonly draft?: string;
}

/** The workspace with all resources, or all problems. */
export type Loaded =
  | {
      readonly kind: 'loaded';
      readonly workspace: Workspace;
      readonly declared: readonly Declared[];
      readonly placeOf: PlaceOf;
      readonly warnings: readonly Diagnostic[];
    }
  /** Sorted; errors and warnings. */
  | { readonly kind: 'invalid'; readonly diagnostics: readonly Diagnostic[] };

const WORKSPACE_FILE_DEFAULT = 'herald.yaml';

/** The settings of a workspace, or all problems. */
export type LoadedSettings =
  | { readonly kind: 'loaded'; readonly settings: WorkspaceSettings }
  | { readonly kind: 'invalid'; readonly diagnostics: readonly Diagnostic[] };

/** Reads only `herald.yaml`, for commands that do not plan. */
export async function loadSettings(files: Files, options: LoadOptions): Promise<LoadedSettings> {
  const report = new Report();
  const draft = await readDraft(files, options, report);
  if (draft === null || draft.settings === null || report.hasErrors)
    return { kind: 'invalid', diagnostics: report.sorted() };
  return { kind: 'loaded', settings: draft.settings };
}

async function readDraft(files: Files, options: LoadOptions, report: Report): Promise<WorkspaceDraft | null> {
  const file = options.workspaceFile ?? WORKSPACE_FILE_DEFAULT;
  const isGiven =
    options.mayLackFile !== true || !options.env['HERALD_BASE_URL'] || (await files.exists(file));
  const text = isGiven
    ? await readReported(files, file, 'workspace-missing', workspaceAdvice(), report)
    : WORKSPACE_OF_ENVIRONMENT;
  if (text === null) return null;
  return readWorkspace(file, text, options.env, report, await loadEngines(text));
}

/** Reads the workspace and all its resource files. Returns all problems at once. */
export async function loadDeclared(files: Files, options: LoadOptions): Promise<Loaded> {
  const report = new Report();
  const workspaceFile = options.workspaceFile ?? WORKSPACE_FILE_DEFAULT;
  const draft = await readDraft(files, options, report);
  if (draft === null) return { kind: 'invalid', diagnostics: report.sorted() };
  const { found: matched, unmatched } = await findResourceFiles(files, draft, workspaceFile, report);
  const found = withDraft(matched, options.draft, report);
  const expanded = await readAndExpand(files, found, draft, options, report);
  checkAcross(expanded, report);
  if (draft.settings === null || report.hasErrors) return { kind: 'invalid', diagnostics: report.sorted() };
  const { settings } = draft;
  const declared = expanded
    .map((one) => one.declared)
    .sort((left, right) => compareAddresses(left.address, right.address));
  const digest = async () => (await import('./fingerprint.ts')).fingerprint(settings, declared);
  return {
    kind: 'loaded',
    workspace: { ...settings, digest, files: found, unmatched },
    declared,
    placeOf: placeFields(expanded),
    warnings: report.sorted(),
  };
}

/** Places of the fields of declared resources, or of the nearest written value around them. */
function placeFields(expanded: readonly Expanded[]): PlaceOf {
  // All accounts of a resource share its place.
  const resources = new Map(expanded.map(({ resource }) => [resource.place, resource]));
  return (place, field) => {
    const resource = resources.get(place);
    if (resource === undefined) return place;
    return resource.source.placeOf([...resource.path, ...fieldAsWritten(resource, field)]);
  };
}

/** A text may be in its own file. Then the place is that of the reference. */
function fieldAsWritten({ written }: WrittenResource, field: Path): Path {
  const [, index] = field;
  const isInFile =
    field.at(-1) === 'text' &&
    typeof index === 'number' &&
    written.messages?.[index]?.text_file !== undefined;
  return isInFile ? [...field.slice(0, -1), 'text_file'] : field;
}

/** A file of the workspace is applied, so nothing in it is sent at once. */
function withDraft(found: readonly string[], draft: string | undefined, report: Report): readonly string[] {
  if (draft === undefined) return found;
  if (found.includes(draft))
    report.add({
      severity: 'error',
      code: 'draft-in-files',
      message:
        'This file is one of `files:`, so apply sends it at its schedule. Move the broadcast to a file outside of them.',
      file: draft,
      line: 1,
      column: 1,
    });
  return [...new Set([...found, draft])];
}

/** The workspace of reads that have no file. */
const WORKSPACE_OF_ENVIRONMENT = 'version: 1\nservice: {}\naccounts: {}\n';

function workspaceAdvice(): string {
  return `No herald.yaml in this directory. Run \`${formatCommand('init')}\`, or use \`-C DIR\`.`;
}

/** The files of all patterns. A pattern without files is reported, because its resources would look removed. */
async function findResourceFiles(
  files: Files,
  { patterns, patternPlaces }: WorkspaceDraft,
  workspaceFile: string,
  report: Report,
): Promise<Found> {
  const tell = (severity: 'error' | 'warning', code: DiagnosticCode, message: string, place: SourcePlace) =>
    report.add({ severity, code, message, ...place });
  const top = { file: workspaceFile, line: 1, column: 1 };
  try {
    const { found, unmatched } = await matchAll(files, patterns, workspaceFile);
    if (patternPlaces === null) return { found, unmatched };
    for (const { file, pattern } of await otherwiseSpelled(files, patterns, found))
      tell('warning', 'skipped-file', skippedAdvice(file, pattern), { file, line: 1, column: 1 });
    if (found.length === 0)
      tell(
        'warning',
        'no-resource-files',
        `No file matches ${patterns.join(', ')}, so nothing is declared. Check \`files:\`.`,
        top,
      );
    else
      for (const pattern of unmatched)
        tell(
          'warning',
          'no-resource-files',
          `No file matches "${pattern}". Correct or remove it. Until then, nothing is pruned.`,
          patternPlaces.get(pattern) ?? top,
        );
    return { found, unmatched };
  } catch (cause) {
    const detail = cause instanceof Error ? cause.message : String(cause);
    tell(
      'error',
      'files-unreadable',
      `Some files cannot be found: ${detail}. Their resources would look removed. Fix the cause, then run the command again.`,
      top,
    );
    return { found: [], unmatched: [] };
  }
}

interface Found {
  readonly found: readonly string[];
  readonly unmatched: readonly string[];
}

/** Patterns with a leading "!" remove files from all others, so they are added to each. */
async function matchAll(files: Files, patterns: readonly string[], workspaceFile: string): Promise<Found> {
  const takenAway = patterns.filter((pattern) => pattern.startsWith('!'));
  const wanted = patterns.filter((pattern) => !pattern.startsWith('!'));
  const lists = await Promise.all(wanted.map((pattern) => files.glob([pattern, ...takenAway])));
  const found = [...new Set(lists.flat())].filter((file) => file !== workspaceFile).sort(compareText);
  return { found, unmatched: wanted.filter((_, index) => (lists[index] ?? []).length === 0) };
}

const YAML = /\.yaml$/;

/** Files that only the other spelling of the ending, `.yml`, keeps from being read. */
async function otherwiseSpelled(
  files: Files,
  patterns: readonly string[],
  found: readonly string[],
): Promise<readonly { readonly file: string; readonly pattern: string }[]> {
  const takenAway = patterns.filter((pattern) => pattern.startsWith('!'));
  const others = patterns
    .filter((pattern) => !pattern.startsWith('!') && YAML.test(pattern))
    .map((pattern) => pattern.replace(YAML, '.yml'));
  const read = new Set(found);
  const skipped = new Map<string, string>();
  for (const pattern of others)
    for (const file of await files.glob([pattern, ...takenAway]))
      if (!read.has(file)) skipped.set(file, pattern);
  return [...skipped].map(([file, pattern]) => ({ file, pattern }));
}

function skippedAdvice(file: string, pattern: string): string {
  return `${file} is not read, because \`files:\` has only .yaml names. Rename it to ${file.replace(/\.yml$/, '.yaml')}, or add "${pattern}" to \`files:\`.`;
}

async function readAndExpand(
  files: Files,
  resourceFiles: readonly string[],
  draft: WorkspaceDraft,
  options: LoadOptions,
  report: Report,
): Promise<Expanded[]> {
  const expanding = { ...draft, suggestions: new Suggestions(), report };
  const outside = new OutsideFiles(files, options.media, report);
  const expanded: Expanded[] = [];
  let length = 0;
  for await (const { file, text } of readTogether(files, resourceFiles, report)) {
    if (text === null) continue;
    length += text.length;
    if (length > FILES_LENGTH_MAX) {
      report.add(tooMuch(file));
      return expanded;
    }
    if (isRealService(draft) && isSample(text)) report.add(sample(file));
    for (const resource of readResources(file, text, draft, file === options.draft, report)) {
      if (expanded.length + resource.aliases.length > RESOURCES_MAX) {
        report.add(tooMany(resource.place));
        return expanded;
      }
      for (const one of expandResource(resource, await outside.read(resource), expanding)) expanded.push(one);
    }
  }
  return expanded;
}

/** A simulator that runs on its own is on this machine, where http:// is enough. */
function isRealService({ settings }: WorkspaceDraft): boolean {
  return settings?.service.target.kind === 'http' && settings.service.target.baseUrl.startsWith('https:');
}

function sample(file: string): Diagnostic {
  const message = `This is a sample of \`${formatCommand('init')}\`, and herald.yaml uses a real service, where fans would get it. Write your own text, or delete this file.`;
  return { severity: 'error', code: 'sample-content', message, file, line: 1, column: 1 };
}

/** Ten times the largest agency, with each account of a resource counted. A few kilobytes can declare millions. */
const RESOURCES_MAX = 100_000;

/** Limit for the characters of all resource files: 100,000 resources of 600 characters each. */
const FILES_LENGTH_MAX = 64 * 1024 * 1024;

function tooMuch(file: string): Diagnostic {
  const message = `The resource files have more than ${FILES_LENGTH_MAX} characters, with this one. Split the workspace.`;
  return { severity: 'error', code: 'workspace-too-large', message, file, line: 1, column: 1 };
}

function tooMany(place: SourcePlace): Diagnostic {
  const message = `The workspace has more than ${RESOURCES_MAX} resources, each account counted. Declare it on fewer accounts, or split the workspace.`;
  return { severity: 'error', code: 'too-many-resources', message, ...place };
}

/** Number of files that are read at the same time, so that their waits do not add up. */
const READ_TOGETHER = 32;

async function* readTogether(
  files: Files,
  paths: readonly string[],
  report: Report,
): AsyncGenerator<{ readonly file: string; readonly text: string | null }> {
  const advice = 'This file was removed meanwhile. Run the command again.';
  for (let start = 0; start < paths.length; start += READ_TOGETHER) {
    const together = paths.slice(start, start + READ_TOGETHER);
    yield* await Promise.all(
      together.map(async (file) => ({
        file,
        text: await readReported(files, file, 'file-unreadable', advice, report),
      })),
    );
  }
}

/** The text of a file. Null if it cannot be read, which is reported. */
async function readReported(
  files: Files,
  file: string,
  missingCode: DiagnosticCode,
  missingAdvice: string,
  report: Report,
): Promise<string | null> {
  try {
    return await files.readText(file);
  } catch (cause) {
    const refuse = (code: DiagnosticCode, message: string, place: Partial<SourcePlace>) =>
      report.add({ severity: 'error', code, message, file, ...place });
    const start = { line: 1, column: 1 };
    // A file that is missing has no lines.
    if (isMissing(cause)) refuse(missingCode, missingAdvice, {});
    else if (hasCode(cause, 'path-outside')) refuse('path-outside', cause.message, start);
    else {
      const message = `Cannot read this file: ${fileProblem(cause)}. Check it and its permissions.`;
      refuse('file-unreadable', message, start);
    }
    return null;
  }
}
