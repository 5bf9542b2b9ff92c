import { digestInPlaceOf } from '../domain/stored-text.ts';
import { createdAs } from './effects.ts';
import type { ActLine, IntentLine, LedgerLine, RewriteLine } from './lines.ts';

/** Where a field is the text of a message. */
const TEXT = /^messages\[\d+\]\.text$/;

type Parts = Readonly<Record<string, unknown>>;

/** A line, or what it is made of, without the texts that fans read: each has a digest in its place. */
export function withoutTexts(line: Parts): Parts {
  switch (line['type'] as LedgerLine['type']) {
    case 'intent':
      return { ...line, ...ofIntent(line as unknown as IntentLine) };
    case 'rewrite':
      return { ...line, rewrites: (line as unknown as RewriteLine).rewrites.map(ofRewrite) };
    case 'act':
      return { ...line, details: ofDetails((line as unknown as ActLine).details) };
    default:
      return line;
  }
}

function ofIntent(intent: IntentLine): Partial<IntentLine> {
  const { wanted } = intent;
  if (wanted === null || wanted === undefined) return {};
  const messages = wanted.content.messages.map((message) =>
    typeof message.text === 'string' ? { ...message, text: digestInPlaceOf(message.text) } : message,
  );
  const content = { ...wanted.content, messages } as typeof wanted.content;
  // It is made from the text, which readers do not have later.
  return { wanted: { ...wanted, content }, created_as: createdAs(intent) };
}

type Rewritten = RewriteLine['rewrites'][number];

/** Its values are JSON: a text is in quotes, and what is missing is `null`. */
function ofRewrite(rewrite: Rewritten): Rewritten {
  if (!TEXT.test(rewrite.path)) return rewrite;
  const { path, sent, got } = rewrite;
  const stored = (value: string) => (value.startsWith('"') ? digestInPlaceOf(value) : value);
  return { path, sent: stored(sent), got: stored(got) };
}

/** A chat message: its digest is in the line already. */
function ofDetails(details: ActLine['details']): ActLine['details'] {
  return 'beginning' in details ? { ...details, beginning: null } : details;
}
