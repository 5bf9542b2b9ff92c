import type { RunGit } from '../../src/state/git-branch.ts';

/** What the parts of an import begin with: its files, and its end. */
const PARTS = /^(?:M 100644 inline .+\ndata \d+|D ".+"|get-mark .+)\n/m;

type Kept = { readonly parent: string | null; readonly files: Record<string, string> };

/** Stands in for git and a bare repository with the state on its one branch: it answers what Herald asks, and nothing else. */
export class MemoryBranch {
  readonly #commits = new Map<string, Kept>();
  #tip: string | null = null;

  readonly git: RunGit = async (args, input = '') => {
    const last = args.at(-1) ?? '';
    const [commit = '', path = ''] = last.split(':');
    const answers: Readonly<Record<string, () => string | null>> = {
      'rev-parse': () => (last === '--show-prefix' ? '' : 'false'),
      'ls-remote': () => (this.#tip === null ? '' : `${this.#tip}\t${last}\n`),
      'ls-tree': () => ((this.#commits.get(args[2] ?? '')?.files[last] ?? '') === '' ? '' : '100644 blob 1'),
      'cat-file': () => this.#commits.get(commit)?.files[path] ?? '',
      'fast-import': () => this.#import(input),
      push: () => this.#push(commit),
    };
    const stdout = answers[args[0] ?? '']?.() ?? null;
    const rejected = `!\t${last}\t[rejected] (fetch first)`;
    return { exitCode: stdout === null ? 1 : 0, stdout: stdout ?? rejected, stderr: '' };
  };

  #import(input: string): string {
    const [head = '', state = '', lease = ''] = input.split(PARTS);
    const parent = /^from (\w+)$/m.exec(head)?.[1] ?? null;
    const files = { 'state.ndjson': state.slice(0, -1), 'lease.json': lease.trim() };
    const id = String(this.#commits.size + 1).padStart(40, 'a');
    this.#commits.set(id, { parent, files });
    return id;
  }

  /** Null if it is not a child of the tip. */
  #push(commit: string): string | null {
    if (commit !== this.#tip && this.#commits.get(commit)?.parent !== this.#tip) return null;
    this.#tip = commit;
    return '';
  }
}
