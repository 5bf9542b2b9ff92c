import { renderJson } from '../render/json.ts';

/** A command line that cannot be read, as the document that `--format json` promises. */
export function usageDocument(said: string): string {
  return renderJson({
    schema: 'herald/error/1',
    code: 'usage',
    message: said.replace(/^error: /, ''),
    hint: 'See: herald --help',
    details: null,
  });
}
