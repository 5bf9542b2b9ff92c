import type { DiagnosticCode } from '../domain/codes.ts';
import { compareText, type Diagnostic } from '../domain/diagnostic.ts';
import type { ExamineMedia } from '../domain/media.ts';
import { RefusedPathError, type Files } from '../domain/ports.ts';
import { compareAddresses, type Declared, type PlaceOf, type SourcePlace } from '../domain/resource.ts';
import type { Workspace, WorkspaceSettings } from '../domain/workspace.ts';
import { checkAcross } from './across.ts';
import { expandResource, type Expanded } from './expand.ts';
import { FieldPlaces } from './field-places.ts';
import { Report } from './findings.ts';
import { MediaFiles } from './media-files.ts';
import { readOutside } from './outside.ts';
import { readResources } from './resources.ts';
import { loadEngines } from './policy.ts';
import { TextFiles } from './text-files.ts';
import { readWorkspace, type WorkspaceDraft } from './workspace.ts';

export interface LoadOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** `herald.yaml` unless said. */
  readonly workspaceFile?: string;
  /** Looks at the media files that attachments name; without it, none may be named. */
  readonly media?: ExamineMedia;
}

/** Everything declared, or everything that is wrong with it. */
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

/** The settings of a workspace, or everything that is wrong with them. */
export type LoadedSettings =
  | { readonly kind: 'loaded'; readonly settings: WorkspaceSettings }
  | { readonly kind: 'invalid'; readonly diagnostics: readonly Diagnostic[] };

/** Reads `herald.yaml` alone: what a command needs that reconciles nothing. */
export async function loadSettings(files: Files, options: LoadOptions): Promise<LoadedSettings> {
  const report = new Report();
  const draft = await readDraft(files, options, report);
  if (draft === null || draft.settings === null || report.hasErrors)
    return { kind: 'invalid', diagnostics: report.sorted() };
  return { kind: 'loaded', settings: draft.settings };
}

async function readDraft(files: Files, options: LoadOptions, report: Report): Promise<WorkspaceDraft | null> {
  const file = options.workspaceFile ?? WORKSPACE_FILE_DEFAULT;
  const text = await readText(files, file, 'workspace-missing', WORKSPACE_ADVICE, report);
  if (text === null) return null;
  return readWorkspace(file, text, options.env, report, await loadEngines(text));
}

/** Reads the workspace and all its resource files. Problems come back as values, all at once. */
export async function loadDeclared(files: Files, options: LoadOptions): Promise<Loaded> {
  const report = new Report();
  const workspaceFile = options.workspaceFile ?? WORKSPACE_FILE_DEFAULT;
  const draft = await readDraft(files, options, report);
  if (draft === null) return { kind: 'invalid', diagnostics: report.sorted() };
  const { found, unmatched } = await findResourceFiles(files, draft, workspaceFile, report);
  const places = new FieldPlaces();
  const expanded = await readAndExpand(files, found, { draft, report, places, media: options.media });
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
    placeOf: places.placeOf,
    warnings: report.sorted(),
  };
}

const WORKSPACE_ADVICE = 'There is no workspace here: run `herald init`, or name its directory with -C.';

/** Null when it cannot be read, which goes on the report. */
async function readText(
  files: Files,
  file: string,
  missingCode: DiagnosticCode,
  missingAdvice: string,
  report: Report,
): Promise<string | null> {
  try {
    return await files.readText(file);
  } catch (cause) {
    const isMissing = cause instanceof Error && 'code' in cause && cause.code === 'ENOENT';
    const detail = cause instanceof Error ? cause.message : String(cause);
    const code = isMissing ? missingCode : 'file-unreadable';
    if (cause instanceof RefusedPathError) {
      report.add({ severity: 'error', code: cause.code, message: `${detail}.`, file, line: 1, column: 1 });
      return null;
    }
    const message = isMissing ? missingAdvice : `This file cannot be read: ${detail}. Check its permissions.`;
    report.add({ severity: 'error', code, message, file, line: 1, column: 1 });
    return null;
  }
}

