import type { ChosenReview } from './choose-review.ts';
import { targetsOfMarker } from './reviewed-scope.ts';
import type { ReviewedChange } from '../domain/change.ts';
import { formatAddress, KINDS } from '../domain/resource.ts';
import { shown, type Visible, visibleProse } from '../domain/visible.ts';
import { reviewPlan } from '../plan/review.ts';
import type { SavedPlan } from '../plan/saved.ts';
import type { Targeting } from '../plan/facts.ts';
import { ProviderError } from '../provider/error.ts';
import type { Provider } from '../provider/provider.ts';
import { HeraldError } from '../domain/herald-error.ts';
import { EXIT } from '../domain/exit-codes.ts';

/** What one review allows. */
export interface ReadReview {
  /** Null if only the comment could be read. */
  readonly saved: SavedPlan | null;
  readonly changes: readonly ReviewedChange[];
  readonly targeting: Targeting;
}

/** The review of a plan that is at hand. */
export function readNamed(saved: SavedPlan): ReadReview {
  return { saved, changes: reviewPlan(saved.plan).changes, targeting: saved };
}

/** What reading a review needs from its program. */
export interface ReadPorts {
  /** Null for `generic`. */
  readonly provider: Provider | null;
  /** Reads the text of a saved plan. Throws if it cannot be applied. */
  readonly planInText: (text: string) => SavedPlan;
  /** Its name in the artifact. */
  readonly planFile: string;
  /** Plans have to be signed. */
  readonly needsSignature: boolean;
  readonly say: (text: Visible) => void;
}

/**
 * The plan of the artifact that the comment names. If it is gone, the fingerprints of the comment are enough, unless plans
 * have to be signed: many people may edit a comment.
 */
export async function readReview(ports: ReadPorts, review: ChosenReview): Promise<ReadReview> {
  const { provider, planFile, planInText, needsSignature, say } = ports;
  const { marker, pullRequest } = review;
  const { run, artifact, changes } = marker;
  const what = `the plan of pull request ${pullRequest.number}`;
  try {
    if (provider === null || run === null)
      throw new ProviderError('provider-artifact', `The comment names no run with ${what}.`, null);
    const bytes = await provider.artifactFile({ run, name: artifact }, planFile, PLAN_BYTES_MAX);
    const saved = planInText(new TextDecoder().decode(bytes));
    refuseOther(saved, review);
    return withoutWithdrawn(readNamed(saved), review);
  } catch (error) {
    const isGone = error instanceof ProviderError && error.code === 'provider-artifact';
    if (!isGone || changes === undefined || needsSignature) throw error;
    say(
      shown`Using the fingerprints of the comment, because ${what} cannot be read: ${visibleProse(error.message)}`,
    );
    const read = { saved: null, changes: changesOf(changes), targeting: targetsOfMarker(marker) };
    return withoutWithdrawn(read, review);
  }
}

/** A later pull request has changed the rest, so a repeated job must not apply what was reviewed before that. */
function withoutWithdrawn(read: ReadReview, { marker: { withdrawn = [] } }: ChosenReview): ReadReview {
  const changes = read.changes.filter(({ address }) => !withdrawn.includes(formatAddress(address)));
  return { ...read, changes };
}

/**
 * A person could edit the comment so that it names the artifact of another pull request, which has other approvals. The
 * plan itself says which commit it is for.
 */
function refuseOther({ plan }: SavedPlan, { marker, pullRequest }: ChosenReview): void {
  const { run, artifact, head } = marker;
  const isSame = plan.fingerprint === marker.plan && (plan.commit?.id ?? head) === head;
  if (isSame) return;
  throw new HeraldError(
    'ci-stale-review',
    `The artifact ${artifact} of run ${run ?? ''} has another plan than the comment of pull request ${pullRequest.number} names. Nothing was changed.`,
    'Run the plan job of its last commit again, then this job.',
    { exit: EXIT.blocked, details: { pull_requests: [pullRequest.number] } },
  );
}

/** A plan with the texts of many accounts is large, and a larger file is not a plan. */
const PLAN_BYTES_MAX = 256 * 1024 * 1024;

function changesOf(changes: Readonly<Record<string, readonly string[]>>): readonly ReviewedChange[] {
  return Object.entries(changes).flatMap(([text, fingerprints]) => {
    const [account = '', kindText, ...name] = text.split('/');
    const kind = KINDS.find((one) => one === kindText);
    if (kind === undefined) return [];
    const address = { account, kind, name: name.join('/') };
    return fingerprints.map((fingerprint) => ({ address, action: null, fingerprint }));
  });
}
