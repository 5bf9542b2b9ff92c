import { type Repository } from '../domain/git.ts';
import { escapeGlob } from '../domain/glob.ts';
import { formatAddress, type Address } from '../domain/resource.ts';
import { declaredIn } from '../library/local-media.ts';
import type { Targeting } from '../plan/facts.ts';
import { baseCommit, type Comparison } from './base-commit.ts';
import { changedAddresses, type DeclaredFiles } from './changed-addresses.ts';
import { hasCode } from '../domain/herald-error.ts';

/** What `--scope changed` leaves of a workspace. */
export type Scope =
  | {
      readonly kind: 'changed';
      /** The commit that the files were compared with. */
      readonly base: string;
      readonly addresses: readonly Address[];
      readonly targeting: Targeting;
    }
  /** All resources, and why, as a part of a sentence. */
  | { readonly kind: 'all'; readonly base: string; readonly because: string };

export interface ScopePorts {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly interrupted: AbortSignal;
}

/**
 * Compares what the checked-out files declare with what the base declared. Widens to everything where that cannot be
 * known: a scope that is too wide costs requests, one that is too narrow hides a change.
 */
export async function scopeChanged(
  ports: ScopePorts,
  repository: Repository,
  head: DeclaredFiles,
  comparison: Comparison,
): Promise<Scope> {
  const { base, files } = await baseFiles(ports, repository, comparison);
  if (typeof files === 'string') return { kind: 'all', base, because: files };
  const changed = changedAddresses(files, head);
  if (changed.kind === 'all')
    return { kind: 'all', base, because: `${changed.because} from that of ${base.slice(0, 12)}` };
  const { addresses } = changed;
  return { kind: 'changed', base, addresses, targeting: targetingOf(addresses, base) };
}

/** What the base declared, or why that is not known, as a part of a sentence. */
export async function baseFiles(
  ports: ScopePorts,
  repository: Repository,
  comparison: Comparison,
): Promise<{ readonly base: string; readonly files: DeclaredFiles | string }> {
  const base = await baseCommit(repository, comparison);
  return { base, files: await loadAt(ports, repository, base) };
}

/** What a commit declares, or why that is not known. */
export async function loadAt(
  ports: ScopePorts,
  repository: Repository,
  base: string,
): Promise<DeclaredFiles | string> {
  const at = base.slice(0, 12);
  try {
    const loaded = await declaredIn(await repository.treeOf(base), ports);
    if (loaded.kind === 'loaded') return loaded;
    const [first] = loaded.diagnostics.filter(({ severity }) => severity === 'error');
    if (first?.code === 'workspace-missing') return `${at} has no herald.yaml here`;
    return `the files of ${at} have errors: ${first?.message ?? 'unknown'}`.replace(/[.]$/, '');
  } catch (error) {
    if (hasCode(error, 'git-'))
      return `the files of ${at} cannot be read: ${error.message}`.replace(/[.]$/, '');
    throw error;
  }
}

/** Patterns of exactly these addresses. Without any, nothing is left. */
function targetingOf(addresses: readonly Address[], base: string): Targeting {
  const changedSince = base.slice(0, 12);
  if (addresses.length === 0) return { target: [], exclude: ['*'], changedSince };
  return {
    target: addresses.map((address) => escapeGlob(formatAddress(address))),
    exclude: [],
    changedSince,
  };
}
