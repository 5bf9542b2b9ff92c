import { page, shown, type Visible, visible, visibleLines } from '../domain/visible.ts';
import {
  describeAudience,
  formatDuration,
  formatFilterTimes,
  formatPrice,
  formatTime,
  formatValue,
} from './values.ts';
import type { ListColumn } from '../domain/list-column.ts';
import { cellText, NOT_AVAILABLE, valueAt } from './cells.ts';
import { drawFields, type Field } from './fields.ts';
import { compactJson } from './json.ts';
import { drawLine, span, type TextStyle } from './spans.ts';

/** A campaign or broadcast from a reply. */
export type ResourceItem = Readonly<Record<string, unknown>>;

export interface ResourceView {
  readonly item: ResourceItem;
  readonly account: string;
  /** Fields above the messages, in order. */
  readonly fields: readonly ListColumn[];
  /** Its figures. Their labels name the counted messages. */
  readonly figures: readonly ListColumn[];
  /** True if the service could not read its messages, so that it has no figures (BROADCAST-23). */
  readonly unreadable: boolean;
}

/** A campaign or broadcast as text: fields, audience, messages and figures. Ends with a line break. */
export function renderResource(view: ResourceView, style: TextStyle): Visible {
  const { item, account, fields, unreadable } = view;
  const head: readonly Field[] = [
    ['account', account],
    ...fields.map((column): Field => [column.header ?? column.path, fieldText(item, column)]),
    ['audience', unreadable ? NOT_AVAILABLE : audienceText(item['audience_filters'])],
    ...ruleFields(item['rules']),
  ];
  const lines = [
    ...drawFields(head, style),
    shown``,
    ...messageLines(item['messages'], unreadable, style),
    shown``,
    ...figureLines(view, style),
  ];
  return page(lines);
}

/** A value in words, such as `$9.99` or `Sun 6 Dec 2026 17:00 UTC`. */
function fieldText(item: ResourceItem, column: ListColumn): string {
  const value = valueAt(item, column.path);
  const time = column.as === 'instant' && typeof value === 'string' ? formatTime(value, null) : null;
  return time ?? formatValue(column.path, value, null) ?? cellText(value, column);
}

function audienceText(filters: unknown): string {
  return Array.isArray(filters) ? formatFilterTimes(describeAudience(filters), null) : NOT_AVAILABLE;
}

function ruleFields(rules: unknown): readonly Field[] {
  if (typeof rules !== 'object' || rules === null) return [];
  const set = Object.entries(rules).filter(([, value]) => value !== null);
  return set.map(([name, value]): Field => [
    `rule ${name}`,
    formatValue(`rules.${name}`, value, null) ?? (typeof value === 'string' ? value : compactJson(value)),
  ]);
}

function messageLines(messages: unknown, unreadable: boolean, style: TextStyle): readonly Visible[] {
  if (unreadable) return [shown`messages: the service could not read them, so the figures have no meaning`];
  if (!Array.isArray(messages)) return [shown`messages: ${NOT_AVAILABLE}`];
  if (messages.length === 0) return [shown`messages: none`];
  return messages.flatMap((message: unknown, index) => [
    ...drawLine(
      [span(shown`message ${index + 1}`, 'strong'), span(shown`: ${describeTerms(message)}`)],
      style,
    ),
    ...textLines(valueAt(message, 'text')).flatMap((line) => drawLine([span(line)], style, 2, 0)),
  ]);
}

/** `$9.99; delay 1 h; attached 55012 (image, paid)` */
function describeTerms(message: unknown): Visible {
  const price = valueAt(message, 'price_gross');
  const delaySec = valueAt(message, 'delay_sec');
  const attachments = valueAt(message, 'attachments');
  const tagged = valueAt(message, 'tagged_platform_account_ids');
  const parts = [
    typeof price === 'number' ? (price === 0 ? 'free' : formatPrice(price)) : `price ${NOT_AVAILABLE}`,
    ...(valueAt(message, 'text_is_paid') === true ? ['the text is paid'] : []),
    ...(typeof delaySec === 'number' && delaySec > 0 ? [`delay ${formatDuration(delaySec)}`] : []),
    ...(Array.isArray(attachments) && attachments.length > 0
      ? [`attached ${attachments.map(describeAttachment).join(', ')}`]
      : []),
    ...(Array.isArray(tagged) && tagged.length > 0 ? [`tags ${tagged.join(', ')}`] : []),
  ];
  return visible(parts.join('; '));
}

function describeAttachment(attachment: unknown): string {
  const type = cellText(valueAt(attachment, 'type'), { path: 'type' });
  const paid = valueAt(attachment, 'is_paid') === true ? ', paid' : '';
  return `${cellText(valueAt(attachment, 'id'), { path: 'id' })} (${type}${paid})`;
}

function textLines(text: unknown): readonly Visible[] {
  return typeof text === 'string' && text !== '' ? visibleLines(text) : [shown`(no text)`];
}

function figureLines({ item, figures, unreadable }: ResourceView, style: TextStyle): readonly Visible[] {
  const fields = figures.map((column): Field => [
    column.header ?? column.path,
    cellText(unreadable ? null : valueAt(item, column.path), column),
  ]);
  return [...drawFields(fields, style), ...followUpLines(item['follow_up_message_stats'], style)];
}

/** Figures of later messages have their step. Their place in the list has no meaning (CONTENT-8). */
function followUpLines(followUps: unknown, style: TextStyle): readonly Visible[] {
  if (!Array.isArray(followUps)) return [];
  return followUps.flatMap((stats: unknown) => {
    if (typeof stats !== 'object' || stats === null) return [];
    const { step, ...figures } = stats as Readonly<Record<string, unknown>>;
    const words = Object.entries(figures).map(
      ([name, value]) => `${name} ${value === null ? NOT_AVAILABLE : compactJson(value)}`,
    );
    return drawLine(
      [span(shown`follow-up, step ${cellText(step, { path: 'step' })}: ${words.join(', ')}`)],
      style,
    );
  });
}
