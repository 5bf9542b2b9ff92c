import { page, shown, type Visible, visibleLines } from '../domain/visible.ts';
import { formatInstant } from './cells.ts';
import type { TextStyle } from './spans.ts';
import { renderTable } from './table.ts';
import { formatAmount } from './values.ts';

/** The shown part of a chat message. */
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

/** The last messages of a chat, oldest first. */
export function renderTail(messages: readonly ShownMessage[], style: TextStyle): Visible {
  if (messages.length === 0) return shown`The chat has no messages.\n`;
  const rows = messages.map(({ created_at, is_sent_by_me, text, price, media }) => [
    created_at == null ? 'n/a' : formatInstant(created_at),
    is_sent_by_me == null ? 'n/a' : is_sent_by_me ? 'us' : 'the fan',
    text ?? '',
    price == null ? 'n/a' : price === 0 ? 'free' : formatAmount(price),
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

/** The whole message for the question. Texts are not cut. */
export function renderDraft(where: string, { text, price, lockedText, media }: Draft): Visible {
  const costs = price === null || !/[1-9]/.test(price) ? 'free' : `${price} USD`;
  const lines = [
    shown`Message to ${where}:`,
    ...(text === null ? [shown`  no text`] : visibleLines(text).map((line) => shown`  | ${line}`)),
    shown`  price: ${costs}${lockedText ? ', text locked until paid' : ''}`,
    ...media.map(
      ({ id, type, isPaid }) => shown`  media: ${id} (${type}, ${isPaid ? 'paid' : 'free to see'})`,
    ),
  ];
  return page(lines);
}
