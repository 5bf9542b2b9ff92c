import { zipOf } from './zip-of.ts';

/** An account of the provider. A token belongs to one. */
export interface Account {
  readonly login: string;
  readonly id: number;
}

export interface Token {
  readonly account: Account;
  /** `read` is what a pull request from a fork gets. */
  readonly rights: 'write' | 'read';
}

export interface Comment {
  readonly id: number;
  readonly pull: number;
  readonly author: Account;
  body: string;
}

export interface Review {
  readonly by: Account;
  readonly state: 'APPROVED' | 'CHANGES_REQUESTED' | 'COMMENTED';
}

export type MergeMethod = 'merge' | 'squash' | 'rebase';

export interface Pull {
  readonly number: number;
  head: string;
  readonly headBranch: string;
  base: string;
  readonly baseBranch: string;
  readonly isFork: boolean;
  state: 'open' | 'closed' | 'merged';
  mergeCommit: string | null;
  /** GitLab names the commits of a merge and of a squash apart, and none for a fast-forward. */
  mergedAs: MergeMethod;
  isLocked: boolean;
  /** Of the branch, by their ids. */
  commits: string[];
  reviews: Review[];
}

export interface Issue {
  readonly number: number;
  readonly author: Account;
  title: string;
  body: string;
  isOpen: boolean;
}

export interface Status {
  readonly sha: string;
  readonly context: string;
  readonly state: string;
  readonly description: string;
  readonly url: string | null;
}

export interface Artifact {
  readonly id: number;
  readonly run: string;
  readonly name: string;
  readonly files: Readonly<Record<string, Uint8Array>>;
  readonly zip: Uint8Array;
}

export const BOT: Account = { login: 'github-actions[bot]', id: 41_898_282 };
export const ANA: Account = { login: 'ana', id: 11 };
export const BO: Account = { login: 'bo', id: 12 };
export const EVE: Account = { login: 'eve', id: 13 };

/** Everything that both providers keep, with the acts of people. */
export class ProviderWorld {
  readonly repository: string;
  readonly tokens = new Map<string, Token>([
    ['bot-token', { account: BOT, rights: 'write' }],
    ['fork-token', { account: BOT, rights: 'read' }],
    ['ana-token', { account: ANA, rights: 'write' }],
  ]);
  readonly pulls = new Map<number, Pull>();
  readonly comments: Comment[] = [];
  readonly issues: Issue[] = [];
  readonly statuses: Status[] = [];
  readonly artifacts: Artifact[] = [];
  /** How many approvals every branch requires. */
  approvalsRequired = 1;
  /** Whether a protected branch of GitLab lets Developers merge, such as the token of the jobs. A new one does not. */
  developersMayMerge = false;
  /** GitLab Free has no approval rules. */
  isFree = false;
  #next = 1;

  constructor(repository: string) {
    this.repository = repository;
  }

  /** A number that was never given before. */
  id(): number {
    return this.#next++;
  }

  open(of: Partial<Pull> & Pick<Pull, 'head'>): Pull {
    const pull: Pull = {
      number: this.id(),
      headBranch: 'spring',
      base: 'b'.repeat(40),
      baseBranch: 'main',
      isFork: false,
      state: 'open',
      mergeCommit: null,
      mergedAs: 'merge',
      isLocked: false,
      commits: [of.head],
      reviews: [],
      ...of,
    };
    this.pulls.set(pull.number, pull);
    return pull;
  }

  push(pull: Pull, head: string): void {
    pull.head = head;
    pull.commits.push(head);
  }

  merge(pull: Pull, commit: string, how: MergeMethod = 'merge'): void {
    pull.state = 'merged';
    pull.mergeCommit = commit;
    pull.mergedAs = how;
  }

  review(pull: Pull, by: Account, state: Review['state'] = 'APPROVED'): void {
    pull.reviews.push({ by, state });
  }

  comment(pull: Pick<Pull, 'number'>, author: Account, body: string): Comment {
    const comment = { id: this.id(), pull: pull.number, author, body };
    this.comments.push(comment);
    return comment;
  }

  openIssue(author: Account, title: string, body: string): Issue {
    const issue = { number: this.id(), author, title, body, isOpen: true };
    this.issues.push(issue);
    return issue;
  }

  upload(run: string, name: string, files: Readonly<Record<string, Uint8Array | string>>): Artifact {
    const contents = Object.fromEntries(
      Object.entries(files).map(([path, content]) => [path, Buffer.from(content)]),
    );
    const artifact = { id: this.id(), run, name, files: contents, zip: zipOf(contents) };
    this.artifacts.push(artifact);
    return artifact;
  }

  /** The last review of each person that decides something: a comment after an approval does not take it back. */
  latestDecisions({ reviews }: Pick<Pull, 'reviews'>): readonly Review[] {
    const deciding = reviews.filter(({ state }) => state !== 'COMMENTED');
    return [...new Map(deciding.map((review) => [review.by, review])).values()];
  }

  /** How many people approve a pull request by now. */
  countApprovals(pull: Pick<Pull, 'reviews'>): number {
    return this.latestDecisions(pull).filter(({ state }) => state === 'APPROVED').length;
  }

  commentsOf(pull: Pick<Pull, 'number'>): readonly Comment[] {
    return this.comments.filter((one) => one.pull === pull.number);
  }
}
