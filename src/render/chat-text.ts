import { joined, page, quoted, shown, type Visible, visibleLines } from '../domain/visible.ts';
import { instantText, moneyText } from './cells.ts';
import type { TextStyle } from './spans.ts';
import { renderTable } from './table.ts';

/** One message of a chat, as far as a person looks at it. */
interface ShownMessage {
  readonly id: string;
  readonly created_at?: string | null | undefined;
  readonly is_sent_by_me?: boolean | null | undefined;
  readonly text?: string | null | undefined;
  readonly price?: number | null | undefined;
  readonly media?: readonly unknown[] | null | undefined;
}

const COLUMNS = [
  { header: 'created' },
  { header: 'from' },
  { header: 'text' },
  { header: 'price', align: 'right' },
  { header: 'media', align: 'right' },
] as const;

/** The last messages of a chat, in the order in which they came. */
export function renderTail(messages: readonly ShownMessage[], style: TextStyle): Visible {
  if (messages.length === 0) return shown`The chat shows no message.\n`;
  const rows = messages.map(({ created_at, is_sent_by_me, text, price, media }) => [
    created_at == null ? 'n/a' : instantText(created_at),
    is_sent_by_me == null ? 'n/a' : is_sent_by_me ? 'us' : 'the fan',
    text ?? '',
    price == null ? 'n/a' : price === 0 ? 'free' : moneyText(price),
    String(media?.length ?? 0),
  ]);
  return renderTable(COLUMNS, rows, style);
}

/** A message that is about to be sent. */
interface Draft {
  readonly text: string | null;
  readonly price: string | null;
  readonly lockedText: boolean;
  readonly media: readonly { readonly id: string; readonly type: string; readonly isPaid: boolean }[];
}

/** Everything that will be sent, for a person to agree to; texts are shown whole. */
export function renderDraft(where: string, { text, price, lockedText, media }: Draft): Visible {
  const costs = price === null || !/[1-9]/.test(price) ? 'free' : `${price} USD`;
  const lines = [
    shown`Message to ${where}:`,
    ...(text === null ? [shown`  no text`] : visibleLines(text).map((line) => shown`  | ${line}`)),
    shown`  price: ${costs}${lockedText ? ', the text is locked until it is paid' : ''}`,
    ...media.map(
      ({ id, type, isPaid }) => shown`  media: ${id} (${type}, ${isPaid ? 'paid' : 'free to see'})`,
    ),
  ];
  return page(lines);
}

/** `"paypal", "meet in person"` */
export function renderWords(words: readonly string[]): Visible {
  return joined(words.map(quoted), ', ');
}
