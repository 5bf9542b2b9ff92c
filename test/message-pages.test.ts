import { describe, expect, it } from 'vitest';
import { listMessages } from '../scripts/message-list.ts';
import { DIAGNOSTIC_CODES, ERROR_CODES } from '../src/domain/codes.ts';

/** Codes with a message from a table, another file or the service. */
const WITHOUT_MESSAGE_MAX = 35;
const FINDINGS = 'Errors, warnings and notes about files, the state, the live objects and the service.';
const ERRORS = 'Each ends its command. With `--format json`, the code is in the document.';

/** The codes that begin with one of the letters. Those of the service are in capitals, and come first. */
function makePage(kind: 'findings' | 'errors', first: string, last: string) {
  const all: readonly string[] = kind === 'findings' ? DIAGNOSTIC_CODES : ERROR_CODES;
  return {
    path: `docs/reference/messages-${kind}-${first}-${last}.md`,
    title: `${kind === 'findings' ? 'Findings' : 'Errors of commands'}, ${first.toUpperCase()} to ${last.toUpperCase()}`,
    about: kind === 'findings' ? FINDINGS : ERRORS,
    codes: all.filter((code) => (first === 'a' || code >= first) && code.charAt(0) <= last),
  };
}

/** The reference of all codes with their messages. To write it again: npm run message-pages */
const PAGES = [
  makePage('findings', 'a', 'l'),
  makePage('findings', 'm', 'z'),
  makePage('errors', 'a', 'g'),
  makePage('errors', 'h', 'r'),
  makePage('errors', 's', 'z'),
];

/** To read all sources takes a while. */
const MESSAGES = listMessages();

describe('the reference of messages', () => {
  it.each(PAGES)('is in step with the source: $path', async (page) => {
    await expect(pageOf(page)).toMatchFileSnapshot(`../${page.path}`);
  });

  it('has a message for almost every code', () => {
    const coded = new Set(MESSAGES.map(({ code }) => code));
    const without = PAGES.flatMap(({ codes }) => codes.filter((code) => !coded.has(code)));
    expect(without.length).toBeLessThanOrEqual(WITHOUT_MESSAGE_MAX);
  });
});

function pageOf({ title, about, codes }: (typeof PAGES)[number]): string {
  const lines = codes.flatMap((code: string) => {
    const texts = MESSAGES.filter((message) => message.code === code).map(({ text }) => shownText(text));
    return [code, ...new Set(texts.map((text) => `  ${text}`.trimEnd()))];
  });
  return [
    `# ${title}`,
    '',
    `${about} The codes are stable; the words may change. \`…\` is a value. Further lines are other messages with the code, or what to do next.`,
    '',
    '```text',
    ...lines,
    '```',
    '',
  ].join('\n');
}

/** As a person reads it, with `…` for each value. */
function shownText(text: string): string {
  let shown = '';
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    if (text[at] === '\\') {
      at += 1;
      if (depth === 0) shown += text[at] === 'n' ? ' ' : (text[at] ?? '');
    } else if (text.startsWith('${', at)) {
      if (depth === 0) shown += '…';
      depth += 1;
      at += 1;
    } else if (depth > 0) depth += text[at] === '{' ? 1 : text[at] === '}' ? -1 : 0;
    else shown += text[at];
  }
  return shown;
}
