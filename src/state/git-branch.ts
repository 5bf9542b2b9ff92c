import * as z from 'zod';
import { formatCommand, inShell } from '../domain/command-line.ts';
import type { Clock } from '../domain/ports.ts';
import { untilTaken, type LeaseWait } from './lease.ts';
import { hasCode, HeraldError } from '../domain/herald-error.ts';

interface GitAnswer {
  readonly exitCode: number;
  readonly stdout: string;
  /** Without user names and passwords of addresses. */
  readonly stderr: string;
}

/** Runs git in the checkout; `input` is its standard input. */
export type RunGit = (args: readonly string[], input?: string) => Promise<GitAnswer>;

/** The branch of a repository that keeps the state of a workspace, for CI without a database. */
export interface BranchLocation {
  readonly git: RunGit;
  readonly remote: string;
  readonly branch: string;
  /** The folder of the workspace in the branch; empty for a repository with one workspace. */
  readonly folder: string;
}

export interface BranchTip {
  /** Null where the branch does not exist yet. */
  readonly commit: string | null;
  /** The lines of the state; empty where there are none. */
  readonly text: string;
  readonly lease: BranchLease | null;
}

const leaseShape = z.object({ run: z.string(), holder: z.string(), taken_at: z.string() });
type BranchLease = z.infer<typeof leaseShape>;

const STATE_FILE = 'state.ndjson';
const LEASE_FILE = 'lease.json';

/** The repository of the checkout may name programs of its own for these. */
const OWN_UPLOAD = '--upload-pack=git-upload-pack';
const OWN_RECEIVE = '--receive-pack=git-receive-pack';

/** A branch that moves between each list and its fetch is asked again so often. */
const READS_MAX = 5;

const POLL_MS = 5_000;
const PUSHES_MAX = 5;

/** Git needs a name for what it imports, and takes it away again. */
const SCRATCH_REF = 'refs/herald/scratch';

/** A branch with a state, on its remote. No branch, no tag and no file of the checkout changes. */
export class StateBranch {
  readonly #location: BranchLocation;

  constructor(location: BranchLocation) {
    this.#location = location;
  }

