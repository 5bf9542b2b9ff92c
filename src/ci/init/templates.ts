import type { ProviderName } from '../../provider/job.ts';
import type { StateSettings } from '../../workspace/state.ts';
import { planArtifact } from '../comment.ts';
import generic from './generic.sh?text';
import gitHub from './github.yml?text';
import gitLab from './gitlab.yml?text';

/** What the files of CI depend on. */
export interface CiSettings {
  /** The workspace's folder in the repository, with `/`. Empty for the root. */
  readonly folder: string;
  /** The branch that is applied. */
  readonly branch: string;
  /** The origin that `herald.yaml` names; null if it comes from a variable. */
  readonly origin: string | null;
  /** The variable with the address of the state database; null if the state is on a branch. */
  readonly database: string | null;
  /** Media are kept with Git LFS. */
  readonly hasLfs: boolean;
}

/** The pipeline of all workspaces of a repository, each between its own marks. */
export const GITLAB_PIPELINE_PATH = '.gitlab-ci.yml';

/** Where the file of a provider is, from the root of the repository. */
export function ciFilePath(provider: ProviderName, folder: string): string {
  if (provider === 'github') return `.github/workflows/herald${makeSuffix(folder)}.yml`;
  return provider === 'gitlab' ? GITLAB_PIPELINE_PATH : `${inFolder(folder)}herald-ci.sh`;
}

/** The file as it should be. `existing` is null if there is none yet. */
export function ciFile(provider: ProviderName, settings: CiSettings, existing: string | null): MarkedFile {
  const { template, service, first = null } = TEMPLATES[provider];
  const { folder, branch, origin, database, hasLfs } = settings;
  const block = fill(template, {
    name: folder === '' ? 'Herald' : `Herald ${folder}`,
    branch,
    suffix: makeSuffix(folder),
    artifact: planArtifact(folder),
    out: `${inFolder(folder)}herald-out`,
    directory: folder === '' ? '' : provider === 'gitlab' ? `- cd ${folder}` : `working-directory: ${folder}`,
    checkout: `fetch-depth: 0${hasLfs ? ', lfs: true' : ''}`,
    contents: database === null ? 'write # for the branch of the state' : 'read',
    state: database === null ? '' : `${database}: \${{ secrets.${database} }}`,
    service: service(origin),
  });
  return withBlock(existing, block, makeMarks(folder), first);
}

const PINNED = '# The only service that may get the key, whatever a change writes into herald.yaml.';

/** For each provider, its template and how it names the service. Without an origin, a variable of the job has it. */
const TEMPLATES: Readonly<
  Record<
    ProviderName,
    {
      readonly template: string;
      readonly service: (origin: string | null) => string;
      readonly first?: string;
    }
  >
> = {
  github: {
    template: gitHub,
    service: (origin) =>
      origin === null
        ? '# The address of the service. It counts instead of the one in herald.yaml.\nHERALD_BASE_URL: ${{ vars.HERALD_BASE_URL }}'
        : `${PINNED}\nHERALD_ALLOWED_ORIGINS: ${origin}`,
  },
  gitlab: {
    template: gitLab,
    service: (origin) => (origin === null ? '' : `${PINNED}\nHERALD_ALLOWED_ORIGINS: ${origin}`),
  },
  generic: {
    template: generic,
    service: (origin) => (origin === null ? '' : `${PINNED}\nexport HERALD_ALLOWED_ORIGINS=${origin}`),
    first: '#!/usr/bin/env bash',
  },
};

/** Replaces each `%name%`. A line with nothing else becomes the lines of its value, or goes if that is empty. */
function fill(template: string, values: Readonly<Record<string, string>>): string {
  return template
    .replaceAll(/^( *)%(\w+)%\n/gm, (_line, indent: string, name: string) =>
      (values[name] ?? '').replaceAll(/^(?=.)/gm, indent).replace(/(.)$/, '$1\n'),
    )
    .replaceAll(/%(\w+)%/g, (whole, name: string) => values[name] ?? whole);
}

/** The variable with the address of the state database; null if the state is elsewhere. */
export function findDatabase(state: StateSettings): string | null {
  return state.kind === 'postgres' ? state.variable : null;
}

/** The part of file names and job names that tells workspaces of one repository apart, such as `-ads-eu`. */
function makeSuffix(folder: string): string {
  const word = folder.replaceAll(/[^A-Za-z0-9]+/g, '-').replaceAll(/^-+|-+$/g, '');
  return word === '' ? '' : `-${word.toLowerCase()}`;
}

function inFolder(folder: string): string {
  return folder === '' ? '' : `${folder}/`;
}

/** Branches and folders are written into YAML and shell commands, so only plain ones are accepted. */
export function isPlainName(name: string): boolean {
  return /^[A-Za-z0-9_][\w.-]*(?:\/[A-Za-z0-9_][\w.-]*)*$/.test(name);
}

/** A file with the new block, or why it was left as it is. */
type MarkedFile =
  { readonly kind: 'text'; readonly text: string } | { readonly kind: 'refused'; readonly reason: string };

interface Marks {
  readonly begin: string;
  readonly end: string;
}

/** The two comments around what `ci init` writes for a workspace. Several workspaces can have one file. */
export function makeMarks(folder: string): Marks {
  const name = folder === '' ? '' : ` ${folder}`;
  return { begin: `# herald:begin${name}`, end: `# herald:end${name}` };
}

/**
 * Puts the block between its marks. Lines above and below belong to people and stay.
 *
 * | the file          | result                      |
 * |-------------------|-----------------------------|
 * | is not there      | the block alone, with marks |
 * | has both marks    | the block is replaced       |
 * | anything else     | refused                     |
 */
function withBlock(
  existing: string | null,
  block: string,
  marks: Marks,
  firstLine: string | null = null,
): MarkedFile {
  const marked = [marks.begin, ...block.trimEnd().split('\n'), marks.end];
  if (existing === null)
    return { kind: 'text', text: `${[...(firstLine === null ? [] : [firstLine]), ...marked].join('\n')}\n` };
  const newline = existing.includes('\r\n') ? '\r\n' : '\n';
  const lines = existing.split(/\r?\n/);
  const [begins, ends] = [linesThatAre(lines, marks.begin), linesThatAre(lines, marks.end)];
  const [begin, end] = [begins[0], ends[0]];
  if (begin === undefined || end === undefined)
    return {
      kind: 'refused',
      reason: `does not have both the line "${marks.begin}" and the line "${marks.end}"`,
    };
  if (begins.length > 1 || ends.length > 1)
    return { kind: 'refused', reason: `has the line "${marks.begin}" or "${marks.end}" more than once` };
  if (end < begin) return { kind: 'refused', reason: `has the line "${marks.end}" above "${marks.begin}"` };
  return { kind: 'text', text: [...lines.slice(0, begin), ...marked, ...lines.slice(end + 1)].join(newline) };
}

function linesThatAre(lines: readonly string[], mark: string): readonly number[] {
  return lines.flatMap((line, index) => (line.trimEnd() === mark ? [index] : []));
}
