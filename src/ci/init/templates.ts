import type { ProviderName } from '../../provider/job.ts';
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
const GITLAB_PIPELINE_PATH = '.gitlab-ci.yml';

/** Where the file of a provider is, from the root of the repository. */
export function ciFilePath(provider: ProviderName, folder: string): string {
  if (provider === 'github') return `.github/workflows/herald${makeSuffix(folder)}.yml`;
  return provider === 'gitlab' ? GITLAB_PIPELINE_PATH : `${inFolder(folder)}herald-ci.sh`;
}

/** The file as it should be. `existing` is null if there is none yet. Null for a file without the marks, which may be a person's. */
export function ciFile(provider: ProviderName, settings: CiSettings, existing: string | null): string | null {
  const { template, service, first = '' } = TEMPLATES[provider];
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
    first: '#!/usr/bin/env bash\n',
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

interface Marks {
  readonly begin: string;
  readonly end: string;
}

/** The two comments around what `ci init` writes for a workspace. Several workspaces can have one file. */
export function makeMarks(folder: string): Marks {
  const name = folder === '' ? '' : ` ${folder}`;
  return { begin: `# herald:begin${name}`, end: `# herald:end${name}` };
}

/** Puts the block between its marks, each of which has to be there once. Lines above and below belong to people and stay. */
function withBlock(
  existing: string | null,
  block: string,
  { begin, end }: Marks,
  firstLine: string,
): string | null {
  const marked = [begin, ...block.trimEnd().split('\n'), end];
  if (existing === null) return `${firstLine}${marked.join('\n')}\n`;
  const newline = existing.includes('\r\n') ? '\r\n' : '\n';
  const lines = existing.split(/\r?\n/);
  const marks = lines.flatMap((line, index) => ([begin, end].includes(line.trimEnd()) ? [index] : []));
  const [from = 0, to = 0] = marks;
  if (marks.length !== 2 || lines[from]?.trimEnd() !== begin || lines[to]?.trimEnd() !== end) return null;
  return [...lines.slice(0, from), ...marked, ...lines.slice(to + 1)].join(newline);
}
