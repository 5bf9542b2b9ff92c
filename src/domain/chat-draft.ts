/** A chat message as it was typed. */
export interface ChatDraft {
  readonly text: string | null;
  /** US dollars as decimal text; null where none was given. */
  readonly price: string | null;
  readonly lockedText: boolean;
  readonly media: readonly DraftMedia[];
}

export interface DraftMedia {
  readonly id: string;
  readonly type: string;
  readonly isPaid: boolean;
}

/** Sends only the given fields. The service sets the defaults. */
export function chatBody({ text, price, lockedText, media }: ChatDraft) {
  return {
    ...(text === null ? {} : { text }),
    ...(price === null ? {} : { price: Number(price) }),
    ...(lockedText ? { locked_text: true } : {}),
    ...(media.length === 0
      ? {}
      : { media: media.map(({ id, type, isPaid }) => ({ id, type, is_paid: isPaid })) }),
  };
}

/** The message as a policy sees it, sent at this time. */
export function messageNow({ text, price }: ChatDraft, atMs: number) {
  return { text, price: price === null ? 0 : Number(price), atMs };
}

/** `55012:photo` or `55012:photo:paid`. A string says what is wrong with it. */
export function parseMedia(typed: string): DraftMedia | string {
  const [id = '', type = '', paid, ...rest] = typed.split(':');
  const wellFormed = id !== '' && type !== '' && rest.length === 0 && (paid === undefined || paid === 'paid');
  if (!wellFormed) return `--media ${typed}: write id:type or id:type:paid, as in 55012:photo:paid.`;
  return { id, type, isPaid: paid === 'paid' };
}

/** What of a price can be sent at all; a string says what is wrong with it. */
export function priceProblem(typed: string): string | null {
  return /^(0|[1-9]\d{0,8})(\.\d+)?$/.test(typed)
    ? null
    : `--price ${typed}: write US dollars as a plain decimal number, as in 9.99.`;
}

const DECIMALS_MAX = 2;

/**
 * Every rule that the message breaks. Assumed: these rules are the ones of the service (CHAT-5), so they can be left to
 * it. Prices are decided on their decimal text.
 *
 * | price    | locked text | paid media | holds                                    |
 * |----------|-------------|------------|------------------------------------------|
 * | above 0  | one of the two           | yes; locked text needs a text            |
 * | above 0  | no          | none       | no: nothing would cost it                |
 * | 0, none  | yes         |            | no: nothing locked is free               |
 * | 0, none  |             | some       | no: nothing paid is free                 |
 */
export function draftProblems({ text, price, lockedText, media }: ChatDraft): readonly string[] {
  const hasText = text !== null && /\S/.test(text);
  const costs = price !== null && /[1-9]/.test(price);
  const paid = media.filter(({ isPaid }) => isPaid).map(({ id }) => id);
  const problems: string[] = [];
  if (!hasText && media.length === 0)
    problems.push('A message needs a text with more than spaces, or at least one --media.');
  if ((price?.split('.')[1] ?? '').length > DECIMALS_MAX)
    problems.push(`The price ${price ?? ''} has more than two decimals.`);
  if (costs && !lockedText && paid.length === 0)
    problems.push(
      `The price ${price ?? ''} unlocks nothing. Add --locked, or mark media as paid: --media 55012:photo:paid`,
    );
  if (!costs && lockedText) problems.push('Locked text (--locked) needs a --price above 0.');
  if (!costs && paid.length > 0) problems.push(`Paid media (${paid.join(', ')}) needs a --price above 0.`);
  if (lockedText && !hasText) problems.push('Locked text (--locked) needs a text.');
  return problems;
}
