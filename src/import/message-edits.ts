import type { Edit } from './editable-file.ts';
import type { Form, Plain } from './form.ts';

/** Writes texts to their place in the files. */
export interface MessageWriter {
  /** The live text for the file, with the variables of the written text. */
  write(typed: string, live: string): string;
  /**
   * Changes the text file of a message. Returns false if it cannot have this text; then the message gets its own
   * text.
   */
  intoFile(reference: string, live: string): boolean;
}

interface Differing {
  messageKeys(declared: number, live: number): readonly string[];
}

/**
 * Equal messages stay, in the longest common order. Between them, messages are changed one by one, and the rest is
 * removed or added. So comments stay with their messages.
 */
export function messageEdits(
  typedMessages: unknown,
  liveMessages: Plain | undefined,
  differing: Differing,
  writer: MessageWriter,
): readonly Edit[] {
  const typed: readonly unknown[] = Array.isArray(typedMessages) ? typedMessages : [];
  const live = formsOf(liveMessages);
  if (live.length === 0) return typed.length === 0 ? [] : [{ op: 'delete', path: ['messages'] }];
  if (typed.length === 0) return [{ op: 'set', path: ['messages'], value: live }];
  const edits: Edit[] = [];
  let [left, right, at] = [0, 0, 0];
  const ends = { left: typed.length, right: live.length };
  for (const anchor of [...anchorsOf(typed.length, live.length, differing), ends]) {
    for (; left < anchor.left && right < anchor.right; left += 1, right += 1, at += 1) {
      const keys = differing.messageKeys(left, right);
      edits.push(...changeMessage(at, typed[left], live[right] ?? {}, keys, writer));
    }
    for (; left < anchor.left; left += 1) edits.push({ op: 'delete', path: ['messages', at] });
    for (; right < anchor.right; right += 1, at += 1)
      edits.push({ op: 'insert', path: ['messages', at], value: live[right] ?? {} });
    [left, right, at] = [left + 1, right + 1, at + 1];
  }
  return edits;
}

interface Anchor {
  readonly left: number;
  readonly right: number;
}

/** The longest common subsequence: equal pairs, in order. */
function anchorsOf(lefts: number, rights: number, differing: Differing): readonly Anchor[] {
  const lengths = Array.from({ length: lefts + 1 }, () => Array.from({ length: rights + 1 }, () => 0));
  const lengthAt = (left: number, right: number) => lengths[left]?.[right] ?? 0;
  const same = (left: number, right: number) => differing.messageKeys(left, right).length === 0;
  for (let left = lefts - 1; left >= 0; left -= 1)
    for (let right = rights - 1; right >= 0; right -= 1) {
      const row = lengths[left] ?? [];
      row[right] = same(left, right)
        ? lengthAt(left + 1, right + 1) + 1
        : Math.max(lengthAt(left + 1, right), lengthAt(left, right + 1));
    }
  const anchors: Anchor[] = [];
  for (let left = 0, right = 0; left < lefts && right < rights;) {
    if (same(left, right)) {
      anchors.push({ left, right });
      left += 1;
      right += 1;
    } else if (lengthAt(left + 1, right) >= lengthAt(left, right + 1)) left += 1;
    else right += 1;
  }
  return anchors;
}

function changeMessage(
  index: number,
  typed: unknown,
  live: Form,
  keys: readonly string[],
  writer: MessageWriter,
): readonly Edit[] {
  // A price needs paid content, so it is added even if no file had it.
  const paid = keys.includes('price_gross') && 'text_is_paid' in live ? ['text_is_paid'] : [];
  return [...new Set([...keys, ...paid])].flatMap((key): readonly Edit[] => {
    const path = ['messages', index, key];
    if (key === 'text') return textEdits(index, typed, live['text'], writer);
    const value = live[key];
    return [value === undefined ? { op: 'delete', path } : { op: 'set', path, value }];
  });
}

function textEdits(
  index: number,
  typed: unknown,
  live: Plain | undefined,
  writer: MessageWriter,
): readonly Edit[] {
  const message: object = typeof typed === 'object' && typed !== null ? typed : {};
  const reference = 'text_file' in message ? message.text_file : undefined;
  const old = 'text' in message && typeof message.text === 'string' ? message.text : '';
  const inline = ['messages', index, 'text'];
  const file = ['messages', index, 'text_file'];
  if (typeof live !== 'string')
    return [{ op: 'delete', path: typeof reference === 'string' ? file : inline }];
  if (typeof reference !== 'string') return [{ op: 'set', path: inline, value: writer.write(old, live) }];
  if (writer.intoFile(reference, live)) return [];
  return [
    { op: 'delete', path: file },
    { op: 'set', path: inline, value: live },
  ];
}

function formsOf(value: Plain | undefined): readonly Form[] {
  if (!isList(value)) return [];
  return value.filter((item): item is Form => typeof item === 'object' && item !== null && !isList(item));
}

function isList(value: Plain | undefined): value is readonly Plain[] {
  return Array.isArray(value);
}
