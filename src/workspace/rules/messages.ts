import { WISH_KEYS } from '../../domain/media-wishes.ts';
import { notAPrice } from '../../policy/prices.ts';
import type { WrittenMessage } from '../content-shapes.ts';
import { warning, error, type Finding, type Path } from '../findings.ts';
import { checkWord, type WordsKnown } from '../known-words.ts';
import type { OddNumberAt, Rule } from './rule.ts';

interface Speaking {
  readonly messages?: readonly WrittenMessage[] | undefined;
}

/** Rules for the messages of any resource. */
export const MESSAGE_RULES: readonly Rule<Speaking>[] = [
  textIsInOnePlace,
  attachmentsAreOneThing,
  wishesAreAboutFiles,
  mediaTypesAreKnown,
  messageSaysSomething,
  paidHasPrice,
  priceHasPaid,
  pricesAreWrittenPlainly,
];

/** A message has its text in one place. */
function textIsInOnePlace({ messages = [] }: Speaking): Finding[] {
  return messages.flatMap((message, index) =>
    message.text !== undefined && message.text_file !== undefined
      ? [
          error(
            'text-twice',
            ['messages', index, 'text_file'],
            'text and text_file are both set. Remove one.',
            'key',
          ),
        ]
      : [],
  );
}

/** A message needs a text or an attachment (CONTENT-9). */
function messageSaysSomething({ messages = [] }: Speaking): Finding[] {
  return messages.flatMap((message, index) => {
    if (message.text_file !== undefined || (message.attachments ?? []).length > 0) return [];
    if (typeof message.text === 'string' && message.text.trim() !== '') return [];
    const path = ['messages', index, 'text'];
    return [error('text-missing', path, 'This message is empty. Add a text or an attachment.')];
  });
}

/** An attachment is media of the vault with its type, or a file. A file needs no type. */
function attachmentsAreOneThing({ messages = [] }: Speaking): Finding[] {
  return messages.flatMap(({ attachments = [] }, index) =>
    attachments.flatMap(({ id, type, file }, position) => {
      const path = ['messages', index, 'attachments', position];
      if (file !== undefined) {
        const other = id === undefined ? 'type' : 'id';
        return id === undefined && type === undefined
          ? []
          : [error('media-twice', [...path, other], NOT_WITH_FILE[other], 'key')];
      }
      if (id === undefined && type === undefined)
        return [error('media-missing', path, 'No media. Write file, or id and type.')];
      const missing = id === undefined ? 'id' : 'type';
      if (id !== undefined && type !== undefined) return [];
      return [error('missing-key', [...path, missing], `"${missing}" is missing. Add it.`)];
    }),
  );
}

/** Details for the vault need an upload, and are for one fan at most. */
function wishesAreAboutFiles({ messages = [] }: Speaking): Finding[] {
  return messages.flatMap(({ attachments = [] }, index) =>
    attachments.flatMap((attachment, position) => {
      const path = ['messages', index, 'attachments', position];
      if (attachment.file === undefined)
        return WISH_KEYS.filter((key) => attachment[key] !== undefined).map((key) =>
          error('only-with-file', [...path, key], `"${key}" works with file only. Remove it.`, 'key'),
        );
      if (attachment.fan === undefined || attachment.export_fan_id === undefined) return [];
      return [error('fan-twice', [...path, 'fan'], 'fan and export_fan_id are both set. Remove one.', 'key')];
    }),
  );
}

/** Checks the type of media with an id. A file needs no type. */
function mediaTypesAreKnown(
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

const NOT_WITH_FILE = {
  id: 'file and id are both set. Remove one.',
  type: 'A file needs no type. Remove `type`.',
} as const;

/** Paid content needs a price. */
function paidHasPrice({ messages = [] }: Speaking): Finding[] {
  return messages.flatMap((message, index) => {
    if ((message.price_gross ?? 0) > 0) return [];
    const paid = (message.attachments ?? []).flatMap((attachment, position) =>
      attachment.is_paid === true ? [['messages', index, 'attachments', position, 'is_paid']] : [],
    );
    if (message.text_is_paid === true) paid.push(['messages', index, 'text_is_paid']);
    return paid.map((path) =>
      error(
        'paid-without-price',
        path,
        'This is paid, but the message has no price. Set price_gross, or remove this.',
        'key',
      ),
    );
  });
}

/** A price without paid content is probably a forgotten `is_paid`. Assumed: the service accepts it (CONTENT-10). */
function priceHasPaid({ messages = [] }: Speaking): Finding[] {
  return messages.flatMap((message, index) => {
    if ((message.price_gross ?? 0) === 0 || message.text_is_paid === true) return [];
    if ((message.attachments ?? []).some((attachment) => attachment.is_paid === true)) return [];
    const text = 'The price has nothing to unlock. Set is_paid on an attachment, or text_is_paid.';
    return [warning('price-without-paid', ['messages', index, 'price_gross'], text)];
  });
}

/** Checks the written text, because 1e1, 012 and 9.9900000001 are other numbers after parsing. */
function pricesAreWrittenPlainly({ messages = [] }: Speaking, oddNumberAt: OddNumberAt): Finding[] {
  return messages.flatMap((message, index) =>
    message.price_gross === undefined ? [] : priceIsPlain(['messages', index, 'price_gross'], oddNumberAt),
  );
}

function priceIsPlain(path: Path, oddNumberAt: OddNumberAt): Finding[] {
  const written = oddNumberAt(path);
  return written === undefined ? [] : [error('invalid-price', path, notAPrice(written))];
}

/** A send needs something to send (CAMPAIGN-4). */
export function hasMessages({ messages = [] }: Speaking): Finding[] {
  if (messages.length > 0) return [];
  return [
    error('messages-missing', ['messages'], 'There is nothing to send. Add at least one message.', 'key'),
  ];
}
