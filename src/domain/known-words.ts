import { KNOWN_FILTER_KINDS } from './audience.ts';
import { KNOWN_TRIGGERS } from './campaign.ts';

/** Words of the service whose sets its document does not show as a whole. */
export type WordSet = 'kinds' | 'triggers' | 'media_types' | 'online_check_modes';

/** Further words that a workspace knows to exist, by their set. */
export type KnownWords = Readonly<Record<WordSet, readonly string[]>>;

/** The words that the document names. Assumed: `video` and `audio`; of media only `image` is named (CONTENT-11). */
export const DOCUMENTED_WORDS: KnownWords = {
  kinds: KNOWN_FILTER_KINDS,
  triggers: KNOWN_TRIGGERS,
  media_types: ['image', 'video', 'audio'],
  online_check_modes: ['off'],
};
