import type { Call } from '../call.ts';
import { Refusal } from '../refusal.ts';
import type { World } from '../world.ts';

type Body = Call<'chat.send'>['body'];

/**
 * Price, locked text and paid media must agree. Assumed: the exact rules, and that all violations are listed at
 * once (CHAT-5).
 */
export function requireConsistent(
  { modes }: World,
  { text, price = 0, locked_text, media = [] }: Body,
): void {
  const hasText = typeof text === 'string' && /\S/.test(text);
  const isPaid = media.some((medium) => medium.is_paid === true);
  const issues: { path: string; message: string }[] = [];
  const refuse = (path: string, message: string) => void issues.push({ path, message });
  if (!hasText && media.length === 0) refuse('text', 'a message needs text or media');
  if (price > 0 && locked_text !== true && !isPaid)
    refuse('price', 'a price needs locked text or paid media');
  if (price === 0 && locked_text === true) refuse('locked_text', 'locked text needs a price');
  if (price === 0 && isPaid) refuse('media', 'paid media needs a price');
  if (locked_text === true && !hasText) refuse('locked_text', 'locked text needs text');
  if (issues.length === 0) return;
  throw new Refusal(modes.validationStatus, issues.map(({ message }) => message).join('; '), {
    code: 'VALIDATION_ERROR',
    details: { issues },
  });
}

/** The moderation check before the queue. The details list the matches (CHAT-3). */
export function requireModerate({ modes }: World, { text }: Body): void {
  const matches = wordsIn(modes.restrictedWords, text);
  if (matches.length === 0) return;
  throw new Refusal(400, 'The text contains restricted words or topics', {
    code: 'RESTRICTED_WORDS_DETECTED',
    // Assumed: the format of the details (CHAT-3).
    details: modes.restrictedDetails === 'list' ? matches : { words: matches },
  });
}

/** Whether the message guard stops it after it was queued. The API does not report this. */
export function isGuarded({ modes }: World, { text }: Body): boolean {
  return wordsIn(modes.guardedWords, text).length > 0;
}

function wordsIn(words: readonly string[], text: string | null | undefined): readonly string[] {
  const low = (text ?? '').toLowerCase();
  return words.filter((word) => low.includes(word.toLowerCase()));
}
