import { formatCommand } from '../domain/command-line.ts';
import { HeraldError } from '../domain/herald-error.ts';
import type { ErrorCode } from '../domain/codes.ts';

export type ProviderErrorCode = Extract<ErrorCode, `provider-${string}`>;

/** What to do next. A call that knows better says so itself. */
const nextSteps = () =>
  ({
    'provider-artifact':
      'Run the job of the pull request again, so that it makes the artifact again. Or name the file: --plan herald-plan.json',
    'provider-busy': 'Wait until the time that the message names, then run the job again.',
    'provider-denied': `Give the job the permission that this writes for it: ${formatCommand('ci', 'init')}`,
    'provider-locked': 'Unlock the conversation of the pull request or issue, then run the job again.',
    'provider-no-token':
      'On GitHub, add `env: { GITHUB_TOKEN: "${{ github.token }}" }` to the step. On GitLab, make a project access token with the scope `api`, and save it as the masked variable HERALD_GITLAB_TOKEN: CI_JOB_TOKEN cannot write comments. Without a token: --provider generic',
    'provider-not-found': 'Check that it still exists, and that the token may see it.',
    'provider-odd-answer':
      'Check the address of the API: GITHUB_API_URL or CI_API_V4_URL. A proxy may answer instead of it.',
    'provider-rejected':
      'Read what the provider says in the message. If it makes no sense, report a bug in Herald.',
    'provider-token-refused': 'Make a new token, put it into the secret of the job, and run the job again.',
    'provider-unreachable':
      'Run the job again. If it happens again, look at the status page of the provider.',
  }) satisfies Readonly<Record<ProviderErrorCode, string>>;

export interface FailedCall {
  /** As an infinitive: `create a comment on pull request 7`. */
  readonly what: string;
  readonly method: string;
  /** Without user, password, query and fragment. */
  readonly address: string;
  /** Null without an answer. */
  readonly status: number | null;
}

/** The site of the pull requests did not do what Herald asked. Nothing in it is a secret. */
export class ProviderError extends HeraldError {
  /** Null if nothing was sent. */
  readonly call: FailedCall | null;

  constructor(code: ProviderErrorCode, why: string, call: FailedCall | null, options: MoreOfError = {}) {
    const message = call === null ? why : describeFailedCall(call, why);
    super(code, message, options.next ?? nextSteps()[code], { details: call, cause: options.cause });
    this.call = call;
  }
}

interface MoreOfError {
  readonly next?: string;
  readonly cause?: unknown;
}

function describeFailedCall({ what, method, address, status }: FailedCall, why: string): string {
  const answer = status === null ? '' : ` answered ${status}`;
  return `Could not ${what}: ${method} ${address}${answer}: ${why}`;
}
