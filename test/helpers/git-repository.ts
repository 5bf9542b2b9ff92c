import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import type { Repository } from '../../src/domain/ports.ts';
import { GitRepository } from '../../src/host/git.ts';
import { writeFiles, type FileContents } from './folders.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** A real repository in a temporary folder, which is removed after the test. */
export interface TestRepository {
  readonly directory: string;
  git(...args: readonly string[]): string;
  /** Writes files. Null removes one. */
  write(files: FileContents): void;
  /** Writes files and commits everything. Returns the id. */
  commit(files?: FileContents): string;
  /** As Herald sees it, from one of its folders. */
  open(folder?: string): Promise<Repository>;
  /** Another clone of it, with these options of `git clone`. */
  clone(...options: readonly string[]): TestRepository;
  /** A shallow, detached checkout of one commit, as jobs of CI make it. Returns its folder. */
  checkOut(commit: string): string;
}

const NAME = ['-c', 'user.name=tester', '-c', 'user.email=tester@example.test', '-c', 'commit.gpgsign=false'];

/** An empty repository with the branch `main`. A bare one has no files of its own, as on a server. */
export function aRepository({ isBare = false }: { readonly isBare?: boolean } = {}): TestRepository {
  const directory = temporaryFolder();
  const repository = repositoryIn(directory);
  repository.git('init', '--quiet', '--initial-branch', 'main', ...(isBare ? ['--bare'] : []));
  return repository;
}

function repositoryIn(directory: string): TestRepository {
  const git = (...args: readonly string[]) =>
    execFileSync('git', [...NAME, ...args], { cwd: directory, stdio: 'pipe', encoding: 'utf8' }).trim();
  const write: TestRepository['write'] = (files) => writeFiles(directory, files);
  return {
    directory,
    git,
    write,
    commit: (files = {}) => {
      write(files);
      git('add', '-A');
      git('commit', '--quiet', '--allow-empty', '-m', 'change');
      return git('rev-parse', 'HEAD');
    },
    open: (folder = '.') => GitRepository.open({ directory: join(directory, folder), env: process.env }),
    clone: (...options) => {
      const target = temporaryFolder();
      // An address, because a clone of a path ignores the depth.
      git('clone', '--quiet', ...options, `file://${directory}`, target);
      return repositoryIn(target);
    },
    checkOut: (commit) => {
      const target = temporaryFolder();
      const job = repositoryIn(target);
      job.git('init', '--quiet', '--initial-branch', 'main');
      job.git('remote', 'add', 'origin', `file://${directory}`);
      job.git('fetch', '--quiet', '--no-tags', '--depth=1', 'origin', commit);
      job.git('checkout', '--quiet', '--detach', 'FETCH_HEAD');
      return target;
    },
  };
}
