import type { ListedCode } from '../domain/codes.ts';
import type { KnownWords, WordSet } from '../domain/workspace.ts';
import type { Findings, Path } from './findings.ts';
import { nearest } from './suggest.ts';
import { hasPlaceholder } from './text.ts';

/** The known words. Null if they could not be read; then no word is reported. */
export type WordsKnown = KnownWords | null;

/**
 * The documented words. Two more triggers about expiry exist, but their names are not documented (CAMPAIGN-3). Assumed: `video`
 * and `audio`, because only `image` is documented (CONTENT-11).
 */
const DOCUMENTED_WORDS: KnownWords = {
  kinds: ['subscribed_date', 'purchased_from_organisation'],
  triggers: ['welcome_message'],
  media_types: ['image', 'video', 'audio'],
  online_check_modes: ['off'],
};

const SETS = {
  kinds: { name: 'filter kind', code: 'unknown-filter-kind' },
  triggers: { name: 'trigger', code: 'unknown-trigger' },
  media_types: { name: 'media type', code: 'unknown-media-type' },
  online_check_modes: { name: 'online_check_mode', code: 'unknown-online-check-mode' },
} as const satisfies Record<WordSet, { readonly name: string; readonly code: ListedCode }>;

/** So many letters may differ. Short words have too many neighbours: `on` is not a typo of `off`. */
const LETTERS_MAX = 2;

/**
 * An unknown word may exist, because the document does not show all of them. One that is nearly a documented word is
 * probably a typing error, and in a filter it would change who is reached:
 *
 * | the word                          | finding                                |
 * |-----------------------------------|----------------------------------------|
 * | documented, or in `known_…`       | none                                   |
 * | nearly a documented one           | error, with the line that allows it    |
 * | anything else                     | warning                                |
 */
export function checkWord(set: WordSet, word: string, path: Path, known: WordsKnown, found: Findings): void {
  const documented = DOCUMENTED_WORDS[set];
  if (known === null || documented.includes(word) || known[set].includes(word) || hasPlaceholder(word))
    return;
  const { name, code } = SETS[set];
  const meant = nearest(word, documented, LETTERS_MAX);
  if (meant === undefined) {
    const message = `The service’s documentation does not name the ${name} "${word}". Check that it exists. To say that it does, add it to service.known_${set} in herald.yaml.`;
    found.warning(code, path, message);
    return;
  }
  const line = `service: { known_${set}: [${JSON.stringify(word)}] }`;
  const message = `Unknown ${name} "${word}". Did you mean "${meant}"? If the service has it, add to herald.yaml: ${line}`;
  found.error(code, path, message);
}
