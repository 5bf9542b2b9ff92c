import { KNOWN_FILTER_KINDS } from './audience.ts';
import { KNOWN_TRIGGERS } from './campaign.ts';

/** Sets of words that the service documents only in part. */
export type WordSet = 'kinds' | 'triggers' | 'media_types' | 'online_check_modes';

/** More words that the workspace declares, by set. */
export type KnownWords = Readonly<Record<WordSet, readonly string[]>>;

/** The documented words. Assumed: `video` and `audio`, because only `image` is documented (CONTENT-11). */
export const DOCUMENTED_WORDS: KnownWords = {
  kinds: KNOWN_FILTER_KINDS,
  triggers: KNOWN_TRIGGERS,
  media_types: ['image', 'video', 'audio'],
  online_check_modes: ['off'],
};
