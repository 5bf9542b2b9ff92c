import { describeProblem } from '../api/errors.ts';
import type { Exchange } from '../api/exchange.ts';
import type { LiveId } from '../domain/ids.ts';
import { joinSentences } from '../domain/join-sentences.ts';

/** What a step came to. `unknown` is neither success nor failure, and stops its change. */
export type StepResult =
  /** `ends`: the change has come to its end, and the steps after this one are not needed. */
  | { readonly kind: 'ok'; readonly liveId: LiveId | null; readonly note?: string; readonly ends?: true }
  /**
   * `refused`: the service has the object and would not do it. `moved`: the object has another status than the plan saw,
   * so it was not asked.
   */
  | {
      readonly kind: 'failed';
      readonly message: string;
      readonly denied: boolean;
      readonly refused?: boolean;
      readonly moved?: boolean;
    }
  /** An interrupt came before anything of the change was sent. */
  | { readonly kind: 'stopped'; readonly message: string }
  | UnknownResult;

/** `refused`: the last request was refused, and an earlier one may still be carried out. */
export interface UnknownResult {
  readonly kind: 'unknown';
  readonly message: string;
  readonly refused?: true;
}

export const OK: StepResult = { kind: 'ok', liveId: null };

type Unfinished = Exclude<Exchange<unknown>, { readonly kind: 'done' }>;

/** An exchange that proves that the service did not act, in words. */
export function failure(result: Unfinished): StepResult {
  const { problem } = result;
  const words = [
    result.kind === 'not_sent' && result.withheld ? problem.what : describeProblem(problem),
    problem.hint,
  ];
  const denied = problem.status === 401 || problem.status === 403;
  const refused = result.kind === 'refused' && !denied && problem.status !== 404;
  return { kind: 'failed', message: joinSentences(words), denied, refused };
}
