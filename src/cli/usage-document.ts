import type { ErrorCode } from '../domain/error-codes.ts';
import { renderJson } from '../render/json.ts';

/** The JSON document for an invalid command line. */
export function usageDocument(said: string): string {
  return renderJson({
    schema: 'herald/error/1',
    code: 'usage' satisfies ErrorCode,
    message: said.replace(/^error: /, ''),
    hint: 'See: herald --help',
    details: null,
  });
}
