import { formatCommand } from '../domain/command-line.ts';
import { canonical } from '../domain/digest.ts';
import { escapeGlob } from '../domain/glob.ts';
import { hasCode, HeraldError } from '../domain/herald-error.ts';
import type { Output, Repository } from '../domain/ports.ts';
import { type Address, compareAddresses, type Declared, formatAddress } from '../domain/resource.ts';
import { shown, visibleProse } from '../domain/visible.ts';
import type { WorkspaceSettings } from '../domain/workspace.ts';
import { digestResource } from '../plan/review.ts';
import { loadFiles } from '../library/media.ts';
import { EVERYTHING, type Permissions, type Targeting } from '../plan/facts.ts';
import { count } from '../render/wording.ts';
import { readState } from '../workspace/workspace.ts';

export interface Comparison {
  /** A commit or a branch. */
  readonly base: string;
  /** The last commit of the pull request; null if there is none, or it is not known. */
  readonly head: string | null;
}

/**
 * The commit that the checked-out files are compared with.
 *
 * | checked out                                        | compared with                                |
 * |----------------------------------------------------|----------------------------------------------|
 * | a merge of the pull request's head into its base   | the other parent: the base at that time      |
 * | anything else                                      | the last commit in common with the base      |
 */
export async function baseCommit(repository: Repository, { base, head }: Comparison): Promise<string> {
  const [first, ...merged] = await repository.parentsOf('HEAD');
  if (first !== undefined && head !== null && merged.includes(head)) {
    await repository.fetchCommit(first);
    return first;
  }
  const found = await repository.mergeBase('HEAD', await findTip(repository, base));
  if (found !== null) return found;
  throw new HeraldError(
    'git-no-common-commit',
    `The checked-out files and ${base} have no commit in common.`,
    'Rebase the branch onto its base branch, then run the command again.',
  );
}

/** A branch may be here only as that of the remote. A tag with its name, which anyone may push, is not it. */
async function findTip(repository: Repository, base: string): Promise<string> {
  const branches = /^[0-9a-f]{40,64}$/.test(base)
    ? []
    : [`refs/heads/${base}`, `refs/remotes/origin/${base}`];
  for (const name of [...branches, base]) {
    const found = await repository.commitOf(name);
    if (found !== null) return found;
  }
  await repository.fetchCommit(base);
  return base;
}

/** What `--scope changed` leaves of a workspace, against what the base declared. */
export interface Scope {
  readonly base: string;
  readonly targeting: Targeting;
  /** How many resources are declared differently. */
  readonly changed: number;
  /** Why all resources are meant, as a part of a sentence; null if they are not. */
  readonly because: string | null;
}

export interface ScopePorts {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly interrupted: AbortSignal;
}

interface ChoosePorts extends ScopePorts {
  readonly repository: () => Promise<Repository>;
  readonly output: Pick<Output, 'say'>;
}

/** The scope of `--scope changed`. Prints it. */
export async function chooseScope(
  ports: ChoosePorts,
  head: DeclaredFiles,
  comparison: Comparison,
): Promise<Scope> {
  const scope = await scopeChanged(ports, await ports.repository(), head, comparison);
  ports.output.say(
    scope.because === null
      ? shown`Scope: ${count(scope.changed, 'resource')} declared differently than in ${scope.base.slice(0, 12)}.`
      : shown`Scope: everything, because ${visibleProse(scope.because)}.`,
  );
  return scope;
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
  const base = await baseCommit(repository, comparison);
  const everything = (because: string) => ({ base, targeting: EVERYTHING, changed: 0, because });
  const before = await loadAt(ports, repository, base);
  if (typeof before === 'string') return everything(before);
  const setting = findOtherSetting(before.workspace, head.workspace);
  if (setting !== null)
    return everything(`\`${setting}\` of herald.yaml differs from that of ${base.slice(0, 12)}`);
  const addresses = changedAddresses(before, head);
  const patterns = addresses.map((address) => escapeGlob(formatAddress(address)));
  // Without any, nothing is left.
  const exclude = addresses.length === 0 ? ['*'] : [];
  const targeting = { target: patterns, exclude, changedSince: base.slice(0, 12) };
  return { base, targeting, changed: addresses.length, because: null };
}

