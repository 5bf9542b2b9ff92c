import type { DiagnosticCode } from '../domain/codes.ts';
import { DOCUMENTED_WORDS, type KnownWords, type WordSet } from '../domain/known-words.ts';
import { SERVICE_DEFAULTS } from '../domain/workspace.ts';
import { caution, problem, type Finding, type Path } from './findings.ts';
import type { WrittenService } from './schema.ts';
import { editDistance } from './suggest.ts';
import { hasPlaceholder } from './variables.ts';

/** What rules know about words; null where it could not be read, and nothing is said about any word then. */
export type WordsKnown = KnownWords | null;

/** The words that `service:` adds to those of the document. */
export function readKnownWords(service: WrittenService = {}): KnownWords {
  const none = SERVICE_DEFAULTS.knownWords;
  return {
    kinds: service.known_kinds ?? none.kinds,
    triggers: service.known_triggers ?? none.triggers,
    media_types: service.known_media_types ?? none.media_types,
    online_check_modes: service.known_online_check_modes ?? none.online_check_modes,
  };
}

interface SetWords {
  readonly name: string;
  readonly code: DiagnosticCode;
  /** Whether a word that is like none of the documented ones deserves a warning. */
  readonly warns: boolean;
}

const SETS = {
  kinds: { name: 'filter kind', code: 'unknown-filter-kind', warns: true },
  triggers: { name: 'trigger', code: 'unknown-trigger', warns: true },
  media_types: { name: 'media type', code: 'unknown-media-type', warns: false },
  online_check_modes: { name: 'online_check_mode', code: 'unknown-online-check-mode', warns: false },
} as const satisfies Record<WordSet, SetWords>;

/**
 * An unknown word may exist, because the document does not show all of them. One that is nearly a documented word is
 * probably a typing error, and in a filter it would change who is reached:
 *
 * | the word                          | finding                                |
 * |-----------------------------------|----------------------------------------|
 * | documented, or in `known_…`       | none                                   |
 * | nearly a documented one           | error, with the line that allows it    |
 * | anything else                     | warning, of kinds and triggers only    |
 */
export function checkWord(set: WordSet, word: string, path: Path, known: WordsKnown): Finding[] {
  const documented = DOCUMENTED_WORDS[set];
  if (known === null || documented.includes(word) || known[set].includes(word) || hasPlaceholder(word))
    return [];
  const { name, code, warns } = SETS[set];
  const meant = documented.find((candidate) => isNearMiss(word, candidate));
  if (meant !== undefined) {
    const line = `service: { known_${set}: [${JSON.stringify(word)}] }`;
    const message = `Unknown ${name} "${word}". Did you mean "${meant}"? If the service has it, add to herald.yaml: ${line}`;
    return [problem(code, path, message)];
  }
  if (!warns) return [];
  const message = `The service’s documentation does not name the ${name} "${word}". Check that it exists. To say that it does, add it to service.known_${set} in herald.yaml.`;
  return [caution(code, path, message)];
}

/** A short word has too many neighbours: `on` is no typing error of `off`. */
const SHORT_LENGTH = 4;

function isNearMiss(word: string, documented: string): boolean {
  const limit = documented.length <= SHORT_LENGTH ? 1 : 2;
  // A word of another length is further away than this, and comparing takes time.
  if (Math.abs(word.length - documented.length) > limit) return false;
  return editDistance(word.toLowerCase(), documented.toLowerCase()) <= limit;
}
