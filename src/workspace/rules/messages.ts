import { notAPrice } from '../../domain/price.ts';
import type { WrittenMessage } from '../content-shapes.ts';
import { caution, problem, type Finding, type Path } from '../findings.ts';
import { checkWord, type WordsKnown } from '../known-words.ts';
import type { OddNumberAt } from './rule.ts';

interface Speaking {
  readonly messages?: readonly WrittenMessage[] | undefined;
}

/** A message has its text in one place. */
export function textIsInOnePlace({ messages = [] }: Speaking): Finding[] {
  return messages.flatMap((message, index) =>
    message.text !== undefined && message.text_file !== undefined
      ? [
          problem(
            'text-twice',
            ['messages', index, 'text_file'],
            'Both text and text_file: keep one of the two.',
            'key',
          ),
        ]
      : [],
  );
}

/** A message without text needs something to show (CONTENT-9). */
export function messageSaysSomething({ messages = [] }: Speaking): Finding[] {
  return messages.flatMap((message, index) => {
    if (message.text_file !== undefined || (message.attachments ?? []).length > 0) return [];
    if (typeof message.text === 'string' && message.text.trim() !== '') return [];
    const path = ['messages', index, 'text'];
    return [
      problem('text-missing', path, 'This message says and shows nothing: give it a text or an attachment.'),
    ];
  });
}

/** An attachment is media of the vault or a file, whose type the file says itself. */
export function attachmentsAreOneThing({ messages = [] }: Speaking): Finding[] {
  return messages.flatMap(({ attachments = [] }, index) =>
    attachments.flatMap(({ id, type, file }, position) => {
      const path = ['messages', index, 'attachments', position];
      if (file !== undefined) {
        const beside = id === undefined ? 'type' : 'id';
        return id === undefined && type === undefined
          ? []
          : [problem('media-twice', [...path, beside], BESIDE_FILE[beside], 'key')];
      }
      if (id === undefined && type === undefined)
        return [problem('media-missing', path, 'Which media? Write file, or id and type.')];
      const missing = id === undefined ? 'id' : 'type';
      if (id !== undefined && type !== undefined) return [];
      return [problem('missing-key', [...path, missing], `"${missing}" is missing: add it.`)];
    }),
  );
}

/** Of media that is named by its id; a file says its type itself. */
export function mediaTypesAreKnown(
  { messages = [] }: Speaking,
  _oddNumberAt: OddNumberAt,
  known: WordsKnown,
): Finding[] {
  return messages.flatMap(({ attachments = [] }, index) =>
    attachments.flatMap(({ type }, position) => {
      const path = ['messages', index, 'attachments', position, 'type'];
      return type === undefined ? [] : checkWord('media_types', type, path, known);
    }),
  );
}

const BESIDE_FILE = {
  id: 'Both file and id: keep one of the two.',
  type: 'The file says its type itself: remove type.',
} as const;

/** Something can be paid only where there is a price. */
export function paidHasPrice({ messages = [] }: Speaking): Finding[] {
  return messages.flatMap((message, index) => {
    if ((message.price_gross ?? 0) > 0) return [];
    const paid = (message.attachments ?? []).flatMap((attachment, position) =>
      attachment.is_paid === true ? [['messages', index, 'attachments', position, 'is_paid']] : [],
    );
    if (message.text_is_paid === true) paid.push(['messages', index, 'text_is_paid']);
    return paid.map((path) =>
      problem(
        'paid-without-price',
        path,
        'Paid, but the message has no price: set price_gross or remove this.',
        'key',
      ),
    );
  });
}

/** A price without anything behind it is probably a forgotten `is_paid`. Assumed: the service accepts it (CONTENT-10). */
export function priceHasPaid({ messages = [] }: Speaking): Finding[] {
  return messages.flatMap((message, index) => {
    if ((message.price_gross ?? 0) === 0 || message.text_is_paid === true) return [];
    if ((message.attachments ?? []).some((attachment) => attachment.is_paid === true)) return [];
    const text = 'There is a price but nothing to pay for: set is_paid on an attachment, or text_is_paid.';
    return [caution('price-without-paid', ['messages', index, 'price_gross'], text)];
  });
}

/** What is written decides, because 1e1, 012 and 9.9900000001 would be other numbers by now. */
export function pricesAreWrittenPlainly({ messages = [] }: Speaking, oddNumberAt: OddNumberAt): Finding[] {
  return messages.flatMap((message, index) =>
    message.price_gross === undefined ? [] : priceIsPlain(['messages', index, 'price_gross'], oddNumberAt),
  );
}

function priceIsPlain(path: Path, oddNumberAt: OddNumberAt): Finding[] {
  const written = oddNumberAt(path);
  return written === undefined ? [] : [problem('invalid-price', path, notAPrice(written))];
}

/** A send needs something to send (CAMPAIGN-4). */
export function hasMessages({ messages = [] }: Speaking): Finding[] {
  if (messages.length > 0) return [];
  return [
    problem('messages-missing', ['messages'], 'There is nothing to send: write at least one message.', 'key'),
  ];
}
