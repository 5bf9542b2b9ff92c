import { assumeVisible, type Visible } from '../domain/visible.ts';
import { escapeObeyed } from './json.ts';

/** A string, a number or word, a mark, or space. */
const TOKEN = /"(?:[^"\\]|\\.)*"|[^\s"{}[\],:]+|[{}[\],:]|\s+/g;

/**
 * JSON text with line breaks and indents, and everything else as it came: every digit, every type, and members that occur
 * twice. Text that is not JSON is returned as it is.
 */
export function renderRawJson(text: string): Visible {
  const tokens = (text.match(TOKEN) ?? []).filter((token) => !/^\s/.test(token));
  let depth = 0;
  let out = '';
  for (const [index, token] of tokens.entries()) {
    const isEmpty = OPENS[tokens[index - 1] ?? ''] === token;
    if (token in OPENS) {
      depth += 1;
      out += token + (OPENS[token] === tokens[index + 1] ? '' : newLine(depth));
    } else if (token === '}' || token === ']') {
      depth -= 1;
      out += (isEmpty ? '' : newLine(depth)) + token;
    } else if (token === ',') out += token + newLine(depth);
    else out += token === ':' ? ': ' : escapeObeyed(token);
  }
  return assumeVisible(`${out}\n`);
}

const OPENS: Readonly<Record<string, string>> = { '{': '}', '[': ']' };

function newLine(depth: number): string {
  return `\n${'  '.repeat(Math.max(0, depth))}`;
}