  /** The branch as the remote has it now. */
  async read(): Promise<BranchTip> {
    for (let attempt = 1; attempt <= READS_MAX; attempt += 1) {
      const commit = await this.#fetchTip();
      if (commit === null) return { commit, text: '', lease: null };
      if (!(await this.#hasCommit(commit))) continue;
      const lease = await this.#readFile(commit, LEASE_FILE);
      const text = (await this.#readFile(commit, STATE_FILE)) ?? '';
      return { commit, text, lease: lease === null ? null : this.#parseLease(lease) };
    }
    throw new HeraldError(
      'state-unreachable',
      `The branch ${this.#location.branch} changed ${READS_MAX} times while it was read. Nothing was sent.`,
      `Look at it again: ${formatCommand('state', 'show')}`,
    );
  }

  /** The last commit that the remote has; null if it does not have the branch. */
  async #fetchTip(): Promise<string | null> {
    const { git, remote, branch } = this.#location;
    const ref = `refs/heads/${branch}`;
    const listed = await git(['ls-remote', OWN_UPLOAD, '--end-of-options', remote, ref]);
    if (listed.exitCode !== 0) throw this.#unreachable(listed);
    // Git matches the end of names as well, and anyone who may push a branch could put one before it.
    const line = listed.stdout.split('\n').find((one) => one.endsWith(`\t${ref}`));
    if (line === undefined) return null;
    const [commit = ''] = line.split('\t');
    if (await this.#hasCommit(commit)) return commit;
    // A clone with the whole history must not become a shallow one.
    const isShallow = (await this.#run(['rev-parse', '--is-shallow-repository'])).trim() === 'true';
    const depth = isShallow ? ['--depth=1'] : [];
    const how = ['--quiet', '--no-tags', '--no-write-fetch-head', '--no-recurse-submodules', OWN_UPLOAD];
    const fetched = await git(['fetch', ...how, ...depth, '--end-of-options', remote, ref]);
    if (fetched.exitCode !== 0) throw this.#unreachable(fetched);
    return commit;
  }

  async #hasCommit(commit: string): Promise<boolean> {
    return (await this.#location.git(['cat-file', '-e', `${commit}^{commit}`])).exitCode === 0;
  }

  /** Takes the lease: one push that is not forced, so that of two runs one is refused. It never ends by itself. */
  async take(lease: BranchLease, wait: LeaseWait): Promise<BranchTip & { readonly commit: string }> {
    return untilTaken(wait, POLL_MS, async () => {
      const tip = await this.read();
      if (tip.lease !== null) return `${tip.lease.holder} since ${tip.lease.taken_at}`;
      const commit = await this.#makeCommit(tip.commit, tip.text, lease, `Lease: ${lease.holder}`);
      return (await this.#pushUntilAnswered(commit, wait.clock))
        ? { ...tip, commit }
        : 'a run that was faster';
    });
  }

  /** Returns the rows and the lease of a run in one push. `base` is the commit that took the lease. */
  async giveBack(
    { commit: base, run: own }: { readonly commit: string; readonly run: string },
    text: string,
    clock: Clock,
  ): Promise<void> {
    let parent: string | null = base;
    for (let attempt = 1; attempt <= PUSHES_MAX; attempt += 1) {
      const commit = await this.#makeCommit(parent, text, null, 'State after a run');
      if (await this.#pushUntilAnswered(commit, clock)) return;
      // Another workspace of the branch may have been faster. While the lease here is ours, our rows are as this run left them.
      const tip = await this.read();
      if (tip.lease?.run !== own) break;
      parent = tip.commit;
    }
    throw new HeraldError(
      'state-lease-lost',
      `The branch ${this.#location.branch} has changed since this run took its lease, so what the run recorded may not have been returned.`,
      `Keep the output of this run. The next one finds out on the service what happened: ${formatCommand('plan')}`,
    );
  }

  /** A push may be carried out without an answer. Sent once more, it changes nothing then. */
  async #pushUntilAnswered(commit: string, clock: Clock): Promise<boolean> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.#push(commit);
      } catch (error) {
        if (!hasCode(error, 'state-unreachable') || attempt === PUSHES_MAX) throw error;
      }
      await clock.sleep(POLL_MS * attempt);
    }
  }

  /** Ends the lease of a run that is gone. The state of the branch is marked as cut, because that run may have sent requests. */
  async unlock(): Promise<BranchLease | null> {
    const tip = await this.read();
    if (tip.lease === null || tip.commit === null) return null;
    const text = tip.text.replace(/"cut":0}$/m, '"cut":1}');
    const commit = await this.#makeCommit(tip.commit, text, null, `End the lease of ${tip.lease.holder}`);
    if (await this.#push(commit)) return tip.lease;
    throw new HeraldError(
      'state-refused',
      `The branch ${this.#location.branch} changed in this moment. Its lease was not ended.`,
      `Look at it again: ${formatCommand('state', 'show')}`,
    );
  }

  async #readFile(commit: string, file: string): Promise<string | null> {
    const { git, folder } = this.#location;
    const path = folder === '' ? file : `${folder}/${file}`;
    // Git runs in the folder of the workspace, and paths would be relative to it.
    const listed = await this.#run(['ls-tree', '--full-tree', commit, '--', path]);
    // A link or a submodule of that name is not read.
    if (!listed.startsWith('100644 blob ')) return null;
    const shown = await git(['cat-file', 'blob', `${commit}:${path}`]);
    if (shown.exitCode !== 0) throw this.#unreachable(shown);
    return shown.stdout;
  }

  #parseLease(text: string): BranchLease {
    try {
      return leaseShape.parse(JSON.parse(text));
    } catch {
      return {
        run: '',
        holder: `someone (lease.json of ${this.#location.branch} cannot be read)`,
        taken_at: 'an unknown time',
      };
    }
  }

  /** Makes a commit with these files in place of the ones of its parent, and returns its id. It changes no branch here and starts no job. */
  async #makeCommit(
    parent: string | null,
    state: string,
    lease: BranchLease | null,
    subject: string,
  ): Promise<string> {
    const path = (file: string) =>
      JSON.stringify(this.#location.folder === '' ? file : `${this.#location.folder}/${file}`);
    const data = (text: string) => `data ${Buffer.byteLength(text)}\n${text}\n`;
    const commands = [
      `commit ${SCRATCH_REF}\nmark :1\ncommitter herald <herald@localhost> now\n${data(`${subject}\n\n[skip ci]`)}`,
      parent === null ? '' : `from ${parent}\n`,
      `M 100644 inline ${path(STATE_FILE)}\n${data(state)}`,
      lease === null
        ? `D ${path(LEASE_FILE)}\n`
        : `M 100644 inline ${path(LEASE_FILE)}\n${data(`${JSON.stringify(lease)}\n`)}`,
      `\nget-mark :1\nreset ${SCRATCH_REF}\nfrom ${'0'.repeat(40)}\n\n`,
    ];
    const how = ['--quiet', '--force', '--date-format=now'];
    return (await this.#run(['fast-import', ...how], commands.join(''))).trim();
  }

  /** False if the remote refuses it because the branch has another commit now. */
  async #push(commit: string): Promise<boolean> {
    const { git, remote, branch } = this.#location;
    const how = ['--porcelain', '--no-follow-tags', '--no-signed', '--recurse-submodules=no', OWN_RECEIVE];
    const pushed = await git(['push', ...how, '--end-of-options', remote, `${commit}:refs/heads/${branch}`]);
    if (pushed.exitCode === 0) return true;
    // The rest of such a line is in words of git, which runs in English.
    if (
      /^!\t.*\[(?:remote )?rejected\] \((?:fetch first|non-fast-forward|cannot lock ref|failed to update ref|incorrect old value)/m.test(
        pushed.stdout,
      )
    )
      return false;
    throw this.#unreachable(pushed);
  }

  async #run(args: readonly string[], input?: string): Promise<string> {
    const answer = await this.#location.git(args, input);
    if (answer.exitCode === 0) return answer.stdout;
    const command = args.find((word) => /^[a-z]+-?[a-z]+$/.test(word)) ?? '';
    throw new HeraldError(
      'state-failed',
      `git ${command} failed on the state of the branch ${this.#location.branch}: ${answer.stderr.trim()}. What was recorded before is kept.`,
      'Check the checkout: git fsck',
    );
  }

  #unreachable({ stderr, stdout }: GitAnswer): HeraldError {
    const { remote, branch } = this.#location;
    const words = (stderr.trim() === '' ? stdout : stderr).trim();
    return new HeraldError(
      'state-unreachable',
      `The branch ${branch} of ${remote}, which keeps the state, cannot be read or written: ${words}. What was recorded before is kept.`,
      `Check that git reaches it: git ls-remote ${inShell(remote)} ${inShell(`refs/heads/${branch}`)}`,
    );
  }
}