/** What a commit declares, or why that is not known. */
async function loadAt(
  ports: ScopePorts,
  repository: Repository,
  base: string,
): Promise<DeclaredFiles | string> {
  const at = base.slice(0, 12);
  try {
    const loaded = await loadFiles({ ...ports, ...(await repository.treeOf(base)) }, 'read');
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

export interface DeclaredFiles {
  readonly workspace: WorkspaceSettings;
  readonly declared: readonly Declared[];
}

/**
 * The addresses that two commits declare differently: new, removed, or with another content. Where in the files they
 * are makes no difference. Addresses of an account that `head` does not have any more are left out, because nothing
 * of it can be planned.
 */
function changedAddresses(base: DeclaredFiles, head: DeclaredFiles): readonly Address[] {
  const [was, is] = [fingerprintDeclared(base), fingerprintDeclared(head)];
  const aliases = new Set(head.workspace.accounts.map(({ alias }) => alias));
  const addresses = new Map(
    [...base.declared, ...head.declared].map(({ address }) => [formatAddress(address), address]),
  );
  const changed = [...addresses].filter(
    ([text, { account }]) => aliases.has(account) && was.get(text) !== is.get(text),
  );
  return changed.map(([, address]) => address).toSorted(compareAddresses);
}

/** Settings that decide about every resource, with their keys in `herald.yaml`. */
const SETTINGS = {
  service: ({ service }) => service,
  policy: ({ policy }) => policy,
  allow: ({ allow }) => allow,
  ci: ({ requireApproval }) => requireApproval,
  ownership: ({ ownershipPrefix }) => ownershipPrefix,
} as const satisfies Record<string, (settings: WorkspaceSettings) => unknown>;

function findOtherSetting(base: WorkspaceSettings, head: WorkspaceSettings): string | null {
  const found = Object.entries(SETTINGS).find(([, of]) => canonical(of(base)) !== canonical(of(head)));
  return found === undefined ? null : found[0];
}

/** Everything that is declared for each address, with the account that its alias names. */
function fingerprintDeclared({ workspace, declared }: DeclaredFiles): ReadonlyMap<string, string> {
  // Without their places in the file.
  const accounts = new Map(
    workspace.accounts.map(({ source: _source, ...one }) => [one.alias, canonical(one)]),
  );
  return new Map(
    declared.map((resource) => [
      formatAddress(resource.address),
      `${accounts.get(resource.address.account) ?? ''} ${digestResource(resource)}`,
    ]),
  );
}

/**
 * The commit that is checked out, if it declares exactly what the files do. Null without a repository, and where the files have
 * changes that are in no commit. Git itself could only compare the working tree with its filters, and Git runs those as programs.
 */
export async function findCheckedOut(
  ports: ChoosePorts,
  files: DeclaredFiles,
): Promise<{ readonly id: string } | null> {
  try {
    const repository = await ports.repository();
    const id = await repository.commitOf('HEAD');
    if (id === null) return null;
    const loaded = await loadAt(ports, repository, id);
    const isSame =
      typeof loaded !== 'string' &&
      findOtherSetting(loaded.workspace, files.workspace) === null &&
      changedAddresses(loaded, files).length === 0;
    return isSame ? { id } : null;
  } catch (error) {
    if (hasCode(error, 'git-')) return null;
    throw error;
  }
}

type OutdatedGate = NonNullable<Permissions['outdated']>;

/**
 * The tip of the branch decides: what it declares differently than the files of this run, which is that of an older merge, is not
 * carried out. If a setting for everything differs, nothing is. Asked under the lease, and again after a wait. Rejects if the tip
 * cannot be read the first time.
 */
export function outdatedAsk(
  ports: ScopePorts,
  repository: Repository,
  branch: string | null,
  files: DeclaredFiles,
): () => Promise<OutdatedGate> {
  const askNow = async (): Promise<OutdatedGate> => {
    const tip = await repository.remoteTip(branch).catch((error: unknown) => {
      throw hasCode(error, 'git-') ? unread(error.message, error.hint ?? '') : error;
    });
    const head = (await repository.commitOf('HEAD')) ?? '';
    if (tip.commit === head) return () => null;
    const newer = await loadAt(ports, repository, tip.commit);
    if (typeof newer === 'string')
      throw unread(
        `The commits cannot be compared, because ${newer}.`,
        'Run the apply job of the newest commit.',
      );
    const [stateThen, stateNow] = await Promise.all([head, tip.commit].map((at) => stateAt(repository, at)));
    const setting = stateThen !== stateNow ? 'state' : findOtherSetting(newer.workspace, files.workspace);
    const what = setting === null ? 'this' : `the setting ${setting}`;
    // A link is in the files, and never in those of a commit. So one that declares something differs.
    const [then, now] = [fingerprintDeclared(files), fingerprintDeclared(newer)];
    return (address) => {
      const name = formatAddress(address);
      if (setting === null && then.get(name) === now.get(name)) return null;
      const [tipId, headId] = [tip.commit.slice(0, 12), head.slice(0, 12)];
      const next = formatCommand('plan', '--target', escapeGlob(name));
      return `Outdated: the tip of ${tip.branch}, ${tipId}, does not declare ${what} as ${headId} does, which this run applies. Run the apply job of ${tipId}. To see what it would do, check out ${tipId} and run: ${next}`;
    };
  };
  let isFirst = true;
  return async () => {
    try {
      return await askNow();
    } catch (error) {
      // By now, changes may have been sent. The rest is blocked, and all of it is reported.
      if (isFirst || !hasCode(error, 'git-')) throw error;
      return () => error.message;
    } finally {
      isFirst = false;
    }
  };
}

/** Where a commit keeps the state. Null if that is not known. */
async function stateAt(repository: Repository, commit: string): Promise<string | null> {
  const file = await repository.fileAt(commit, 'herald.yaml');
  return file.kind === 'regular' ? canonical(readState(file.text)) : null;
}

function unread(why: string, next: string): HeraldError {
  const what = 'So Herald cannot see whether a newer commit declares something else. Nothing was applied.';
  return new HeraldError('git-failed', `${why} ${what}`, next);
}
