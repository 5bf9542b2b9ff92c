import { shown, type Visible, visibleProse } from '../domain/visible.ts';
import { ProviderError } from '../provider/error.ts';
import type { CommitStatus, Provider, Written } from '../provider/provider.ts';

/** Prints a sentence for the log of the job. */
export type Say = (text: Visible) => void;

/** Keeps one comment that begins with a marker: edits it in place, or writes it. Comments of others are never taken for it. */
export async function keepComment(
  provider: Provider,
  pullRequest: number,
  marker: string,
  body: string,
): Promise<Written> {
  const earlier = (await provider.ownComments(pullRequest, marker)).at(-1);
  if (earlier === undefined) return provider.createComment(pullRequest, body);
  try {
    return await provider.editComment(pullRequest, earlier.id, body);
  } catch (error) {
    // A person deleted it meanwhile.
    if (error instanceof ProviderError && error.code === 'provider-not-found')
      return provider.createComment(pullRequest, body);
    throw error;
  }
}

/** The commit, the workspace and the job that a status is about. */
interface StatusPlace {
  readonly commit: string;
  readonly folder: string;
  /** Plans are on the head of a pull request, applies on the merged commit. */
  readonly job: 'plan' | 'apply';
  /** The page of the run. */
  readonly url: string | null;
}

/** Sets the one status of a workspace and a job. */
export async function setStatus(
  provider: Provider,
  { commit, folder, job, url }: StatusPlace,
  { state, description }: Pick<CommitStatus, 'state' | 'description'>,
): Promise<void> {
  const workspace = folder === '' ? 'herald' : `herald/${folder}`;
  const context = job === 'plan' ? workspace : `${workspace} apply`;
  await provider.setStatus(commit, { state, description: visibleProse(description), context, url });
}

/** Does what counts less than the result of the command. If it fails, the log says so. */
export async function tryToReport(say: Say, what: string, report: () => Promise<unknown>): Promise<void> {
  try {
    await report();
  } catch (error) {
    const { message } = error as Error;
    const why = error instanceof ProviderError ? `${message} ${error.hint ?? ''}` : message;
    say(shown`${what} could not be reported: ${visibleProse(why)}`);
  }
}
