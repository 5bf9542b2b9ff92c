import type * as z from 'zod';
import { networkProblem } from '../domain/network-problem.ts';
import { ProviderError, type FailedCall } from './error.ts';

/** A provider's words in our messages. */
const WORDS_MAX = 300;

/** The answer in its documented shape. Any other answer is an error: nothing is read out of a page of a proxy. */
export function inShape<Shape extends z.ZodType>(
  shape: Shape,
  data: unknown,
  call: FailedCall,
): z.infer<Shape> {
  const read = shape.safeParse(data);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  const where = issue === undefined || issue.path.length === 0 ? '' : ` at ${issue.path.join('.')}`;
  const what = typeof data === 'string' ? 'the answer is not JSON' : `the answer has another form${where}`;
  throw new ProviderError('provider-odd-answer', `${what}.`, call);
}

/** One sentence of the provider, which may quote anything. A web page is not quoted. */
export function quotedWords(text: unknown): string {
  if (typeof text !== 'string' || /^\s*</.test(text)) return 'without a reason that can be read.';
  const words = text.replace(/\s+/g, ' ').trim();
  const short = words.length > WORDS_MAX ? `${words.slice(0, WORDS_MAX)}…` : words;
  return short === '' ? 'without a reason.' : `${short.replace(/[.\s]+$/, '')}.`;
}

/** The innermost reason of a failure without an answer, in words where it is known. */
export function causeWords(error: unknown): string {
  let inner = error;
  for (let depth = 0; depth < CAUSES_MAX && inner instanceof Error && inner.cause !== undefined; depth += 1)
    inner = inner.cause;
  if (!(inner instanceof Error)) return 'no answer.';
  const { code } = inner as { readonly code?: unknown };
  if (inner.name === 'TimeoutError') return 'no answer in time.';
  const known = networkProblem(inner);
  if (known !== null) return `${known}.`;
  return quotedWords(inner.message === '' && typeof code === 'string' ? code : inner.message);
}

const CAUSES_MAX = 8;
