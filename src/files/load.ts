import { compareText, type Diagnostic } from '../domain/diagnostic.ts';
import { digest } from '../domain/digest.ts';
import type { Files } from '../domain/ports.ts';
import { compareAddresses, type Declared } from '../domain/resource.ts';
import type { Workspace, WorkspaceSettings } from '../domain/workspace.ts';
import { checkAcross } from './across.ts';
import { expandResource, type Expanded, type Texts } from './expand.ts';
import { problem, Report } from './findings.ts';
import { readResources, type WrittenResource } from './resources.ts';
import { TextFiles, type TextFile } from './text-files.ts';
import { readWorkspace, type WorkspaceDraft } from './workspace.ts';

export interface LoadOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** `herald.yaml` unless said. */
  readonly workspaceFile?: string;
}

/** Everything declared, or everything that is wrong with it. */
export type Loaded =
  | {
      readonly kind: 'loaded';
      readonly workspace: Workspace;
      readonly declared: readonly Declared[];
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
  return text === null ? null : readWorkspace(file, text, options.env, report);
}

/** Reads the workspace and all its resource files. Problems come back as values, all at once. */
export async function loadDeclared(files: Files, options: LoadOptions): Promise<Loaded> {
  const report = new Report();
  const workspaceFile = options.workspaceFile ?? WORKSPACE_FILE_DEFAULT;
  const draft = await readDraft(files, options, report);
  if (draft === null) return { kind: 'invalid', diagnostics: report.sorted() };
  const resourceFiles = await findResourceFiles(files, draft, workspaceFile, report);
  const expanded = await readAndExpand(files, resourceFiles, draft, report);
  checkAcross(expanded, report);
  if (draft.settings === null || report.hasErrors) return { kind: 'invalid', diagnostics: report.sorted() };
  const declared = expanded
    .map((one) => one.declared)
    .sort((left, right) => compareAddresses(left.address, right.address));
  return {
    kind: 'loaded',
    workspace: { ...draft.settings, digest: digestOf(draft.settings, declared), files: resourceFiles },
    declared,
    warnings: report.sorted(),
  };
}

const WORKSPACE_ADVICE = 'There is no workspace here: run `herald init`, or name its directory with -C.';

/** Null when it cannot be read, which goes on the report. */
async function readText(
  files: Files,
  file: string,
  missingCode: string,
  missingAdvice: string,
  report: Report,
): Promise<string | null> {
  try {
    return await files.readText(file);
  } catch (cause) {
    const isMissing = cause instanceof Error && 'code' in cause && cause.code === 'ENOENT';
    const detail = cause instanceof Error ? cause.message : String(cause);
    const code = isMissing ? missingCode : 'file-unreadable';
    const message = isMissing ? missingAdvice : `This file cannot be read: ${detail}. Check its permissions.`;
    report.add({ severity: 'error', code, message, file, line: 1, column: 1 });
    return null;
  }
}

async function findResourceFiles(
  files: Files,
  draft: WorkspaceDraft,
  workspaceFile: string,
  report: Report,
): Promise<string[]> {
  const found = (await files.glob(draft.patterns)).filter((file) => file !== workspaceFile);
  const unique = [...new Set(found)].sort(compareText);
  if (unique.length === 0) {
    const message = `No file matches ${draft.patterns.join(', ')}: nothing is declared. Check \`files:\`.`;
    report.add({
      severity: 'warning',
      code: 'no-resource-files',
      message,
      file: workspaceFile,
      line: 1,
      column: 1,
    });
  }
  return unique;
}

async function readAndExpand(
  files: Files,
  resourceFiles: readonly string[],
  draft: WorkspaceDraft,
  report: Report,
): Promise<Expanded[]> {
  const textFiles = new TextFiles(files);
  const expanded: Expanded[] = [];
  for (const file of resourceFiles) {
    const text = await readText(
      files,
      file,
      'file-unreadable',
      'This file has gone: run the command again.',
      report,
    );
    if (text === null) continue;
    for (const resource of readResources(file, text, draft.directory, report)) {
      const texts = await readTexts(textFiles, resource, report);
      expanded.push(...expandResource(resource, texts, draft.directory, report));
    }
  }
  return expanded;
}

const NO_TEXTS: Texts = new Map();

async function readTexts(textFiles: TextFiles, resource: WrittenResource, report: Report): Promise<Texts> {
  const messages = resource.written.messages ?? [];
  if (messages.every((message) => message.text_file === undefined)) return NO_TEXTS;
  const texts = new Map<number, TextFile>();
  for (const [index, { text_file: reference }] of messages.entries()) {
    if (reference === undefined) continue;
    const result = await textFiles.read(resource.source.file, reference);
    if (result.kind === 'read') {
      texts.set(index, result.textFile);
    } else {
      const finding = problem(result.code, ['messages', index, 'text_file'], result.message);
      report.addFindings(resource.source, resource.path, [finding]);
    }
  }
  return texts;
}

/** Resources that are hashed together: hashing each alone takes longer than the hashing itself. */
const HASHED_TOGETHER = 256;

/** What was declared, wherever and however it is written. */
function digestOf(settings: WorkspaceDraft['settings'], declared: readonly Declared[]): string {
  const accounts = settings?.accounts.map(({ alias, selector }) => ({ alias, selector }));
  const resources: string[] = [];
  for (let start = 0; start < declared.length; start += HASHED_TOGETHER) {
    const together = declared.slice(start, start + HASHED_TOGETHER);
    // As text, because shapes put keys into their own order already.
    resources.push(digest(JSON.stringify(together.map(({ source: _source, ...resource }) => resource))));
  }
  return digest({ ...settings, accounts, resources });
}