/** The files of all patterns; patterns that match nothing are said, because what they declared looks removed. */
async function findResourceFiles(
  files: Files,
  { patterns, patternsComplete, patternPlaces }: WorkspaceDraft,
  workspaceFile: string,
  report: Report,
): Promise<Found> {
  const tell = (severity: 'error' | 'warning', code: DiagnosticCode, message: string, place: SourcePlace) =>
    report.add({ severity, code, message, ...place });
  const top = { file: workspaceFile, line: 1, column: 1 };
  try {
    const { found, unmatched } = await matchAll(files, patterns, workspaceFile);
    if (!patternsComplete) return { found, unmatched };
    if (found.length === 0)
      tell(
        'warning',
        'no-resource-files',
        `No file matches ${patterns.join(', ')}: nothing is declared. Check \`files:\`.`,
        top,
      );
    else
      for (const pattern of unmatched)
        tell(
          'warning',
          'no-resource-files',
          `No file matches "${pattern}": correct it, or remove it. Nothing is pruned before.`,
          patternPlaces.get(pattern) ?? top,
        );
    return { found, unmatched };
  } catch (cause) {
    const detail = cause instanceof Error ? cause.message : String(cause);
    tell(
      'error',
      'files-unreadable',
      `Not every file can be found: ${detail}. What it declares would look removed.`,
      top,
    );
    return { found: [], unmatched: [] };
  }
}

interface Found {
  readonly found: readonly string[];
  readonly unmatched: readonly string[];
}

/** Patterns with a leading "!" take files away from all others, so they go along with each. */
async function matchAll(files: Files, patterns: readonly string[], workspaceFile: string): Promise<Found> {
  const takenAway = patterns.filter((pattern) => pattern.startsWith('!'));
  const wanted = patterns.filter((pattern) => !pattern.startsWith('!'));
  const lists = await Promise.all(wanted.map((pattern) => files.glob([pattern, ...takenAway])));
  const found = [...new Set(lists.flat())].filter((file) => file !== workspaceFile).sort(compareText);
  return { found, unmatched: wanted.filter((_, index) => (lists[index] ?? []).length === 0) };
}

interface Loading {
  readonly draft: WorkspaceDraft;
  readonly report: Report;
  readonly places: FieldPlaces;
  readonly media: ExamineMedia | undefined;
}

async function readAndExpand(
  files: Files,
  resourceFiles: readonly string[],
  { draft, report, places, media }: Loading,
): Promise<Expanded[]> {
  const readers = { texts: new TextFiles(files), media: new MediaFiles(media) };
  const expanded: Expanded[] = [];
  let length = 0;
  for await (const { file, text } of readTogether(files, resourceFiles, report)) {
    if (text === null) continue;
    length += text.length;
    if (length > FILES_LENGTH_MAX) {
      report.add(tooMuch(file));
      return expanded;
    }
    for (const resource of readResources(file, text, draft, report)) {
      places.addResource(resource);
      if (expanded.length + resource.aliases.length > RESOURCES_MAX) {
        report.add(tooMany(resource.place));
        return expanded;
      }
      const outside = await readOutside(readers, resource, report);
      for (const one of expandResource(resource, outside, draft, report)) expanded.push(one);
    }
  }
  return expanded;
}

/** Ten times the largest agency, each account of a resource counted: a few kilobytes can declare millions. */
const RESOURCES_MAX = 100_000;

/** Characters of all resource files: 100,000 resources of 600 each, and read within minutes. */
const FILES_LENGTH_MAX = 64 * 1024 * 1024;

function tooMuch(file: string): Diagnostic {
  const message = `With this file there are more than ${FILES_LENGTH_MAX} characters in all resource files: split the workspace.`;
  return { severity: 'error', code: 'workspace-too-large', message, file, line: 1, column: 1 };
}

function tooMany(place: SourcePlace): Diagnostic {
  const message = `With this resource there are more than ${RESOURCES_MAX} in the workspace, each account counted. Declare it on fewer accounts, or split the workspace.`;
  return { severity: 'error', code: 'too-many-resources', message, ...place };
}

/** Files that are read at once: one after the other, their waits add up. */
const READ_TOGETHER = 32;

async function* readTogether(
  files: Files,
  paths: readonly string[],
  report: Report,
): AsyncGenerator<{ readonly file: string; readonly text: string | null }> {
  const advice = 'This file has gone: run the command again.';
  for (let start = 0; start < paths.length; start += READ_TOGETHER) {
    const together = paths.slice(start, start + READ_TOGETHER);
    yield* await Promise.all(
      together.map(async (file) => ({
        file,
        text: await readText(files, file, 'file-unreadable', advice, report),
      })),
    );
  }
}
